/**
 * What would become of an arriving order, without matching it: for orders that are refused when it would not be all
 * (fill-or-kill), or when it would be anything (post-only). It only looks.
 */
import type { Side } from '../../units/order-words.ts'
import type { Price } from '../../units/quantities.ts'
import { isWorse, type Taker } from './matching.ts'
import { NO_SLOT, type OrderBook } from './order-book.ts'

/** A taker that is to be filled in full. */
export type WholeTaker = Taker & { readonly limit: Price; readonly quantity: number }

/** Whether an order of `side` at `limit` would meet any resting order, whoever owns it. */
export function wouldTake(book: OrderBook, side: Side, limit: Price): boolean {
  const makerSide = side === 'BUY' ? 'SELL' : 'BUY'
  const slot = book.best(makerSide)
  return slot !== NO_SLOT && !isWorse(book.price(slot), limit, makerSide)
}

/**
 * Whether `match` would execute the taker's whole quantity: own orders do not count where it takes them out
 * (EXPIRE_MAKER), and end it in every other mode but NONE. Looks at no more orders than matching would meet.
 */
export function isFillable(
  book: OrderBook,
  { side, owner, limit, quantity, selfTradeMode, stepsMax }: WholeTaker,
): boolean {
  const makerSide = side === 'BUY' ? 'SELL' : 'BUY'
  let missing: number = quantity
  let steps = 0
  for (const slot of book.slots(makerSide)) {
    if (isWorse(book.price(slot), limit, makerSide) || steps === stepsMax) return false
    steps++
    const isOwn = selfTradeMode !== 'NONE' && book.owner(slot) === owner
    if (isOwn && selfTradeMode !== 'EXPIRE_MAKER') return false
    if (!isOwn) missing -= book.remaining(slot)
    if (missing <= 0) return true
  }
  return false
}
