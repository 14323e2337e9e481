/** Commands on order lists as bytes. The rules of these formats stand in `command-codec.ts`. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../../../units/bytes.ts'
import { readWord, writeWord } from '../../../../units/field-codec.ts'
import type { AccountId, ListNumber, SessionNumber, SymbolId } from '../../../../units/ids.ts'
import {
  LIST_KINDS,
  ORDER_TYPES,
  ROLES_BY_KIND,
  SELF_TRADE_MODES,
  SIDES,
  TIMES_IN_FORCE,
} from '../../../../units/order-words.ts'
import type { Amount, Lots, Price, TimeMs } from '../../../../units/quantities.ts'
import type * as C from '../../commands/order-lists.ts'

/** Bits of a list's presence bitmap. */
const HAS_SELF_TRADE_MODE = 1
const HAS_LIST_ID = 2
const HAS_SESSION = 4
const LIST_MAX = 7

/** Bits of an order's presence bitmap. */
const HAS_PRICE = 1
const HAS_QUANTITY = 2
const HAS_TOTAL = 4
const HAS_STOP_PRICE = 8
const HAS_CLIENT_ORDER_ID = 16
const HAS_TIME_IN_FORCE = 32
const LEG_MAX = 63

export function writePlaceList(w: ByteWriter, c: C.PlaceList): void {
  writeWord(w, LIST_KINDS, c.list)
  w.uint(
    (c.selfTradeMode === undefined ? 0 : HAS_SELF_TRADE_MODE) |
      (c.listClientOrderId === undefined ? 0 : HAS_LIST_ID) |
      (c.sessionNumber === undefined ? 0 : HAS_SESSION),
  )
  w.uint(c.accountId)
  w.uint(c.symbolId)
  if (c.selfTradeMode !== undefined) writeWord(w, SELF_TRADE_MODES, c.selfTradeMode)
  if (c.listClientOrderId !== undefined) w.text(c.listClientOrderId)
  if (c.sessionNumber !== undefined) w.uint(c.sessionNumber)
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
  const legs = ROLES_BY_KIND[list].map(() => readLeg(r))
  return { kind: 'PlaceList', accountId, symbolId, list, selfTradeMode, listClientOrderId, ...session, legs }
}

function writeLeg(w: ByteWriter, leg: C.ListLeg): void {
  w.uint(
    (leg.price === undefined ? 0 : HAS_PRICE) |
      (leg.quantity === undefined ? 0 : HAS_QUANTITY) |
      (leg.total === undefined ? 0 : HAS_TOTAL) |
      (leg.stopPrice === undefined ? 0 : HAS_STOP_PRICE) |
      (leg.clientOrderId === undefined ? 0 : HAS_CLIENT_ORDER_ID) |
      (leg.timeInForce === undefined ? 0 : HAS_TIME_IN_FORCE),
  )
  writeWord(w, SIDES, leg.side)
  writeWord(w, ORDER_TYPES, leg.type)
  if (leg.timeInForce !== undefined) writeWord(w, TIMES_IN_FORCE, leg.timeInForce)
  if (leg.price !== undefined) w.uint(leg.price)
  if (leg.quantity !== undefined) w.uint(leg.quantity)
  if (leg.total !== undefined) w.whole(leg.total)
  if (leg.stopPrice !== undefined) w.uint(leg.stopPrice)
  if (leg.clientOrderId !== undefined) w.text(leg.clientOrderId)
}

function readLeg(r: ByteReader): C.ListLeg {
  const presence = r.uint()
  if (presence > LEG_MAX) {
    throw new BytesFault(`unknown field of a list's order before byte ${r.at}: presence ${presence}`)
  }
  return {
    side: readWord(r, SIDES),
    type: readWord(r, ORDER_TYPES),
    timeInForce: presence & HAS_TIME_IN_FORCE ? readWord(r, TIMES_IN_FORCE) : undefined,
    price: presence & HAS_PRICE ? (r.uint() as Price) : undefined,
    quantity: presence & HAS_QUANTITY ? (r.uint() as Lots) : undefined,
    total: presence & HAS_TOTAL ? (r.whole() as Amount) : undefined,
    stopPrice: presence & HAS_STOP_PRICE ? (r.uint() as Price) : undefined,
    clientOrderId: presence & HAS_CLIENT_ORDER_ID ? r.text() : undefined,
  }
}

export function writeCancelList(w: ByteWriter, c: C.CancelList): void {
  w.uint(c.accountId)
  w.uint(c.listNumber)
  w.uint(c.listTime)
}

export function readCancelList(r: ByteReader): C.CancelList {
  return {
    kind: 'CancelList',
    accountId: r.uint() as AccountId,
    listNumber: r.uint() as ListNumber,
    listTime: r.uint() as TimeMs,
  }
}

export function writeCancelClientList(w: ByteWriter, c: C.CancelClientList): void {
  w.uint(c.accountId)
  w.text(c.listClientOrderId)
}

export function readCancelClientList(r: ByteReader): C.CancelClientList {
  return { kind: 'CancelClientList', accountId: r.uint() as AccountId, listClientOrderId: r.text() }
}

export function writePlacePending(w: ByteWriter, c: C.PlacePending): void {
  w.uint(c.listNumber)
}

export function readPlacePending(r: ByteReader): C.PlacePending {
  return { kind: 'PlacePending', listNumber: r.uint() as ListNumber }
}
