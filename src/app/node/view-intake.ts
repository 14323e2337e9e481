/** What an engine gives out while read models are being made: kept, and given to them in order once they stand. */
import type { EventBatch } from '../../core/exchange/event.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import type { Subscribers } from './subscribers.ts'

/** Most events that are kept: some hundred MiB, and a minute of an engine at its limit. */
export const KEPT_EVENTS_MAX = 2_000_000

type Kept = { readonly batch: EventBatch } | { readonly passed: TimeMs }

export class ViewIntake {
  readonly #batches: Subscribers<EventBatch>
  readonly #passed: Subscribers<TimeMs>
  readonly #keptEventsMax: number
  /** Undefined: the read models stand. */
  #kept: Kept[] | undefined = []
  /** Above the most: nothing is kept any more. */
  #keptEvents = 0
  /** Of the last batch. */
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
   * The read models stand, made of the state after command `from`: resolves when they have taken in all up to command `upTo`, and gives
   * them the rest as it comes. Rejects with `EngineFault` where more has come than is kept.
   */
  async open(upTo: Seq, from: Seq): Promise<void> {
    await this.untilReady(upTo, from)
    this.give()
  }

  /** The first half of `open`: resolves when all up to command `upTo` has come. Rejects as it does. */
  async untilReady(upTo: Seq, from: Seq): Promise<void> {
    while (!this.#isFull && (this.#seq ?? from) < upTo) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const most = this.#keptEventsMax
    if (this.#isFull) {
      throw new EngineFault('OVERLOADED', `more than ${most} events came before the views stood`)
    }
  }

  get #isFull(): boolean {
    return this.#keptEvents > this.#keptEventsMax
  }

  /** The second half: gives what has come, and all that comes from now on. */
  give(): void {
    const kept = this.#kept ?? []
    this.#kept = undefined
    for (const each of kept) {
      if ('batch' in each) this.#batches.publish(each.batch)
      else this.#passed.publish(each.passed)
    }
  }
}
