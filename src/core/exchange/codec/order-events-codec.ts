/** Events of orders, their trades and the levels of the book, as bytes. The rules of these formats stand in `event-codec.ts`. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../../units/bytes.ts'
import { readWord, writeWord } from '../../../units/field-codec.ts'
import type { AccountId, ListNumber, OrderNumber, SymbolId, TradeNumber } from '../../../units/ids.ts'
import { LIST_ROLES, SIDES } from '../../../units/order-words.ts'
import type { Amount, Lots, Price, TimeMs } from '../../../units/quantities.ts'
import { CORE_REASONS } from '../../../units/reasons.ts'
import type * as E from '../event.ts'
import { CANCEL_CAUSES } from '../event.ts'
import { termsAt, termsOf } from '../trading/order-terms.ts'

/** Bits of what was asked for. */
const HAS_TIME_IN_FORCE = 1
const HAS_PRICE = 2
const HAS_QUANTITY = 4
const HAS_TOTAL = 8
const HAS_STOP_PRICE = 16
const HAS_CLIENT_ORDER_ID = 32
const HAS_EXPIRE_TIME = 64
const HAS_ICEBERG_QUANTITY = 128
const IS_IN_LIST = 256
const HAS_KNOWN = 511

export function writeOrderPlaced(w: ByteWriter, e: E.OrderPlaced): void {
  w.uint(e.symbolId)
  w.uint(e.accountId)
  w.uint(e.orderNumber)
  w.uint(e.time)
  writeWord(w, SIDES, e.side)
  w.uint(termsOf(e.type, e.timeInForce, e.selfTradeMode).code)
  w.uint(
    (e.timeInForce === undefined ? 0 : HAS_TIME_IN_FORCE) |
      (e.price === undefined ? 0 : HAS_PRICE) |
      (e.quantity === undefined ? 0 : HAS_QUANTITY) |
      (e.total === undefined ? 0 : HAS_TOTAL) |
      (e.stopPrice === undefined ? 0 : HAS_STOP_PRICE) |
      (e.expireTime === undefined ? 0 : HAS_EXPIRE_TIME) |
      (e.icebergQuantity === undefined ? 0 : HAS_ICEBERG_QUANTITY) |
      (e.clientOrderId === undefined ? 0 : HAS_CLIENT_ORDER_ID) |
      (e.inList === undefined ? 0 : IS_IN_LIST),
  )
  if (e.price !== undefined) w.uint(e.price)
  if (e.quantity !== undefined) w.uint(e.quantity)
  if (e.total !== undefined) w.whole(e.total)
  if (e.stopPrice !== undefined) w.uint(e.stopPrice)
  if (e.expireTime !== undefined) w.uint(e.expireTime)
  if (e.icebergQuantity !== undefined) w.uint(e.icebergQuantity)
  if (e.clientOrderId !== undefined) w.text(e.clientOrderId)
  if (e.inList !== undefined) {
    w.uint(e.inList.listNumber)
    writeWord(w, LIST_ROLES, e.inList.role)
  }
}

export function readOrderPlaced(r: ByteReader): E.OrderPlaced {
  const symbolId = r.uint() as SymbolId
  const accountId = r.uint() as AccountId
  const orderNumber = r.uint() as OrderNumber
  const time = r.uint() as TimeMs
  const side = readWord(r, SIDES)
  const terms = termsAt(r.uint())
  const has = r.uint()
  const hasTime = (has & HAS_TIME_IN_FORCE) !== 0
  const isKnown = has <= HAS_KNOWN && (has & ~HAS_KNOWN) === 0 && (hasTime || terms?.timeInForce === 'GTC')
  if (terms?.selfTradeMode === undefined || !isKnown) {
    throw new BytesFault(`unknown terms of an order before byte ${r.at}`)
  }
  const { type, selfTradeMode } = terms
  return {
    kind: 'OrderPlaced',
    symbolId,
    accountId,
    orderNumber,
    time,
    side,
    type,
    timeInForce: hasTime ? terms.timeInForce : undefined,
    price: has & HAS_PRICE ? (r.uint() as Price) : undefined,
    quantity: has & HAS_QUANTITY ? (r.uint() as Lots) : undefined,
    total: has & HAS_TOTAL ? (r.whole() as Amount) : undefined,
    stopPrice: has & HAS_STOP_PRICE ? (r.uint() as Price) : undefined,
    expireTime: has & HAS_EXPIRE_TIME ? (r.uint() as TimeMs) : undefined,
    icebergQuantity: has & HAS_ICEBERG_QUANTITY ? (r.uint() as Lots) : undefined,
    selfTradeMode,
    clientOrderId: has & HAS_CLIENT_ORDER_ID ? r.text() : undefined,
    inList:
      has & IS_IN_LIST ? { listNumber: r.uint() as ListNumber, role: readWord(r, LIST_ROLES) } : undefined,
  }
}

export function writeOrderTriggered(w: ByteWriter, e: E.OrderTriggered): void {
  w.uint(e.symbolId)
  w.uint(e.accountId)
  w.uint(e.orderNumber)
  w.uint(e.time)
  writeWord(w, SIDES, e.side)
}

