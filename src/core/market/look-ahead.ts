/**
 * What would become of an arriving order, without matching it: for orders that are refused when it would not be all
 * (fill-or-kill), or when it would be anything (post-only). It only looks.
 */
import type { Side } from '../../units/order-words.ts'
import type { Price } from '../../units/quantities.ts'
import { isWorse, type Taker } from './matching.ts'
import { NO_SLOT, type OrderBook, type Slot } from './order-book.ts'

/** A taker that is to be filled in full. */
export type WholeTaker = Taker & { readonly limit: Price; readonly quantity: number }

/** A taker that is to rest in full. */
export type PassiveTaker = Pick<Taker, 'side' | 'stepsMax' | 'hasEnded'> & { readonly limit: Price }

/**
 * Whether an order would meet any resting order that has not ended, whoever owns it, or more than it may meet: it would not rest then
 * either.
 */
export function wouldTake(book: OrderBook, { side, limit, stepsMax, hasEnded }: PassiveTaker): boolean {
  const makerSide = side === 'BUY' ? 'SELL' : 'BUY'
  const best = book.best(makerSide)
  if (best === NO_SLOT || isWorse(book.price(best), limit, makerSide)) return false
  if (hasEnded === undefined) return true
  let steps = 0
  for (const slot of book.slots(makerSide)) {
    if (isWorse(book.price(slot), limit, makerSide)) return false
    if (steps === stepsMax || !hasEnded(book.orderNumber(slot))) return true
    steps++
  }
  return false
}

/** What an order has beside the part that its book shows: `hidden` lots, of which `part` at a time are shown. Both at least 1. */
export type Iceberg = { readonly hidden: number; readonly part: number }

/** Says of a slot what its order hides; undefined: nothing. */
export type IcebergAt = (slot: Slot) => Iceberg | undefined

/**
 * Whether `match` would execute the taker's whole quantity, what orders hide included: own orders do not count where it takes
 * them out (EXPIRE_MAKER), and end it in every other mode but NONE; those that have ended never count. Looks at no more parts than matching would meet.
 */
export function isFillable(
  book: OrderBook,
  { side, owner, limit, quantity, selfTradeMode, stepsMax, hasEnded }: WholeTaker,
  icebergAt: IcebergAt = () => undefined,
): boolean {
  const makerSide = side === 'BUY' ? 'SELL' : 'BUY'
  const owns = (slot: Slot): boolean => selfTradeMode !== 'NONE' && book.owner(slot) === owner
  let missing: number = quantity
  let steps = 0
  const isOver = (slot: Slot): boolean => hasEnded?.(book.orderNumber(slot)) === true
  const leaves = (slot: Slot): boolean => owns(slot) || isOver(slot)
  // An order that leaves is met once, with all that it hides.
  for (const part of partsInTurn(book, makerSide, (slot) => (leaves(slot) ? undefined : icebergAt(slot)))) {
    if (isWorse(book.price(part.slot), limit, makerSide) || steps === stepsMax) return false
    steps++
    if (isOver(part.slot)) continue
    const isOwn = owns(part.slot)
    if (isOwn && selfTradeMode !== 'EXPIRE_MAKER') return false
    if (!isOwn) missing -= part.quantity
    if (missing <= 0) return true
  }
  return false
}

type Part = { readonly slot: Slot; readonly quantity: number }

/** The parts of `side` in the order in which they would be matched, if each were used up. */
function* partsInTurn(book: OrderBook, side: Side, icebergAt: IcebergAt): Generator<Part, void> {
  let level: Price | undefined
  let queued: (Iceberg & { readonly slot: Slot })[] = []
  for (const slot of book.slots(side)) {
    const price = book.price(slot)
    if (price !== level) {
      yield* nextParts(queued)
      queued = []
      level = price
    }
    yield { slot, quantity: book.remaining(slot) }
    const iceberg = icebergAt(slot)
    if (iceberg !== undefined) queued.push({ ...iceberg, slot })
  }
  yield* nextParts(queued)
}

/** The parts that come behind what one price shows: each queues up when the one before is used up. */
function* nextParts(queued: readonly (Iceberg & { readonly slot: Slot })[]): Generator<Part, void> {
  for (let turn = queued; turn.length > 0; ) {
    for (const { slot, hidden, part } of turn) yield { slot, quantity: Math.min(hidden, part) }
    turn = turn.flatMap((each) =>
      each.hidden > each.part ? { ...each, hidden: each.hidden - each.part } : [],
    )
  }
}
