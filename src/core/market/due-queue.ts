/**
 * Orders whose trigger was reached and that have not been carried out yet, in order: orders reached by one
 * command come after those of earlier commands, and among them the nearest price comes first, then the oldest
 * order (docs/reference/waiting-orders.md#triggering). Levels are added as they are, sorted by price, and are
 * put in order when their turn comes, so adding costs nothing for each order or level.
 */
import type { OrderNumber } from '../../units/ids.ts'
import { LinkedQueue, type QueuePlace } from '../../units/linked-queue.ts'
import type { Price, Seq } from '../../units/quantities.ts'

/** Orders that wait for the same price, in the order of their turns. */
export type TriggerLevel = {
  readonly price: Price
  readonly orders: LinkedQueue<OrderNumber>
}

/**
 * The levels in one direction from the price from which distances are measured; each level from index `next`
 * on is farther away than the one before it.
 */
type Run = { readonly levels: readonly TriggerLevel[]; readonly step: 1 | -1; next: number }

/** The orders reached by one command. */
type Reach = {
  readonly from: Price
  readonly runs: readonly Run[]
  /** The number of the command; 0 if it is not recorded. */
  since: Seq
}

/** An order's turn, and the number of the command that reached it; 0 if that is not recorded. */
export type DueTurn = { readonly turn: OrderNumber; readonly since: Seq }

export class DueQueue {
  /** The first reach has an order; a later one may have lost all of its orders. */
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

  /** Removes reaches without orders at the front, after a level has lost its last order. */
  trim(): void {
    for (let first = this.#reaches.first; first !== undefined; first = this.#reaches.first) {
      for (const run of first.value.runs) run.next = nextIn(run, run.next)
      if (first.value.runs.some((run) => run.levels[run.next] !== undefined)) return
      this.#reaches.remove(first)
    }
  }

  /** The turns of due orders, read on demand. The queue must not change during the iteration. */
  *turns(): Generator<DueTurn, void> {
    for (const reach of this.#reaches) for (const turn of ordersOf(reach)) yield { turn, since: reach.since }
  }

  /**
   * Sets the command that made each due order due, in their order. Each order must have been added singly,
   * without this command.
   */
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

/** The index of the first level with an order, from `at` on. */
function nextIn({ levels, step }: Run, at: number): number {
  let next = at
  while (levels[next]?.orders.isEmpty === true) next += step
  return next
}

/** The levels with the smallest distance from `from`; `heads` moves past them. */
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
