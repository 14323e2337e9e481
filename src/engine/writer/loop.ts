/**
 * Decides when the engine works: whenever something waits or is due, one flush after another. While a flush
 * runs, arriving commands wait together for the next one, so commits grow with the load.
 */
import type { Seq } from '../../units/quantities.ts'
import { EngineFault, type EngineFaultKind } from '../port/fault.ts'
import type { BatchFeed } from '../port/feed.ts'
import type { Batch } from '../port/journal.ts'
import type { EngineRequest } from '../port/requests.ts'
import type { Engine } from './engine.ts'

/** The runtime's way to schedule a callback. */
export type Scheduler = {
  /** Calls back once everything that has already arrived has been processed. */
  soon(task: () => void): void
  /** Calls `task` after `delayMs`; the returned function cancels the call. */
  later(task: () => void, delayMs: number): () => void
}

export type LoopOptions = {
  readonly scheduler: Scheduler
  /** Required idle time before housekeeping. */
  readonly idleDelayMs: number
  /** Called when the engine failed; all waiting requests have been answered. The node must stop. */
  readonly onDeath: (cause: unknown) => void
}

/** Maximum wait for work that is due by time: the clock may be adjusted during the wait. */
const WAKE_MAX_MS = 1_000

/** Default of the required idle time before housekeeping. */
export const IDLE_DELAY_MS = 250

export class EngineLoop {
  readonly #engine: Engine
  readonly #options: LoopOptions
  #scheduled = false
  #turn: Promise<void> = Promise.resolve()
  #cancelRest: () => void = () => {}
  #cancelWake: () => void = () => {}
  /** The fault for new requests; undefined if they are accepted. */
  #ended: EngineFaultKind | undefined
  /** Whether the storage must no longer be used. */
  #isClosed = false
  #waiters: (() => void)[] = []
  #stopped: Promise<boolean> | undefined

  constructor(engine: Engine, options: LoopOptions) {
    this.#engine = engine
    this.#options = options
  }

  /** See `Engine.begin`. */
  begin(): void {
    this.#engine.begin()
    if (this.#ended !== undefined) return
    if (this.#engine.isIdle) this.#wakeLater()
    else this.#schedule()
  }

  /** See `Engine.offer`. */
  offer(request: EngineRequest): EngineFaultKind | undefined {
    const refusal = this.#ended ?? this.#engine.offer(request)
    if (refusal === undefined) this.#schedule()
    return refusal
  }

  /** Checks the storage at once: an engine whose storage fails ends now, and not at the next request. */
  probe(): void {
    void this.#enqueue(async () => {
      if (this.#ended === undefined) await this.#engine.rest()
    })
  }

  /**
   * Accepts no new commands and issues no due ones; resolves once the journal no longer changes. Batches are
   * served as before.
   */
  async settle(): Promise<void> {
    await this.#enqueue(async () => {
      if (this.#ended === undefined) await this.#engine.drain()
    })
    this.#wake()
  }

  /**
   * Serves all waiting requests, does `beforeClose`, releases the storage and ends. Resolves with true, or
   * with false if the engine has failed instead. A repeated call joins the same stop.
   */
  stop(beforeClose: () => Promise<void> = async () => {}): Promise<boolean> {
    this.#stopped ??= this.#stop(beforeClose)
    return this.#stopped
  }

  /** See `BatchFeed.next`. */
  async nextBatches(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    for (;;) {
      // Checking and queueing are one step: otherwise a batch that arrives in between would not be noticed
      // until the next batch.
      const isMore = !this.#isClosed && this.#engine.tail.seq > afterSeq
      if (isMore) return await this.#engine.readBatches(afterSeq, maxBytes)
      if (this.#ended !== undefined) throw new EngineFault(this.#ended, 'the engine sends no more batches')
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    }
  }

  /** See `BatchFeed.stateHash`. */
  async stateHash(seq: Seq): Promise<Uint8Array | undefined> {
    if (this.#ended !== undefined) throw new EngineFault(this.#ended, 'the engine sends no more state hashes')
    let hash: Uint8Array | undefined
    await this.#enqueue(async () => {
      const isThere = this.#engine.isIdle && this.#engine.tail.seq === seq
      if (isThere && this.#ended === undefined) hash = this.#engine.snapshot().stateHash
    })
    return hash
  }

  async #stop(beforeClose: () => Promise<void>): Promise<boolean> {
    this.#engine.refuseNew()
    this.#ended ??= 'STOPPING'
    this.#cancelRest()
    this.#cancelWake()
    await this.#enqueue(async () => {
      await this.#engine.drain()
      await beforeClose()
      this.#isClosed = true
      await this.#engine.close()
    })
    this.#wake()
    return this.#ended === 'STOPPING'
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#cancelRest()
    this.#cancelWake()
    this.#options.scheduler.soon(() => {
      void this.#enqueue(() => this.#flush())
    })
  }

  async #flush(): Promise<void> {
    this.#scheduled = false
    if (this.#ended !== undefined) return
    await this.#engine.flush()
    this.#wake()
    if (!this.#engine.isIdle) this.#schedule()
    else {
      this.#restLater()
      this.#wakeLater()
    }
  }

  #restLater(): void {
    const { scheduler, idleDelayMs } = this.#options
    this.#cancelRest = scheduler.later(() => {
      void this.#enqueue(async () => {
        if (this.#ended !== undefined) return
        await this.#engine.rest()
        if (!this.#engine.isIdle) this.#schedule()
        else this.#wakeLater()
      })
    }, idleDelayMs)
  }

  /** Runs again when the next command is due by time. */
  #wakeLater(): void {
    const waitMs = this.#engine.dueInMs
    this.#cancelWake()
    if (waitMs === undefined) return
    this.#cancelWake = this.#options.scheduler.later(
      () => {
        if (this.#ended !== undefined || this.#scheduled) return
        if (this.#engine.isIdle) this.#wakeLater()
        else this.#schedule()
      },
      Math.min(waitMs, WAKE_MAX_MS),
    )
  }

  /** Queues a piece of work: one runs at a time, in order. A failure ends the engine. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      if (this.#ended === 'ENGINE_DOWN') return
      try {
        await work()
      } catch (cause) {
        this.#ended = 'ENGINE_DOWN'
        this.#isClosed = true
        this.#wake()
        this.#options.onDeath(cause)
      }
    })
    return this.#turn
  }

  #wake(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const wake of waiters) wake()
  }
}

/** The source from which a follower pulls. */
export function feedOf(
  loop: EngineLoop,
  quarantined: ReadonlySet<Seq>,
  archiving?: BatchFeed['archiving'],
): BatchFeed {
  return {
    archiving,
    next: (afterSeq, maxBytes) => loop.nextBatches(afterSeq, maxBytes),
    stateHash: (seq) => loop.stateHash(seq),
    quarantined: async () => quarantined,
  }
}
