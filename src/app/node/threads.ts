/**
 * Starts the node's two other threads and joins them by channels: requests to the engine, batches from the engine
 * to the follower, questions to the history.
 */
import { ThreadEngine, type ThreadEngineOptions } from '../../drivers/thread/engine-client.ts'
import { FeedClient } from '../../drivers/thread/follower-feed.ts'
import { FollowerHandle } from '../../drivers/thread/follower-handle.ts'
import { HistoryClient } from '../../drivers/thread/history-client.ts'
import { CLOCK_BOARD_BYTES, ClockBoard } from '../../engine/clock-board.ts'
import type { FollowerLimits } from '../../engine/follower/limits.ts'
import type { FollowerNote } from '../../engine/follower/note.ts'
import type { ClockLimits } from '../../engine/journal-clock.ts'
import type { EngineLimits } from '../../engine/limits.ts'
import { EngineMeter, FollowerMeter, METER_BYTES } from '../../engine/meters.ts'
import type { Seq } from '../../units/quantities.ts'

/** First message to the engine's thread. */
export type EngineWorkerStart = {
  readonly dataDirectory: string
  readonly acceptJournalTail: boolean
  readonly limits: EngineLimits
  readonly clockLimits: ClockLimits
  /** Memory of its `ClockBoard`. */
  readonly clockBoard: SharedArrayBuffer
  readonly requests: MessagePort
  readonly batches: MessagePort
  /** Batches for auditors and backups. */
  readonly audits: MessagePort
  /** Memory of its `EngineMeter`. */
  readonly meter: SharedArrayBuffer
}

/** First message to the follower's thread. */
export type FollowerWorkerStart = {
  readonly dataDirectory: string
  readonly acceptJournalTail: boolean
  readonly limits: FollowerLimits
  /** Where the journal ended when the engine started. */
  readonly journalEnd: Seq
  /** See `FollowerHandle.begin`. */
  readonly beginsWhenTold: boolean
  readonly control: MessagePort
  readonly batches: MessagePort
  readonly questions: MessagePort
  /** Memory of its `FollowerMeter`. */
  readonly meter: SharedArrayBuffer
}

/** From the follower's thread, beside what its host reports. */
export type FollowerWorkerNote =
  | { readonly kind: 'HistoryFileDropped'; readonly reason: string }
  /** Met while the file is in use; the message says what becomes of it. */
  | { readonly kind: 'HistoryFileDamaged'; readonly message: string }

export type EngineThread = {
  readonly engine: ThreadEngine
  /** The follower's end of the channel for batches. */
  readonly batches: MessagePort
  /** Batches for auditors and backups. */
  readonly feed: FeedClient
  readonly meter: EngineMeter
  readonly clockBoard: ClockBoard
}

export type FollowerThread = {
  readonly follower: FollowerHandle
  readonly history: HistoryClient
  readonly meter: FollowerMeter
}

type EngineThreadOptions = Pick<
  EngineWorkerStart,
  'dataDirectory' | 'acceptJournalTail' | 'limits' | 'clockLimits'
> &
  ThreadEngineOptions

type FollowerThreadOptions = Omit<
  FollowerWorkerStart,
  'beginsWhenTold' | 'control' | 'questions' | 'meter'
> & {
  readonly onNote: (note: FollowerNote | FollowerWorkerNote) => void
}

export function startEngineThread(options: EngineThreadOptions): EngineThread {
  const { dataDirectory, acceptJournalTail, limits, clockLimits, ...client } = options
  const requests = new MessageChannel()
  const batches = new MessageChannel()
  const audits = new MessageChannel()
  const feed = new FeedClient(audits.port1)
  const engine = new ThreadEngine(requests.port1, client)
  const ports = { requests: requests.port2, batches: batches.port2, audits: audits.port2 }
  const meter = new SharedArrayBuffer(METER_BYTES)
  const clockBoard = new SharedArrayBuffer(CLOCK_BOARD_BYTES)
  const start = { dataDirectory, acceptJournalTail, limits, clockLimits, meter, clockBoard }
  startWorker<EngineWorkerStart>(
    new URL('./engine-worker.ts', import.meta.url),
    { ...start, ...ports },
    Object.values(ports),
    (reason) => {
      engine.lose(reason)
      feed.lose()
    },
  )
  return {
    engine,
    batches: batches.port1,
    feed,
    meter: new EngineMeter(meter),
    clockBoard: new ClockBoard(clockBoard),
  }
}

export function startFollowerThread(options: FollowerThreadOptions): FollowerThread {
  const { onNote, ...settings } = options
  const control = new MessageChannel()
  const questions = new MessageChannel()
  const follower = new FollowerHandle(control.port1, onNote)
  const history = new HistoryClient(questions.port1)
  const meter = new SharedArrayBuffer(METER_BYTES)
  const start = {
    ...settings,
    beginsWhenTold: true,
    meter,
    control: control.port2,
    questions: questions.port2,
  }
  const worker = startWorker<FollowerWorkerStart>(
    new URL('./follower-worker.ts', import.meta.url),
    start,
    [control.port2, settings.batches, questions.port2],
    (reason) => follower.lose(reason),
  )
  worker.addEventListener('message', ({ data }: MessageEvent<FollowerWorkerNote>) => onNote(data))
  return { follower, history, meter: new FollowerMeter(meter) }
}

/** `onLost`: the thread ended or failed, which it never does by itself while all is well. */
function startWorker<Start>(
  code: URL,
  start: Start,
  ports: MessagePort[],
  onLost: (reason: string) => void,
): Worker {
  const worker = new Worker(code.href)
  worker.addEventListener('error', (event) => onLost(`its thread failed: ${event.message}`))
  worker.addEventListener('close', () => onLost('its thread has ended'))
  worker.postMessage(start, ports)
  return worker
}
