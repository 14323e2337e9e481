/**
 * Starts the node's two other threads and joins them by channels: requests to the engine, batches from the
 * engine to the follower, questions to the history.
 */

import type { FollowerLimits } from '../../engine/follower/limits.ts'
import type { FollowerNote } from '../../engine/follower/note.ts'
import type { EngineLimits } from '../../engine/port/limits.ts'
import { CLOCK_BOARD_BYTES, ClockBoard } from '../../engine/writer/clock-board.ts'
import type { ClockLimits } from '../../engine/writer/journal-clock.ts'
import { EngineMeter, FollowerMeter, METER_BYTES } from '../../engine/writer/meters.ts'
import { ThreadEngine, type ThreadEngineOptions } from '../../transport/thread/engine-client.ts'
import { FeedClient } from '../../transport/thread/follower-feed.ts'
import { FollowerHandle } from '../../transport/thread/follower-handle.ts'
import { type HistoryClient, historyClient } from '../../transport/thread/history-client.ts'
import type { Seq } from '../../units/quantities.ts'
import { within } from '../process/within.ts'
import type { StorageSettings } from './storage/storage.ts'
import { Subscribers } from './subscribers.ts'

/** Time limits for a thread to stop its work, and then to end. */
const END_TIMEOUT_MS = 5_000

/** First message to the engine's thread. */
export type EngineWorkerStart = {
  readonly storage: StorageSettings
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
  /** Memory of a `PositionBoard` for the replication to standbys; undefined if there is none. */
  readonly positionBoard: SharedArrayBuffer | undefined
}

/** First message to the follower's thread. */
export type FollowerWorkerStart = {
  readonly storage: StorageSettings
  readonly acceptJournalTail: boolean
  readonly limits: FollowerLimits
  /** The end of the journal when the engine started. */
  readonly journalEnd: Seq
  /** See `FollowerHandle.begin`. */
  readonly beginsOnRequest: boolean
  readonly control: MessagePort
  readonly batches: MessagePort
  readonly questions: MessagePort
  /** Memory of its `FollowerMeter`. */
  readonly meter: SharedArrayBuffer
}

/** Messages of the follower's thread, in addition to its host's reports. */
export type FollowerWorkerNote =
  | { readonly kind: 'HistoryFileDropped'; readonly reason: string }
  /** Damage found while the file is in use; the message states the consequence. */
  | { readonly kind: 'HistoryFileDamaged'; readonly message: string }

export type EngineThread = {
  readonly engine: ThreadEngine
  /** The follower's end of the channel for batches. */
  readonly batches: MessagePort
  /** Batches for auditors and backups. */
  readonly feed: FeedClient
  readonly meter: EngineMeter
  readonly clockBoard: ClockBoard
  /** Ends the thread; a running engine is stopped first, and then releases its storage. Never rejects. */
  end(): Promise<void>
}

export type FollowerThread = {
  readonly follower: FollowerHandle
  readonly history: HistoryClient
  readonly meter: FollowerMeter
  /** Its notes, besides the cause of its end. */
  readonly notes: Pick<Subscribers<FollowerNote | FollowerWorkerNote>, 'subscribe'>
  /** Ends the thread at any point: its data can be rebuilt from the journal. Never rejects. */
  end(): Promise<void>
}

type EngineThreadOptions = Pick<
  EngineWorkerStart,
  'storage' | 'acceptJournalTail' | 'limits' | 'clockLimits' | 'positionBoard'
> &
  ThreadEngineOptions

type FollowerThreadOptions = Omit<FollowerWorkerStart, 'beginsOnRequest' | 'control' | 'questions' | 'meter'>

export function startEngineThread(options: EngineThreadOptions): EngineThread {
  const { storage, acceptJournalTail, limits, clockLimits, positionBoard, ...client } = options
  const requests = new MessageChannel()
  const batches = new MessageChannel()
  const audits = new MessageChannel()
  const feed = new FeedClient(audits.port1)
  const engine = new ThreadEngine(requests.port1, client)
  const ports = { requests: requests.port2, batches: batches.port2, audits: audits.port2 }
  const meter = new SharedArrayBuffer(METER_BYTES)
  const clockBoard = new SharedArrayBuffer(CLOCK_BOARD_BYTES)
  const start = { storage, acceptJournalTail, limits, clockLimits, meter, clockBoard, positionBoard }
  const thread = startWorker<EngineWorkerStart>(
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
    end: async () => {
      await within(stopped(engine), END_TIMEOUT_MS)
      await thread.end()
    },
  }
}

/** Resolves when the engine no longer holds its storage, or will not release it by itself. */
async function stopped(engine: ThreadEngine): Promise<void> {
  try {
    await engine.ready
    await engine.stop()
  } catch {
    // The engine has failed, and its owner has the cause.
  }
}

export function startFollowerThread(options: FollowerThreadOptions): FollowerThread {
  const notes = new Subscribers<FollowerNote | FollowerWorkerNote>()
  const control = new MessageChannel()
  const questions = new MessageChannel()
  const follower = new FollowerHandle(control.port1, (note) => notes.publish(note))
  const history = historyClient(questions.port1)
  const meter = new SharedArrayBuffer(METER_BYTES)
  const start = {
    ...options,
    beginsOnRequest: true,
    meter,
    control: control.port2,
    questions: questions.port2,
  }
  const thread = startWorker<FollowerWorkerStart>(
    new URL('./follower-worker.ts', import.meta.url),
    start,
    [control.port2, options.batches, questions.port2],
    (reason) => follower.lose(reason),
  )
  const { worker, end } = thread
  worker.addEventListener('message', ({ data }: MessageEvent<FollowerWorkerNote>) => notes.publish(data))
  return { follower, history, meter: new FollowerMeter(meter), notes, end }
}

export type StartedWorker = {
  readonly worker: Worker
  /**
   * Ends the thread at any point; resolves when its files are closed, or after a time limit. Never rejects.
   */
  end(): Promise<void>
}

/** `onLost`: called when the thread ended or failed, neither of which it normally does by itself. */
export function startWorker<Start>(
  code: URL,
  start: Start,
  ports: MessagePort[],
  onLost: (reason: string) => void,
): StartedWorker {
  const worker = new Worker(code.href)
  const closed = new Promise((resolve) => worker.addEventListener('close', resolve))
  worker.addEventListener('error', (event) => onLost(`its thread failed: ${event.message}`))
  worker.addEventListener('close', () => onLost('its thread ended'))
  worker.postMessage(start, ports)
  return {
    worker,
    end: async () => {
      worker.terminate()
      await within(closed, END_TIMEOUT_MS)
    },
  }
}
