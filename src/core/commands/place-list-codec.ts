/**
 * The command that places a list of orders as bytes. The rules of these formats are in `command-codec.ts`.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readWord, writeWord } from '../../units/field-codec.ts'
import type { AccountId, KeyNumber, SessionNumber, SymbolId } from '../../units/ids.ts'
import {
  LIST_KINDS,
  ORDER_TYPES,
  ROLES_BY_KIND,
  SELF_TRADE_MODES,
  SIDES,
  TIMES_IN_FORCE,
} from '../../units/order-enums.ts'
import type { Amount, Lots, Price } from '../../units/quantities.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import type * as C from './order-lists.ts'

/** Bits of a list's presence bitmap. */
const HAS_SELF_TRADE_MODE = 1
const HAS_LIST_ID = 2
const HAS_SESSION = 4
const HAS_KEY = 8
const LIST_MAX = 15

/** Bits of an order's presence bitmap. */
const HAS_PRICE = 1
const HAS_QUANTITY = 2
const HAS_TOTAL = 4
const HAS_STOP_PRICE = 8
const HAS_CLIENT_ORDER_ID = 16
const HAS_TIME_IN_FORCE = 32
const HAS_TRAILING_DELTA = 64
const LEG_MAX = 127

export function writePlaceList(w: ByteWriter, c: C.PlaceList): void {
  writeWord(w, LIST_KINDS, c.list)
  w.uint(
    (c.selfTradeMode === undefined ? 0 : HAS_SELF_TRADE_MODE) |
      (c.listClientOrderId === undefined ? 0 : HAS_LIST_ID) |
      (c.sessionNumber === undefined ? 0 : HAS_SESSION) |
      (c.keyNumber === undefined ? 0 : HAS_KEY),
  )
  w.uint(c.accountId)
  w.uint(c.symbolId)
  if (c.selfTradeMode !== undefined) writeWord(w, SELF_TRADE_MODES, c.selfTradeMode)
  if (c.listClientOrderId !== undefined) w.text(c.listClientOrderId)
  if (c.sessionNumber !== undefined) w.uint(c.sessionNumber)
  if (c.keyNumber !== undefined) w.uint(c.keyNumber)
  for (const leg of c.legs) writeLeg(w, leg)
}

export function readPlaceList(r: ByteReader): C.PlaceList {
  const list = readWord(r, LIST_KINDS)
  const presence = r.uint()
  if (presence > LIST_MAX) {
    throw new BytesFault(`unknown field of an order list before byte ${r.at}: presence ${presence}`)
  }
  const accountId = r.uint() as AccountId
  const symbolId = r.uint() as SymbolId
  const selfTradeMode = presence & HAS_SELF_TRADE_MODE ? readWord(r, SELF_TRADE_MODES) : undefined
  const listClientOrderId = presence & HAS_LIST_ID ? r.text() : undefined
  const session = presence & HAS_SESSION ? { sessionNumber: r.uint() as SessionNumber } : undefined
  const key = presence & HAS_KEY ? { keyNumber: r.uint() as KeyNumber } : undefined
  const legs = ROLES_BY_KIND[list].map(() => readLeg(r))
  const head = { accountId, symbolId, list, selfTradeMode, listClientOrderId }
  return { kind: 'PlaceList', ...head, ...session, ...key, legs }
}

function writeLeg(w: ByteWriter, leg: C.ListLeg): void {
  w.uint(
    (leg.price === undefined ? 0 : HAS_PRICE) |
      (leg.quantity === undefined ? 0 : HAS_QUANTITY) |
      (leg.total === undefined ? 0 : HAS_TOTAL) |
      (leg.stopPrice === undefined ? 0 : HAS_STOP_PRICE) |
      (leg.clientOrderId === undefined ? 0 : HAS_CLIENT_ORDER_ID) |
      (leg.timeInForce === undefined ? 0 : HAS_TIME_IN_FORCE) |
      (leg.trailingDelta === undefined ? 0 : HAS_TRAILING_DELTA),
  )
  writeWord(w, SIDES, leg.side)
  writeWord(w, ORDER_TYPES, leg.type)
  if (leg.timeInForce !== undefined) writeWord(w, TIMES_IN_FORCE, leg.timeInForce)
  if (leg.price !== undefined) w.uint(leg.price)
  if (leg.quantity !== undefined) w.uint(leg.quantity)
  if (leg.total !== undefined) w.whole(leg.total)
  if (leg.stopPrice !== undefined) w.uint(leg.stopPrice)
  if (leg.clientOrderId !== undefined) w.text(leg.clientOrderId)
  if (leg.trailingDelta !== undefined) w.uint(leg.trailingDelta)
}

function readLeg(r: ByteReader): C.ListLeg {
  const presence = r.uint()
  if (presence > LEG_MAX) {
    throw new BytesFault(`unknown field of a list's order before byte ${r.at}: presence ${presence}`)
  }
  const leg: C.ListLeg = {
    side: readWord(r, SIDES),
    type: readWord(r, ORDER_TYPES),
    timeInForce: presence & HAS_TIME_IN_FORCE ? readWord(r, TIMES_IN_FORCE) : undefined,
    price: presence & HAS_PRICE ? (r.uint() as Price) : undefined,
    quantity: presence & HAS_QUANTITY ? (r.uint() as Lots) : undefined,
    total: presence & HAS_TOTAL ? (r.whole() as Amount) : undefined,
    stopPrice: presence & HAS_STOP_PRICE ? (r.uint() as Price) : undefined,
    clientOrderId: presence & HAS_CLIENT_ORDER_ID ? r.text() : undefined,
  }
  return presence & HAS_TRAILING_DELTA ? { ...leg, trailingDelta: r.uint() as TrailingDelta } : leg
}
