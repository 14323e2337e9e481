/** The open orders that end at a time of their own (docs/reference/timers.md#good-till-date). */
import type { OrderNumber } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { DeadlineQueue } from '../../market/deadline-queue.ts'

export class Expiries {
  readonly #queue = new DeadlineQueue<OrderNumber>()
  /**
   * Orders that the engine does not end, because that is a known bug. They do not trade, and can be canceled.
   */
  readonly #asideTimes = new Map<OrderNumber, TimeMs>()

  /** Including those that are set aside. */
  get count(): number {
    return this.#queue.count + this.#asideTimes.size
  }

  /** The time at which the engine must end the first order; undefined if there is none. */
  get firstTime(): TimeMs | undefined {
    return this.#queue.firstTime
  }

  /** The end time of an order; undefined if it has none. */
  timeOf(number: OrderNumber): TimeMs | undefined {
    return this.#queue.timeOf(number) ?? this.#asideTimes.get(number)
  }

  /** Whether any order has reached its end time. */
  hasAnyAt(time: TimeMs): boolean {
    const { firstTime } = this.#queue
    return (firstTime !== undefined && firstTime <= time) || this.#asideTimes.size > 0
  }

  /** Whether an order has reached its end time. */
  isOver(number: OrderNumber, time: TimeMs): boolean {
    const end = this.timeOf(number)
    return end !== undefined && end <= time
  }

  add(number: OrderNumber, time: TimeMs): void {
    this.#queue.add(number, time)
  }

  /** Removes an order that has ended, if it has an end time. */
  remove(number: OrderNumber): void {
    if (!this.#queue.remove(number)) this.#asideTimes.delete(number)
  }

  /** Orders that have reached their end time, earliest first, then oldest, at most `max`. */
  due(time: TimeMs, max: number): OrderNumber[] {
    return this.#queue.until(time, max)
  }

  /**
   * Sets an order aside: the engine does not try again to end it. Without effect for an order that it would
   * not end.
   */
  setAside(number: OrderNumber): void {
    const time = this.#queue.timeOf(number)
    if (time === undefined) return
    this.#queue.remove(number)
    this.#asideTimes.set(number, time)
  }

  /** Orders that the engine ends, by number. */
  queued(): Iterable<{ readonly number: OrderNumber; readonly time: TimeMs }> {
    return this.#queue.byNumber()
  }

  /** Orders that are set aside, by number. */
  aside(): readonly { readonly number: OrderNumber; readonly time: TimeMs }[] {
    const entries = [...this.#asideTimes].map(([number, time]) => ({ number, time }))
    return entries.sort((a, b) => a.number - b.number)
  }
}
