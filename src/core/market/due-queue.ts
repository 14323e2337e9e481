/**
 * Orders whose trigger was reached and that are still to be carried out, in their order: what one command reached stands
 * behind what earlier ones did, nearest price first, then the oldest (docs/reference/waiting-orders.md#triggering). Levels enter as they stood,
 * sorted by price, and are put into their order when their turn comes: entering costs nothing for an order, nor for a level.
 */
import type { OrderNumber } from '../../units/ids.ts'
import { LinkedQueue, type QueuePlace } from '../../units/linked-queue.ts'
import type { Price } from '../../units/quantities.ts'

/** Orders that wait for the same price, by their turns. */
export type TriggerLevel = {
  readonly price: Price
  readonly orders: LinkedQueue<OrderNumber>
}

/** Levels of one direction on one side of the price that distances count from: from `next` on each is farther than the one before. */
type Run = { readonly levels: readonly TriggerLevel[]; readonly step: 1 | -1; next: number }

/** What one command reached. */
type Reach = { readonly from: Price; readonly runs: readonly Run[] }

export class DueQueue {
  /** The first of them has an order; one behind it may have lost all of its. */
  readonly #reaches = new LinkedQueue<Reach>()

  get isEmpty(): boolean {
    return this.#reaches.isEmpty
  }

  /** Puts what one command reached to the end, those levels nearest to `from` first. Each list is sorted by price; no level is empty. */
  add(lists: readonly (readonly TriggerLevel[])[], from: Price): void {
    const runs = lists.flatMap((levels): Run[] => {
      const above = placeOf(levels, from)
      return [
        { levels: levels.slice(0, above), step: -1, next: above - 1 },
        { levels: levels.slice(above), step: 1, next: 0 },
      ]
    })
    this.#reaches.add({ from, runs: runs.filter(({ levels }) => levels.length > 0) })
  }

  /** A level of which the last order has gone may have been the first: what is empty at the front leaves. */
  trim(): void {
    for (let first = this.#reaches.first; first !== undefined; first = this.#reaches.first) {
      for (const run of first.value.runs) run.next = nextIn(run, run.next)
      if (first.value.runs.some((run) => run.levels[run.next] !== undefined)) return
      this.#reaches.remove(first)
    }
  }

  /** The orders in their order, looking no further than they are asked for. None may come or go meanwhile. */
  *orders(): Generator<OrderNumber> {
    for (const { from, runs } of this.#reaches) {
      const heads = runs.map((run) => nextIn(run, run.next))
      for (;;) {
        const nearest = takeNearest(from, runs, heads)
        if (nearest.length === 0) break
        if (nearest.length === 1) yield* (nearest[0] as TriggerLevel).orders
        else yield* oldestFirst(nearest)
      }
    }
  }
}

/** Where the first level at `price` or above stands, or would stand. */
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

/** The levels at the least distance from `from`, of which `heads` move on. */
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
