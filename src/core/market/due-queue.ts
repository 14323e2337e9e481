/**
 * Orders whose trigger was reached and that have not been carried out yet, in order: those reached by one
 * command follow those of earlier ones, nearest price first, then the oldest
 * (docs/reference/waiting-orders.md#triggering). Levels enter as they are, sorted by price, and are ordered
 * when their turn comes: entering costs nothing for an order or a level.
 */
import type { OrderNumber } from '../../units/ids.ts'
import { LinkedQueue, type QueuePlace } from '../../units/linked-queue.ts'
import type { Price, Seq } from '../../units/quantities.ts'

/** Orders that wait for the same price, by their turns. */
export type TriggerLevel = {
  readonly price: Price
  readonly orders: LinkedQueue<OrderNumber>
}

/**
 * Levels of one direction on one side of the price that distances count from: from `next` on each is farther
 * than the one before.
 */
type Run = { readonly levels: readonly TriggerLevel[]; readonly step: 1 | -1; next: number }

/** The orders reached by one command. */
type Reach = {
  readonly from: Price
  readonly runs: readonly Run[]
  /** The command; 0 where that is not kept. */
  since: Seq
}

/** By its turn, and the command that reached it; 0 where that is not kept. */
export type DueTurn = { readonly turn: OrderNumber; readonly since: Seq }

export class DueQueue {
  /** The first of them has an order; a later one may have lost all of its orders. */
  readonly #reaches = new LinkedQueue<Reach>()

  get isEmpty(): boolean {
    return this.#reaches.isEmpty
  }

  /**
   * Appends the levels that command `since` reached, nearest to `from` first. Each list is sorted by price;
   * no level is empty.
   */
  add(lists: readonly (readonly TriggerLevel[])[], from: Price, since: Seq): void {
    const runs = lists.flatMap((levels): Run[] => {
      const above = placeOf(levels, from)
      return [
        { levels: levels.slice(0, above), step: -1, next: above - 1 },
        { levels: levels.slice(above), step: 1, next: 0 },
      ]
    })
    this.#reaches.add({ from, since, runs: runs.filter(({ levels }) => levels.length > 0) })
  }

  /** The level that has lost its last order may have been the first: empty ones at the front are removed. */
  trim(): void {
    for (let first = this.#reaches.first; first !== undefined; first = this.#reaches.first) {
      for (const run of first.value.runs) run.next = nextIn(run, run.next)
      if (first.value.runs.some((run) => run.levels[run.next] !== undefined)) return
      this.#reaches.remove(first)
    }
  }

  /** The turns of due orders, read on demand. The queue must not change meanwhile. */
  *turns(): Generator<DueTurn, void> {
    for (const reach of this.#reaches) for (const turn of ordersOf(reach)) yield { turn, since: reach.since }
  }

  /** Sets the command of each due order, in their order. Each was added by itself, without one. */
  dateEach(commands: Iterable<Seq>): void {
    const reaches = this.#reaches[Symbol.iterator]()
    for (const since of commands) (reaches.next().value as Reach).since = since
  }
}

/** The queue numbers of the orders reached by one command, in order. */
function* ordersOf({ from, runs }: Reach): Generator<OrderNumber, void> {
  const heads = runs.map((run) => nextIn(run, run.next))
  for (;;) {
    const nearest = takeNearest(from, runs, heads)
    if (nearest.length === 0) return
    if (nearest.length === 1) yield* (nearest[0] as TriggerLevel).orders
    else yield* oldestFirst(nearest)
  }
}

/** The index of the first level at `price` or above, or the index at which it would be. */
export function placeOf(levels: readonly TriggerLevel[], price: Price): number {
  let low = 0
  let high = levels.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((levels[middle] as TriggerLevel).price < price) low = middle + 1
    else high = middle
  }
  return low
}

/** The place of the first level from `at` on that has an order. */
function nextIn({ levels, step }: Run, at: number): number {
  let next = at
  while (levels[next]?.orders.isEmpty === true) next += step
  return next
}

/** The levels with the smallest distance from `from`; their `heads` advance. */
function takeNearest(from: Price, runs: readonly Run[], heads: number[]): TriggerLevel[] {
  let least = Number.POSITIVE_INFINITY
  for (const [i, { levels }] of runs.entries()) {
    const level = levels[heads[i] as number]
    if (level !== undefined) least = Math.min(least, Math.abs(level.price - from))
  }
  return runs.flatMap((run, i) => {
    const at = heads[i] as number
    const level = run.levels[at]
    if (level === undefined || Math.abs(level.price - from) !== least) return []
    heads[i] = nextIn(run, at + run.step)
    return level
  })
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
