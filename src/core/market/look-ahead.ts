/**
 * The outcome that an arriving order would have, without matching it. It is for orders that are refused if
 * they would not be filled completely (fill-or-kill), if they would be filled at all (post-only), or if they
 * would cost more than the account has free (bought by quantity). Read-only.
 */
import { notionalSum, worthOf } from '../../units/notional.ts'
import type { Side } from '../../units/order-enums.ts'
import { type Lots, NO_NOTIONAL, type Notional, type Price } from '../../units/quantities.ts'
import { isWorse, type Taker } from './matching.ts'
import { NO_SLOT, type OrderBook, type Slot } from './order-book.ts'

/** A taker that is limited by its quantity. */
export type QuantityTaker = Taker & { readonly quantity: Lots }

/** A taker that must be filled completely. */
export type WholeTaker = QuantityTaker & { readonly limit: Price }

/** A taker that must not match any order. */
export type PassiveTaker = Pick<Taker, 'side' | 'stepsMax' | 'hasEnded'> & { readonly limit: Price }

/**
 * Whether an order would match a resting order, of any account, that has not ended. Also true if it would
 * pass as many ended orders as it may examine, since it would not rest then either.
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

/** The hidden part of an order: `hidden` lots, shown in parts of `part`. Both at least 1. */
export type Iceberg = { readonly hidden: number; readonly part: number }

/** Returns the hidden part of the order in a slot; undefined if it has none. */
export type IcebergAt = (slot: Slot) => Iceberg | undefined

/**
 * Whether `match` would execute the taker's whole quantity, including hidden parts. The taker's own orders do
 * not count if EXPIRE_MAKER removes them, and end it in every other mode except NONE; ended orders never
 * count. Reads no more parts than matching would.
 */
export function isFillable(book: OrderBook, taker: WholeTaker, icebergAt?: IcebergAt): boolean {
  let missing: number = taker.quantity
  for (const { isOver, isOwn, quantity } of metBy(book, taker, icebergAt)) {
    if (isOver) continue
    if (isOwn && taker.selfTradeMode !== 'EXPIRE_MAKER') return false
    if (!isOwn) missing -= quantity
    if (missing <= 0) return true
  }
  return false
}

/**
 * The value of everything that `match` would execute of the taker's quantity, including hidden parts of
 * orders. Reads no more parts than matching would. For a taker without a budget.
 */
export function worthInReach(book: OrderBook, taker: QuantityTaker, icebergAt?: IcebergAt): Notional {
  const { selfTradeMode } = taker
  let left = taker.quantity
  let worth = NO_NOTIONAL
  for (const { isOver, isOwn, quantity, price } of metBy(book, taker, icebergAt)) {
    if (isOver || (isOwn && selfTradeMode === 'EXPIRE_MAKER')) continue
    if (isOwn && selfTradeMode !== 'DECREMENT') break
    const taken = Math.min(left, quantity) as Lots
    if (!isOwn) worth = notionalSum(worth, worthOf(price, taken))
    left = (left - taken) as Lots
    if (left === 0) break
  }
  return worth
}

/**
 * A part of a resting order that an arriving order would reach. `isOver`: whether the resting order has
 * ended.
 */
type Meeting = {
  readonly price: Price
  readonly quantity: Lots
  readonly isOver: boolean
  readonly isOwn: boolean
}

/**
 * The parts that `taker` would reach, one after another, until its limit price or its maximum number of
 * steps.
 */
function* metBy(
  book: OrderBook,
  { side, owner, limit, selfTradeMode, stepsMax, hasEnded }: QuantityTaker,
  icebergAt: IcebergAt = () => undefined,
): Generator<Meeting, void> {
  const makerSide = side === 'BUY' ? 'SELL' : 'BUY'
  const owns = (slot: Slot): boolean => selfTradeMode !== 'NONE' && book.owner(slot) === owner
  const hasLeft = (slot: Slot): boolean => hasEnded?.(book.orderNumber(slot)) === true
  // An order that would be removed is reached once, with its whole hidden part.
  const leaves = (slot: Slot): boolean => hasLeft(slot) || (owns(slot) && selfTradeMode !== 'DECREMENT')
  let steps = 0
  for (const { slot, quantity } of partsInTurn(book, makerSide, (at) =>
    leaves(at) ? undefined : icebergAt(at),
  )) {
    const price = book.price(slot)
    const isBeyond = limit !== undefined && isWorse(price, limit, makerSide)
    if (isBeyond || steps === stepsMax) return
    steps++
    yield { price, quantity, isOver: hasLeft(slot), isOwn: owns(slot) }
  }
}

type Part = { readonly slot: Slot; readonly quantity: Lots }

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

/** The parts that follow the shown ones at one price: each queues up when the previous one is used up. */
function* nextParts(queued: readonly (Iceberg & { readonly slot: Slot })[]): Generator<Part, void> {
  for (let turn = queued; turn.length > 0; ) {
    for (const { slot, hidden, part } of turn) yield { slot, quantity: Math.min(hidden, part) as Lots }
    turn = turn.flatMap((each) =>
      each.hidden > each.part ? { ...each, hidden: each.hidden - each.part } : [],
    )
  }
}
