/**
 * Orders as records of append-only lists. An order is stored once, when it is placed, and enters the list of
 * its account and the symbol's part of it. The record also has the end of an order that ended with the
 * command that placed it. Every other end is in `ended`, under the order's number.
 *
 *   order   account; symbol and side; terms; given values: price, quantity, total, stop price, visible quantity,
 *           client order id, expire time, number of the key, distance; whether and how it ended
 */
import { termsAt, termsOf } from '../../../core/trading/order-terms.ts'
import type { OrderRecord } from '../../../engine/history/order-history.ts'
import { readWord, wordIndex, writeWord } from '../../../units/field-codec.ts'
import type { AccountId, KeyNumber, ListNumber, OrderNumber, SymbolId } from '../../../units/ids.ts'
import { LIST_ROLES, SIDES, type Side } from '../../../units/order-enums.ts'
import { type Amount, lots, price, type TimeMs } from '../../../units/quantities.ts'
import type { TrailingDelta } from '../../../units/trailing-delta.ts'
import { DamagedRowFault } from './check.ts'
import { readDone, writeDone } from './ended/rows.ts'
import type { ListKey, RecordKind } from './lists/record.ts'

/** The list of an account: of all its orders, or of those in one symbol. */
export function orderList(accountId: AccountId, symbolId: SymbolId | undefined): ListKey {
  return { owner: accountId, part: symbolId }
}

/** Bits of an order's flags. */
const HAS_TIME_IN_FORCE = 1
const HAS_PRICE = 2
const HAS_QUANTITY = 4
const HAS_TOTAL = 8
const HAS_ENDED = 16
const HAS_STOP_PRICE = 32
const HAS_CLIENT_ORDER_ID = 64
const HAS_ICEBERG_QUANTITY = 128
const HAS_EXPIRE_TIME = 256
const IS_IN_LIST = 512
const HAS_KEY = 1024
const HAS_TRAILING_DELTA = 2048

export const ORDERS: RecordKind<OrderRecord> = {
  word: 'order',

  headOf: ({ orderNumber, seq, time }) => ({ number: orderNumber, seq, time }),

  listsOf: ({ accountId, symbolId }) => [orderList(accountId, symbolId)],

  write(w, order) {
    const { endedAtOnce, timeInForce, quantity, total } = order
    w.uint(order.accountId)
    w.uint(order.symbolId * SIDES.length + wordIndex(SIDES, order.side))
    w.uint(termsOf(order.type, timeInForce, order.selfTradeMode).code)
    w.uint(
      (timeInForce === undefined ? 0 : HAS_TIME_IN_FORCE) |
        (order.price === undefined ? 0 : HAS_PRICE) |
        (quantity === undefined ? 0 : HAS_QUANTITY) |
        (total === undefined ? 0 : HAS_TOTAL) |
        (endedAtOnce === undefined ? 0 : HAS_ENDED) |
        (order.stopPrice === undefined ? 0 : HAS_STOP_PRICE) |
        (order.expireTime === undefined ? 0 : HAS_EXPIRE_TIME) |
        (order.icebergQuantity === undefined ? 0 : HAS_ICEBERG_QUANTITY) |
        (order.clientOrderId === undefined ? 0 : HAS_CLIENT_ORDER_ID) |
        (order.listNumber === undefined ? 0 : IS_IN_LIST) |
        (order.keyNumber === undefined ? 0 : HAS_KEY) |
        (order.trailingDelta === undefined ? 0 : HAS_TRAILING_DELTA),
    )
    if (order.price !== undefined) w.uint(order.price)
    if (quantity !== undefined) w.uint(quantity)
    if (total !== undefined) w.whole(total)
    if (order.stopPrice !== undefined) w.uint(order.stopPrice)
    if (order.icebergQuantity !== undefined) w.uint(order.icebergQuantity)
    if (order.clientOrderId !== undefined) w.text(order.clientOrderId)
    if (order.expireTime !== undefined) w.uint(order.expireTime)
    if (order.listNumber !== undefined) {
      w.uint(order.listNumber)
      writeWord(w, LIST_ROLES, order.listRole ?? 'ABOVE')
    }
    if (order.keyNumber !== undefined) w.uint(order.keyNumber)
    if (order.trailingDelta !== undefined) w.uint(order.trailingDelta)
    if (endedAtOnce !== undefined) writeDone(w, endedAtOnce)
  },

  read(r, { number, seq, time }) {
    const accountId = r.uint() as AccountId
    const symbolAndSide = r.uint()
    const code = r.uint()
    const terms = termsAt(code)
    if (terms?.selfTradeMode === undefined) throw new DamagedRowFault(`terms ${code} of an order are unknown`)
    const has = r.uint()
    return {
      seq,
      time,
      accountId,
      symbolId: Math.floor(symbolAndSide / SIDES.length) as SymbolId,
      orderNumber: number as OrderNumber,
      side: SIDES[symbolAndSide % SIDES.length] as Side,
      type: terms.type,
      timeInForce: has & HAS_TIME_IN_FORCE ? terms.timeInForce : undefined,
      price: has & HAS_PRICE ? price(r.uint()) : undefined,
      quantity: has & HAS_QUANTITY ? lots(r.uint()) : undefined,
      total: has & HAS_TOTAL ? (r.whole() as Amount) : undefined,
      stopPrice: has & HAS_STOP_PRICE ? price(r.uint()) : undefined,
      icebergQuantity: has & HAS_ICEBERG_QUANTITY ? lots(r.uint()) : undefined,
      selfTradeMode: terms.selfTradeMode,
      clientOrderId: has & HAS_CLIENT_ORDER_ID ? r.text() : undefined,
      expireTime: has & HAS_EXPIRE_TIME ? (r.uint() as TimeMs) : undefined,
      listNumber: has & IS_IN_LIST ? (r.uint() as ListNumber) : undefined,
      listRole: has & IS_IN_LIST ? readWord(r, LIST_ROLES) : undefined,
      keyNumber: has & HAS_KEY ? (r.uint() as KeyNumber) : undefined,
      trailingDelta: has & HAS_TRAILING_DELTA ? (r.uint() as TrailingDelta) : undefined,
      endedAtOnce: has & HAS_ENDED ? { seq, time, ...readDone(r) } : undefined,
    }
  },
}
