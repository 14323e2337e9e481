/**
 * The thread of a cluster's engine as seen by the main thread: its end, and an engine port for each period in
 * which it leads.
 */

import type { ClusterNote, LeadReport } from '../../../engine/leadership/cluster-ports.ts'
import { POSITION_BOARD_BYTES, PositionBoard } from '../../../engine/leadership/position-board.ts'
import type { RememberedPlace } from '../../../engine/port/journal.ts'
import { CLOCK_BOARD_BYTES, ClockBoard } from '../../../engine/writer/clock-board.ts'
import type { StopReport } from '../../../engine/writer/compose.ts'
import type { ClockReading } from '../../../engine/writer/journal-clock.ts'
import { EngineMeter, METER_BYTES } from '../../../engine/writer/meters.ts'
import { listen } from '../../../transport/thread/channel.ts'
import { failureOf, ThreadEngine } from '../../../transport/thread/engine-client.ts'
import { FeedClient } from '../../../transport/thread/follower-feed.ts'
import { unreachable } from '../../../units/invariant.ts'
import type { Seq } from '../../../units/quantities.ts'
import { type StartedWorker, startWorker } from '../../node/threads.ts'
import { within } from '../../process/within.ts'
import type { ClusterWorkerStart, FromClusterWorker, ToClusterWorker } from './messages.ts'
import type { PeerAnswer } from './peer-refusals.ts'
import type { PeerLinks } from './peer-search.ts'

export type ClusterThreadOptions = Omit<
  ClusterWorkerStart,
  'clockBoard' | 'positionBoard' | 'meter' | 'control' | 'batches' | 'audits'
> & {
  readonly onNote: (note: ClusterNote) => void
  readonly onPeer: (answer: PeerAnswer) => void
  /**
   * Called when the engine begins to lead. The lead ends with this engine port; a later lead has another
   * port.
   */
  readonly onLead: (engine: ThreadEngine, report: LeadReport) => void
  readonly onClock: (reading: ClockReading) => void
}

/** Time limit for an ending thread to stop its work. */
const END_TIMEOUT_MS = 5_000

export class ClusterThread {
  readonly meter: EngineMeter
  readonly clockBoard: ClockBoard
  /** The confirmed and the applied end of the journal while the engine leads. */
  readonly positions: PositionBoard
  /** The batches, for the follower's thread. */
  readonly batches: MessagePort
  /** The batches, for other processes, auditors and backups. */
  readonly feed: FeedClient
  readonly #options: ClusterThreadOptions
  readonly #control: MessagePort
  readonly #thread: StartedWorker
  readonly #caughtUp = Promise.withResolvers<Seq>()
  readonly #ended = Promise.withResolvers<StopReport>()
  readonly #presented = new Map<number, (problem: string | undefined) => void>()
  #numbers = 0

  constructor(options: ClusterThreadOptions) {
    const { onNote: _, onPeer: _peer, onLead: _lead, onClock: _clock, ...start } = options
    this.#options = options
    const control = new MessageChannel()
    const batches = new MessageChannel()
    const audits = new MessageChannel()
    const [clockBoard, positionBoard, meter] = [CLOCK_BOARD_BYTES, POSITION_BOARD_BYTES, METER_BYTES].map(
      (bytes) => new SharedArrayBuffer(bytes),
    ) as [SharedArrayBuffer, SharedArrayBuffer, SharedArrayBuffer]
    this.meter = new EngineMeter(meter)
    this.clockBoard = new ClockBoard(clockBoard)
    this.positions = new PositionBoard(positionBoard)
    this.batches = batches.port1
    this.feed = new FeedClient(audits.port1)
    this.#control = control.port1
    for (const { promise } of [this.#caughtUp, this.#ended]) promise.catch(() => {})
    listen<FromClusterWorker>(this.#control, (message) => this.#receive(message))
    const ports = { control: control.port2, batches: batches.port2, audits: audits.port2 }
    this.#thread = startWorker<ClusterWorkerStart>(
      new URL('./cluster-worker.ts', import.meta.url),
      { ...start, ...{ clockBoard, positionBoard, meter }, ...ports },
      Object.values(ports),
      (reason) => this.#fail(new Error(reason)),
    )
  }

  /** Resolves when the engine's state first reaches the end of the journal. */
  get caughtUp(): Promise<Seq> {
    return this.#caughtUp.promise
  }

  /** Resolves after a stop; rejects with the cause when the process must end. */
  get ended(): Promise<StopReport> {
    return this.#ended.promise
  }

  /** See `ClusterEngine.present`. */
  present(place: RememberedPlace): Promise<string | undefined> {
    const number = ++this.#numbers
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    this.#presented.set(number, resolve)
    this.#order({ kind: 'present', number, place })
    return promise
  }

  /** Hands over leadership if it leads; resolves as `ended` does. */
  stop(): Promise<StopReport> {
    this.#order({ kind: 'stop' })
    return this.#ended.promise
  }

  /** Links to the other engines use these terms from now on. */
  takeLinks(links: PeerLinks): void {
    this.#order({ kind: 'links', links })
  }

  /**
   * Called when another part of the process failed: gives up leadership at once, if it leads. Resolves when
   * that is done, or is impossible. Never rejects.
   */
  async halt(why: string): Promise<void> {
    this.#order({ kind: 'halt', why })
    await this.#ended.promise.catch(() => {})
  }

  /** Ends the thread, which releases its storage. Never rejects. */
  async end(): Promise<void> {
    await within(
      this.stop().catch(() => {}),
      END_TIMEOUT_MS,
    )
    await this.#thread.end()
  }

  #order(order: ToClusterWorker): void {
    this.#control.postMessage(order)
  }

  #receive(message: FromClusterWorker): void {
    const { onNote, onPeer, onLead, onClock } = this.#options
    switch (message.kind) {
      case 'note':
        onNote(message.note)
        break
      case 'peer':
        onPeer(message.answer)
        break
      case 'caughtUp':
        this.#caughtUp.resolve(message.seq)
        break
      case 'leads':
        onLead(new ThreadEngine(message.requests, { onClock }), message.report)
        break
      case 'presented':
        this.#presented.get(message.number)?.(message.problem)
        this.#presented.delete(message.number)
        break
      case 'stopped':
        this.#ended.resolve(message.report)
        break
      case 'failed':
        this.#fail(failureOf(message.failure))
        break
      default:
        unreachable(message)
    }
  }

  #fail(cause: Error): void {
    this.#caughtUp.reject(cause)
    this.#ended.reject(cause)
    this.feed.lose()
  }
}