export function readOrderTriggered(r: ByteReader): E.OrderTriggered {
  return {
    kind: 'OrderTriggered',
    symbolId: r.uint() as SymbolId,
    accountId: r.uint() as AccountId,
    orderNumber: r.uint() as OrderNumber,
    time: r.uint() as TimeMs,
    side: readWord(r, SIDES),
  }
}

export function writeOrderActivated(w: ByteWriter, e: E.OrderActivated): void {
  w.uint(e.symbolId)
  w.uint(e.accountId)
  w.uint(e.orderNumber)
  w.uint(e.time)
  writeWord(w, SIDES, e.side)
  w.bool(e.quantity !== undefined)
  if (e.quantity !== undefined) w.uint(e.quantity)
  w.bool(e.total !== undefined)
  if (e.total !== undefined) w.whole(e.total)
}

export function readOrderActivated(r: ByteReader): E.OrderActivated {
  return {
    kind: 'OrderActivated',
    symbolId: r.uint() as SymbolId,
    accountId: r.uint() as AccountId,
    orderNumber: r.uint() as OrderNumber,
    time: r.uint() as TimeMs,
    side: readWord(r, SIDES),
    quantity: r.bool() ? (r.uint() as Lots) : undefined,
    total: r.bool() ? (r.whole() as Amount) : undefined,
  }
}

export function writeOrderCanceled(w: ByteWriter, e: E.OrderCanceled): void {
  writeOrderLowered(w, e)
  writeWord(w, CANCEL_CAUSES, e.cause)
  if (hasReason(e.cause)) writeWord(w, CORE_REASONS, e.reason ?? 'INTERNAL_ERROR')
}

export function readOrderCanceled(r: ByteReader): E.OrderCanceled {
  const lowered = readOrderLowered(r)
  const cause = readWord(r, CANCEL_CAUSES)
  if (!hasReason(cause)) return { ...lowered, kind: 'OrderCanceled', cause }
  return { ...lowered, kind: 'OrderCanceled', cause, reason: readWord(r, CORE_REASONS) }
}

/** Whether an end of this cause says why the order was not taken. */
function hasReason(cause: E.CancelCause): boolean {
  return cause === 'TRIGGER_REFUSED' || cause === 'PENDING_REFUSED'
}

export function writeOrdersMatched(w: ByteWriter, e: E.OrdersMatched): void {
  w.uint(e.symbolId)
  w.uint(e.tradeNumber)
  w.uint(e.time)
  w.uint(e.price)
  w.uint(e.quantity)
  writeWord(w, SIDES, e.takerSide)
  writeParty(w, e.maker)
  writeParty(w, e.taker)
}

export function readOrdersMatched(r: ByteReader): E.OrdersMatched {
  return {
    kind: 'OrdersMatched',
    symbolId: r.uint() as SymbolId,
    tradeNumber: r.uint() as TradeNumber,
    time: r.uint() as TimeMs,
    price: r.uint() as Price,
    quantity: r.uint() as Lots,
    takerSide: readWord(r, SIDES),
    maker: readParty(r),
    taker: readParty(r),
  }
}

function writeParty(w: ByteWriter, party: E.TradeParty): void {
  w.uint(party.accountId)
  w.uint(party.orderNumber)
  w.uint(party.orderTime)
  w.whole(party.total)
  w.whole(party.commission)
}

function readParty(r: ByteReader): E.TradeParty {
  return {
    accountId: r.uint() as AccountId,
    orderNumber: r.uint() as OrderNumber,
    orderTime: r.uint() as TimeMs,
    total: r.whole() as Amount,
    commission: r.whole() as Amount,
  }
}

export function writeLevelChanged(w: ByteWriter, e: E.LevelChanged): void {
  w.uint(e.symbolId)
  writeWord(w, SIDES, e.side)
  w.uint(e.price)
  w.bigint(e.quantity)
}

export function readLevelChanged(r: ByteReader): E.LevelChanged {
  return {
    kind: 'LevelChanged',
    symbolId: r.uint() as SymbolId,
    side: readWord(r, SIDES),
    price: r.uint() as Price,
    quantity: r.bigint(),
  }
}

/** What an order's end, its lowering by self-trade prevention and its amendment have in common. */
export function writeOrderLowered(
  w: ByteWriter,
  e: E.OrderCanceled | E.OrderDecremented | E.OrderAmended,
): void {
  w.uint(e.symbolId)
  w.uint(e.accountId)
  w.uint(e.orderNumber)
  writeWord(w, SIDES, e.side)
  w.uint(e.quantity)
}

export function readOrderLowered(r: ByteReader): Omit<E.OrderDecremented, 'kind'> {
  return {
    symbolId: r.uint() as SymbolId,
    accountId: r.uint() as AccountId,
    orderNumber: r.uint() as OrderNumber,
    side: readWord(r, SIDES),
    quantity: r.uint() as Lots,
  }
}
