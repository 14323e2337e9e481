/**
 * Orders whose trigger was reached and that are still to be carried out, in their order: what one command reached stands
 * behind what earlier ones did, nearest price first, then the oldest (docs/reference/waiting-orders.md#triggering). Levels enter whole, so
 * that entering costs nothing for an order.
 */
import type { OrderNumber } from '../../units/ids.ts'
import { LinkedQueue, type QueuePlace } from '../../units/linked-queue.ts'
import type { Price } from '../../units/quantities.ts'

/** Orders that wait for the same price, by their turns. */
export type TriggerLevel = {
  readonly price: Price
  readonly orders: LinkedQueue<OrderNumber>
  /** Where it stands among what is due; undefined: its price is not reached. */
  due: QueuePlace<DueEntry> | undefined
}

/** Levels at the same distance, whose orders are carried out by their age. */
type DueEntry = TriggerLevel[]

export class DueQueue {
  readonly #entries = new LinkedQueue<DueEntry>()

  get isEmpty(): boolean {
    return this.#entries.isEmpty
  }

  /** Puts levels of one command to the end, those nearest to `from` first. None of them is empty. */
  add(levels: readonly TriggerLevel[], from: Price): void {
    const distance = ({ price }: TriggerLevel): number => Math.abs(price - from)
    const nearestFirst = levels.toSorted((a, b) => distance(a) - distance(b))
    let last: QueuePlace<DueEntry> | undefined
    for (const level of nearestFirst) {
      const isBeside = last !== undefined && distance(last.value[0] as TriggerLevel) === distance(level)
      if (!isBeside || last === undefined) last = this.#entries.add([level])
      else last.value.push(level)
      level.due = last
    }
  }

  /** Takes out a level of which the last order has gone. */
  remove(level: TriggerLevel): void {
    const entry = level.due
    if (entry === undefined) return
    entry.value.splice(entry.value.indexOf(level), 1)
    if (entry.value.length === 0) this.#entries.remove(entry)
  }

  /** The orders in their order, looking no further than they are asked for. None may come or go meanwhile. */
  *orders(): Generator<OrderNumber> {
    for (const levels of this.#entries) {
      if (levels.length === 1) yield* (levels[0] as TriggerLevel).orders
      else yield* oldestFirst(levels)
    }
  }
}

function* oldestFirst(levels: readonly TriggerLevel[]): Generator<OrderNumber> {
  const heads = levels.map(({ orders }) => orders.first)
  for (;;) {
    let oldest: QueuePlace<OrderNumber> | undefined
    for (const head of heads) {
      if (head !== undefined && (oldest === undefined || head.value < oldest.value)) oldest = head
    }
    if (oldest === undefined) return
    yield oldest.value
    heads[heads.indexOf(oldest)] = oldest.after
  }
}
