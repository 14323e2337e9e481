/** Buffers the output of an engine while read models are being built, and then delivers it in order. */
import type { EventBatch } from '../../core/events/event.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import type { Subscribers } from './subscribers.ts'

/** Maximum number of events that are kept: about a hundred MiB, and a minute of an engine at its limit. */
export const KEPT_EVENTS_MAX = 2_000_000

type Kept = { readonly batch: EventBatch } | { readonly passed: TimeMs }

export class ViewIntake {
  readonly #batches: Subscribers<EventBatch>
  readonly #passed: Subscribers<TimeMs>
  readonly #keptEventsMax: number
  /** Undefined once the read models are complete. */
  #kept: Kept[] | undefined = []
  /** Number of events that arrived while they were kept; above the maximum nothing is kept. */
  #keptEvents = 0
  /** The command of the last batch. */
  #seq: Seq | undefined
  #wake: () => void = () => {}

  constructor(
    batches: Subscribers<EventBatch>,
    passed: Subscribers<TimeMs>,
    keptEventsMax: number = KEPT_EVENTS_MAX,
  ) {
    this.#batches = batches
    this.#passed = passed
    this.#keptEventsMax = keptEventsMax
  }

  batch(batch: EventBatch): void {
    this.#seq = batch.seq
    if (this.#kept === undefined) {
      this.#batches.publish(batch)
      return
    }
    this.#keptEvents += batch.events.length
    if (this.#isFull) this.#kept.length = 0
    else this.#kept.push({ batch })
    this.#wake()
  }

  passed(time: TimeMs): void {
    if (this.#kept === undefined) this.#passed.publish(time)
    else if (!this.#isFull) this.#kept.push({ passed: time })
  }

  /**
   * Called when the read models are complete, created from the state after command `from`. Resolves when they
   * have processed everything up to command `upTo`, and passes later events to them as they arrive. Rejects
   * with `EngineFault` if more events have arrived than can be kept.
   */
  async open(upTo: Seq, from: Seq): Promise<void> {
    await this.untilReady(upTo, from)
    this.give()
  }

  /**
   * The first half of `open`: resolves when everything up to command `upTo` has arrived. Rejects like `open`.
   */
  async untilReady(upTo: Seq, from: Seq): Promise<void> {
    while (!this.#isFull && (this.#seq ?? from) < upTo) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const most = this.#keptEventsMax
    if (this.#isFull) {
      throw new EngineFault('OVERLOADED', `more than ${most} events arrived before the views were built`)
    }
  }

  get #isFull(): boolean {
    return this.#keptEvents > this.#keptEventsMax
  }

  /**
   * The second half of `open`: delivers everything that has arrived, and everything that arrives from now on.
   */
  give(): void {
    const kept = this.#kept ?? []
    this.#kept = undefined
    for (const each of kept) {
      if ('batch' in each) this.#batches.publish(each.batch)
      else this.#passed.publish(each.passed)
    }
  }
}
