/**
 * A new order as bytes. The codec is written by hand, since new orders are most of the journal and are
 * written and read at the exchange's full rate; an order takes some fifteen bytes. The rules of these formats
 * are in `row.ts` and `command-codec.ts`.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readWord, wordAt, wordIndex, writeWord } from '../../units/field-codec.ts'
import type { AccountId, KeyNumber, SessionNumber, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import {
  isStopType,
  ORDER_TYPES,
  type OrderType,
  SELF_TRADE_MODES,
  SIDES,
  type Side,
  type StopType,
  TIMES_IN_FORCE,
  type TimeInForce,
} from '../../units/order-enums.ts'
import type { Amount, Lots, Price, TimeMs } from '../../units/quantities.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import type * as C from './orders.ts'

/**
 * Bits of a new order's presence bitmap, one for each field that may be absent, in the order of the fields.
 */
const HAS_PRICE = 1
const HAS_QUANTITY = 2
const HAS_TOTAL = 4
const HAS_SELF_TRADE_MODE = 8
const HAS_CLIENT_ORDER_ID = 16
const HAS_STOP_PRICE = 32
const HAS_EXPIRE_TIME = 64
const HAS_ICEBERG_QUANTITY = 128
const HAS_SESSION = 256
const HAS_TRAILING_DELTA = 512
const PRESENCE_KNOWN = 1023

/**
 * One byte holds a new order's words: side in bit 0, type in bits 1 to 3, time in force in bits 4 and 5 (of
 * orders with a limit that may take liquidity; else 0), and in bit 6 whether the order has a key number.
 */
const TYPE_SHIFT = 1
const TYPE_MASK = 7
const TIME_IN_FORCE_SHIFT = 4
const TIME_IN_FORCE_MASK = 3
const HAS_KEY = 64
const WORDS_KNOWN = 127
invariant(
  SIDES.length <= 1 << TYPE_SHIFT &&
    ORDER_TYPES.length <= TYPE_MASK + 1 &&
    TIMES_IN_FORCE.length <= TIME_IN_FORCE_MASK + 1,
  'sides, order types and times in force must fit their bits: a longer list needs a new command code',
)

export function writePlaceOrder(w: ByteWriter, c: C.PlaceOrder): void {
  w.uint(
    (c.price === undefined ? 0 : HAS_PRICE) |
      (c.quantity === undefined ? 0 : HAS_QUANTITY) |
      (c.total === undefined ? 0 : HAS_TOTAL) |
      (c.selfTradeMode === undefined ? 0 : HAS_SELF_TRADE_MODE) |
      (c.clientOrderId === undefined ? 0 : HAS_CLIENT_ORDER_ID) |
      (c.stopPrice === undefined ? 0 : HAS_STOP_PRICE) |
      (c.expireTime === undefined ? 0 : HAS_EXPIRE_TIME) |
      (c.icebergQuantity === undefined ? 0 : HAS_ICEBERG_QUANTITY) |
      (c.sessionNumber === undefined ? 0 : HAS_SESSION) |
      (c.trailingDelta === undefined ? 0 : HAS_TRAILING_DELTA),
  )
  w.uint(
    wordIndex(SIDES, c.side) |
      (wordIndex(ORDER_TYPES, c.type) << TYPE_SHIFT) |
      (c.timeInForce === undefined ? 0 : wordIndex(TIMES_IN_FORCE, c.timeInForce) << TIME_IN_FORCE_SHIFT) |
      (c.keyNumber === undefined ? 0 : HAS_KEY),
  )
  w.uint(c.accountId)
  w.uint(c.symbolId)
  if (c.keyNumber !== undefined) w.uint(c.keyNumber)
  if (c.price !== undefined) w.uint(c.price)
  if (c.quantity !== undefined) w.uint(c.quantity)
  if (c.total !== undefined) w.whole(c.total)
  if (c.selfTradeMode !== undefined) writeWord(w, SELF_TRADE_MODES, c.selfTradeMode)
  if (c.clientOrderId !== undefined) w.text(c.clientOrderId)
  if (c.stopPrice !== undefined) w.uint(c.stopPrice)
  if (c.expireTime !== undefined) w.uint(c.expireTime)
  if (c.icebergQuantity !== undefined) w.uint(c.icebergQuantity)
  if (c.sessionNumber !== undefined) w.uint(c.sessionNumber)
  if (c.trailingDelta !== undefined) w.uint(c.trailingDelta)
}

