/**
 * Open orders and books as bytes. An order has all its own data; a book lists the orders that rest in it, in
 * the order in which they would be matched, which is their time priority.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { AccountId, OrderNumber, SymbolId } from '../../units/ids.ts'
import { SIDES, type Side } from '../../units/order-enums.ts'
import {
  type Lots,
  lots,
  NO_LOTS,
  NO_NOTIONAL,
  type Notional,
  price,
  timeMs,
} from '../../units/quantities.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { commissionOf, commissionParts, NO_COMMISSION } from '../ledger/money.ts'
import { NO_SLOT, type Slot } from '../market/order-book.ts'
import { carriedOf } from '../trading/carried.ts'
import type { OpenOrders, Order } from '../trading/open-orders.ts'
import { PLAIN_TERMS, termsAt } from '../trading/order-terms.ts'

/** Bits of an order's presence bitmap. */
const HAS_EXECUTED = 1
/** The order's remaining quantity is not the requested minus the executed one. */
const IS_LOWERED = 2
/** The order does not rest in its book: its trigger and its optional fields are in another section. */
const IS_WAITING = 4
const PRESENCE_MAX = 7

/** In place of the slot of an order that must rest in a book that is not read yet. */
const EXPECTED_IN_BOOK = -2 as Slot

/** Other sections have the carried fields of orders. */
const NOTHING_CARRIED = carriedOf({})

/** All open orders, by number. */
export function writeOrders(w: ByteWriter, orders: OpenOrders): void {
  w.uint(orders.size)
  let last = 0
  for (const order of orders.byNumber()) {
    const { number, executedQuantity, quantity, remaining } = order
    const hasExecuted = executedQuantity > 0
    const isLowered = remaining !== quantity - executedQuantity
    const isWaiting = order.slot === NO_SLOT
    w.uint((hasExecuted ? HAS_EXECUTED : 0) | (isLowered ? IS_LOWERED : 0) | (isWaiting ? IS_WAITING : 0))
    w.uint(number - last)
    w.uint(order.time)
    w.uint(order.accountId)
    w.uint(order.symbolId * SIDES.length + SIDES.indexOf(order.side))
    w.uint(order.price)
    w.uint(quantity)
    if (isLowered) w.uint(remaining)
    if (hasExecuted) {
      w.uint(executedQuantity)
      w.whole(order.executedNotional)
      w.whole(commissionParts(order.commission))
    }
    last = number
  }
}

/** Adds the orders to a state that has none; none of them rests yet. Throws `BytesFault`. */
export function readOrders(r: ByteReader, state: ExchangeState): void {
  let last = 0
  for (let left = r.uint(); left > 0; left--) {
    const order = readOrder(r, last, state)
    last = order.number
    state.orders.add(order)
  }
}

function readOrder(r: ByteReader, last: number, state: ExchangeState): Order {
  const presence = r.uint()
  if (presence > PRESENCE_MAX) throw new BytesFault(`unknown field of an open order before byte ${r.at}`)
  const number = (last + r.uint()) as OrderNumber
  const time = timeMs(r.uint())
  const accountId = r.uint() as AccountId
  const place = r.uint()
  const limit = price(r.uint())
  const quantity = lots(r.uint())
  const lowered = presence & IS_LOWERED ? lots(r.uint()) : undefined
  const hasExecuted = (presence & HAS_EXECUTED) !== 0
  const executedQuantity = hasExecuted ? lots(r.uint()) : NO_LOTS
  const executedNotional = hasExecuted ? (r.whole() as Notional) : NO_NOTIONAL
  const commission = hasExecuted ? r.whole() : 0
  const expected = quantity - executedQuantity
  const remaining = lowered ?? (expected as Lots)
  const symbolId = Math.floor(place / SIDES.length) as SymbolId
  const isPossible =
    number > last &&
    number < state.nextOrder &&
    state.isTrader(accountId) &&
    state.market(symbolId) !== undefined &&
    (presence === IS_WAITING || (limit > 0 && remaining > 0 && (presence & IS_WAITING) === 0)) &&
    (lowered === undefined || lowered < expected) &&
    (!hasExecuted || (executedQuantity > 0 && executedNotional > 0 && commission >= 0))
  if (!isPossible) throw new BytesFault(`order ${number} before byte ${r.at} is not valid`)
  return {
    ...NOTHING_CARRIED,
    number,
    time,
    accountId,
    symbolId,
    terms: PLAIN_TERMS,
    updatedAt: time,
    side: SIDES[place % SIDES.length] as Side,
    price: limit,
    quantity,
    askedQuantity: undefined,
    remaining,
    slot: presence & IS_WAITING ? NO_SLOT : EXPECTED_IN_BOOK,
    executedQuantity,
    executedNotional,
    commission: commission > 0 ? commissionOf(commission) : NO_COMMISSION,
    stop: undefined,
    icebergQuantity: undefined,
  }
}

