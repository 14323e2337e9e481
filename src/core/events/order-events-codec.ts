/**
 * The beginning and the end of an order as bytes, which no shape describes. The rules of these formats are in
 * `event-codec.ts`.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readWord, writeWord } from '../../units/field-codec.ts'
import type { AccountId, KeyNumber, ListNumber, OrderNumber, SymbolId } from '../../units/ids.ts'
import { LIST_ROLES, SIDES } from '../../units/order-enums.ts'
import type { Amount, Lots, Price, TimeMs } from '../../units/quantities.ts'
import { CORE_REASONS } from '../../units/reasons.ts'
import { object } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import { termsAt, termsOf } from '../trading/order-terms.ts'
import type * as E from './event.ts'
import { CANCELED } from './event.ts'

/** Bits for the given fields. */
const HAS_TIME_IN_FORCE = 1
const HAS_PRICE = 2
const HAS_QUANTITY = 4
const HAS_TOTAL = 8
const HAS_STOP_PRICE = 16
const HAS_CLIENT_ORDER_ID = 32
const HAS_EXPIRE_TIME = 64
const HAS_ICEBERG_QUANTITY = 128
const IS_IN_LIST = 256
const HAS_KEY = 512
const HAS_TRAILING_DELTA = 1024
const HAS_KNOWN = 2047

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
      (e.inList === undefined ? 0 : IS_IN_LIST) |
      (e.keyNumber === undefined ? 0 : HAS_KEY) |
      (e.trailingDelta === undefined ? 0 : HAS_TRAILING_DELTA),
  )
  if (e.keyNumber !== undefined) w.uint(e.keyNumber)
  if (e.price !== undefined) w.uint(e.price)
  if (e.quantity !== undefined) w.uint(e.quantity)
  if (e.total !== undefined) w.whole(e.total)
  if (e.stopPrice !== undefined) w.uint(e.stopPrice)
  if (e.trailingDelta !== undefined) w.uint(e.trailingDelta)
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
    keyNumber: has & HAS_KEY ? (r.uint() as KeyNumber) : undefined,
    time,
    side,
    type,
    timeInForce: hasTime ? terms.timeInForce : undefined,
    price: has & HAS_PRICE ? (r.uint() as Price) : undefined,
    quantity: has & HAS_QUANTITY ? (r.uint() as Lots) : undefined,
    total: has & HAS_TOTAL ? (r.whole() as Amount) : undefined,
    stopPrice: has & HAS_STOP_PRICE ? (r.uint() as Price) : undefined,
    trailingDelta: has & HAS_TRAILING_DELTA ? (r.uint() as TrailingDelta) : undefined,
    expireTime: has & HAS_EXPIRE_TIME ? (r.uint() as TimeMs) : undefined,
    icebergQuantity: has & HAS_ICEBERG_QUANTITY ? (r.uint() as Lots) : undefined,
    selfTradeMode,
    clientOrderId: has & HAS_CLIENT_ORDER_ID ? r.text() : undefined,
    inList:
      has & IS_IN_LIST ? { listNumber: r.uint() as ListNumber, role: readWord(r, LIST_ROLES) } : undefined,
  }
}

const CANCELED_CODEC = byteCodec(object(CANCELED))

export function writeOrderCanceled(w: ByteWriter, e: E.OrderCanceled): void {
  CANCELED_CODEC.write(w, e)
  if (hasReason(e.cause)) writeWord(w, CORE_REASONS, e.reason ?? 'INTERNAL_ERROR')
}

export function readOrderCanceled(r: ByteReader): E.OrderCanceled {
  const canceled = CANCELED_CODEC.read(r)
  if (!hasReason(canceled.cause)) return { kind: 'OrderCanceled', ...canceled }
  return { kind: 'OrderCanceled', ...canceled, reason: readWord(r, CORE_REASONS) }
}

/** Whether an end with this cause has the reason of the refusal. */
function hasReason(cause: E.CancelCause): boolean {
  return cause === 'TRIGGER_REFUSED' || cause === 'PENDING_REFUSED'
}