export function readPlaceOrder(r: ByteReader): C.PlaceOrder {
  const presence = r.uint()
  if ((presence & ~PRESENCE_KNOWN) !== 0 || presence > PRESENCE_KNOWN) {
    throw new BytesFault(`unknown field of an order before byte ${r.at}: presence ${presence}`)
  }
  const words = r.uint()
  if (words > WORDS_KNOWN) throw new BytesFault(`unknown words of an order before byte ${r.at}: ${words}`)
  const side = wordAt(r, SIDES, words & 1)
  const type = wordAt(r, ORDER_TYPES, (words >>> TYPE_SHIFT) & TYPE_MASK)
  const timeInForce = wordAt(r, TIMES_IN_FORCE, (words >>> TIME_IN_FORCE_SHIFT) & TIME_IN_FORCE_MASK)
  const accountId = r.uint() as AccountId
  const symbolId = r.uint() as SymbolId
  const keyNumber = words & HAS_KEY ? (r.uint() as KeyNumber) : undefined
  const price = presence & HAS_PRICE ? (r.uint() as Price) : undefined
  const quantity = presence & HAS_QUANTITY ? (r.uint() as Lots) : undefined
  const total = presence & HAS_TOTAL ? (r.whole() as Amount) : undefined
  const selfTradeMode = presence & HAS_SELF_TRADE_MODE ? readWord(r, SELF_TRADE_MODES) : undefined
  const clientOrderId = presence & HAS_CLIENT_ORDER_ID ? r.text() : undefined
  const stopPrice = presence & HAS_STOP_PRICE ? (r.uint() as Price) : undefined
  const expireTime = presence & HAS_EXPIRE_TIME ? (r.uint() as TimeMs) : undefined
  // Most commands of every journal are new orders, so the object is created in one literal: spreading parts
  // into it takes a microsecond.
  const isPlain = type === 'LIMIT' && timeInForce !== 'GTD' && (presence & ~HAS_SESSION) < HAS_STOP_PRICE
  if (isPlain && price !== undefined && quantity !== undefined) {
    const kind = 'PlaceOrder'
    const order: C.PlaceOrder = {
      kind,
      accountId,
      symbolId,
      selfTradeMode,
      clientOrderId,
      type,
      side,
      timeInForce,
      price,
      quantity,
      total,
      keyNumber,
    }
    return presence & HAS_SESSION ? { ...order, sessionNumber: r.uint() as SessionNumber } : order
  }
  const icebergQuantity = presence & HAS_ICEBERG_QUANTITY ? (r.uint() as Lots) : undefined
  const sessionNumber = presence & HAS_SESSION ? (r.uint() as SessionNumber) : undefined
  const trailingDelta = presence & HAS_TRAILING_DELTA ? (r.uint() as TrailingDelta) : undefined
  const head = { kind: 'PlaceOrder', accountId, symbolId, selfTradeMode, clientOrderId, keyNumber } as const
  const asked = { price, quantity, total, stopPrice, trailingDelta, icebergQuantity, expireTime }
  const figures = orderFiguresOf({ type, side, timeInForce, ...asked })
  if (figures !== undefined) {
    const order: C.PlaceOrder = { ...head, ...figures }
    return sessionNumber === undefined ? order : { ...order, sessionNumber }
  }
  throw new BytesFault(
    `impossible fields of an order before byte ${r.at}: presence ${presence}, words ${words}`,
  )
}

/** The figures of an order as they were read, including undefined ones. */
type ReadFigures = {
  readonly type: OrderType
  readonly side: Side
  readonly timeInForce: TimeInForce
  readonly price: Price | undefined
  readonly quantity: Lots | undefined
  readonly total: Amount | undefined
  readonly stopPrice: Price | undefined
  readonly trailingDelta: TrailingDelta | undefined
  readonly icebergQuantity: Lots | undefined
  readonly expireTime: TimeMs | undefined
}

/** Undefined if no type has such figures. */
export function orderFiguresOf(read: ReadFigures): C.OrderFigures | undefined {
  const { type, timeInForce, stopPrice, trailingDelta, expireTime } = read
  if ((timeInForce === 'GTD') !== (expireTime !== undefined)) return undefined
  const trigger = triggerOf(stopPrice, trailingDelta)
  if (isStopType(type)) return trigger === undefined ? undefined : stopFiguresOf(read, type, trigger)
  return trigger === undefined ? immediateFiguresOf(read, type) : undefined
}

function immediateFiguresOf(
  { side, timeInForce, price, quantity, total, icebergQuantity, expireTime }: ReadFigures,
  type: Exclude<OrderType, StopType>,
): C.OrderFigures | undefined {
  const isTimeless = timeInForce === 'GTC'
  const isWhole = icebergQuantity === undefined
  switch (type) {
    case 'LIMIT':
      if (price === undefined || quantity === undefined) return undefined
      if (!isWhole && !isTimeless && timeInForce !== 'GTD') return undefined
      return { type, side, timeInForce, price, quantity, total, icebergQuantity, ...ending(expireTime) }
    case 'LIMIT_MAKER':
      if (price === undefined || quantity === undefined || !isTimeless) return undefined
      return { type, side, price, quantity, total, icebergQuantity }
    case 'MARKET':
      if (price !== undefined || !isTimeless || !isWhole) return undefined
      if (side === 'BUY' && total !== undefined) return { type, side, total, quantity }
      return quantity === undefined ? undefined : { type, side, quantity, total }
  }
}

function stopFiguresOf(
  { side, timeInForce, price, quantity, total, icebergQuantity, expireTime }: ReadFigures,
  type: StopType,
  trigger: C.OrderTrigger,
): C.OrderFigures | undefined {
  if (icebergQuantity !== undefined) return undefined
  switch (type) {
    case 'STOP_LOSS_LIMIT':
    case 'TAKE_PROFIT_LIMIT':
      if (price === undefined || quantity === undefined) return undefined
      return { type, side, timeInForce, price, quantity, total, ...trigger, ...ending(expireTime) }
    case 'STOP_LOSS':
    case 'TAKE_PROFIT':
      if (price !== undefined || timeInForce !== 'GTC') return undefined
      if (side === 'BUY') return total === undefined ? undefined : { type, side, total, quantity, ...trigger }
      return quantity === undefined || total !== undefined ? undefined : { type, side, quantity, ...trigger }
  }
}

/** The trigger of an order; undefined if it waits for none. */
export function triggerOf(
  stopPrice: Price | undefined,
  trailingDelta: TrailingDelta | undefined,
): C.OrderTrigger | undefined {
  if (trailingDelta !== undefined) return { stopPrice, trailingDelta }
  return stopPrice === undefined ? undefined : { stopPrice }
}

/** The field of an order that ends at a given time. */
function ending(expireTime: TimeMs | undefined): Pick<C.LimitOrder, 'expireTime'> {
  return expireTime === undefined ? {} : { expireTime }
}