/** The types of open orders as placed, and the times of their last change, by number. */
export function writeTerms(w: ByteWriter, orders: OpenOrders): void {
  w.uint(orders.describedCount())
  let last = 0
  for (const { number, terms, updatedAt, time } of orders.byNumber()) {
    if (terms === PLAIN_TERMS && updatedAt === time) continue
    w.uint(number - last)
    w.uint(terms.code)
    w.uint(updatedAt - time)
    last = number
  }
}

/** Sets the types and times of orders in the state. Throws `BytesFault`. */
export function readTerms(r: ByteReader, state: ExchangeState): void {
  let last = 0
  for (let left = r.uint(); left > 0; left--) {
    const number = (last + r.uint()) as OrderNumber
    const order = state.orders.get(number)
    const terms = termsAt(r.uint())
    const after = r.uint()
    const isPossible = number > last && (terms !== PLAIN_TERMS || after > 0)
    if (order === undefined || terms === undefined || !isPossible || order.time + after > state.time) {
      throw new BytesFault(`the terms of order ${number} before byte ${r.at} are not valid`)
    }
    state.orders.describe(order, terms, timeMs(order.time + after))
    last = number
  }
}

/** For each symbol and side the numbers of the orders that rest there, in matching order. */
export function writeBooks(w: ByteWriter, { markets }: ExchangeState): void {
  for (const { book } of markets) {
    for (const side of SIDES) {
      const numbers: OrderNumber[] = []
      for (const slot of book.slots(side)) numbers.push(book.orderNumber(slot))
      w.uint(numbers.length)
      for (const number of numbers) w.uint(number)
    }
  }
}

/** Adds to each book the orders that must rest there, each once. Throws `BytesFault`. */
export function readBooks(r: ByteReader, state: ExchangeState): void {
  for (const { book, symbol } of state.markets) {
    for (const side of SIDES) {
      let before: Order | undefined
      for (let left = r.uint(); left > 0; left--) {
        const order = state.orders.get(r.uint() as OrderNumber)
        const isItsPlace =
          order?.slot === EXPECTED_IN_BOOK && order.symbolId === symbol.id && order.side === side
        if (!isItsPlace || (before !== undefined && !follows(before, order))) {
          throw new BytesFault(`order ${order?.number} in ${symbol.name} before byte ${r.at} is not valid`)
        }
        order.slot = book.add(side, order.price, order.remaining, order.accountId, order.number)
        state.orders.keep(order)
        before = order
      }
    }
  }
}

/** Throws `BytesFault` if an order rests nowhere although it must. */
export function checkPlaces(state: ExchangeState): void {
  for (const { book, symbol } of state.markets) {
    const placed = book.restingCount + state.orders.waitingCount(symbol.id)
    const missing = state.orders.countIn(symbol.id) - placed
    if (missing > 0) throw new BytesFault(`${missing} orders of ${symbol.name} are in no book`)
  }
}

/**
 * Checks price priority. Time priority is the order of writing itself: an amended order may be older than its
 * place.
 */
function follows(before: Order, after: Order): boolean {
  return before.side === 'BUY' ? before.price >= after.price : before.price <= after.price
}
