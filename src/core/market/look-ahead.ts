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

/** Whether an order of `side` at `limit` would meet any resting order, whoever owns it. */
export function wouldTake(book: OrderBook, side: Side, limit: Price): boolean {
  const makerSide = side === 'BUY' ? 'SELL' : 'BUY'
  const slot = book.best(makerSide)
  return slot !== NO_SLOT && !isWorse(book.price(slot), limit, makerSide)
}

/** What an order has beside the part that its book shows: `hidden` lots, of which `part` at a time are shown. Both at least 1. */
export type Iceberg = { readonly hidden: number; readonly part: number }

/** Says of a slot what its order hides; undefined: nothing. */
export type IcebergAt = (slot: Slot) => Iceberg | undefined

/**
 * Whether `match` would execute the taker's whole quantity, what orders hide included: own orders do not count where it takes
 * them out (EXPIRE_MAKER), and end it in every other mode but NONE. Looks at no more parts than matching would meet.
 */
export function isFillable(
  book: OrderBook,
  { side, owner, limit, quantity, selfTradeMode, stepsMax }: WholeTaker,
  icebergAt: IcebergAt = () => undefined,
): boolean {
  const makerSide = side === 'BUY' ? 'SELL' : 'BUY'
  const owns = (slot: Slot): boolean => selfTradeMode !== 'NONE' && book.owner(slot) === owner
  let missing: number = quantity
  let steps = 0
  // An own order is met once: it leaves with all that it hides.
  for (const part of partsInTurn(book, makerSide, (slot) => (owns(slot) ? undefined : icebergAt(slot)))) {
    if (isWorse(book.price(part.slot), limit, makerSide) || steps === stepsMax) return false
    steps++
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
