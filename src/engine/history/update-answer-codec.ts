/**
 * Answers about updates of accounts as bytes, from the thread with the history to the one that asks.
 * Followers of an account are answered hundreds of times a second, and copying objects of twenty fields
 * between threads costs both more than everything else done for an order (`npm run bench -- order-entry`).
 * Both ends run the same version, so the form has no version.
 *
 *   answers  of each account: too old, or its updates and their end
 *   order    as it was placed; a bit for each optional field; its end
 */

import { CANCEL_CAUSES } from '../../core/events/event.ts'
import {
  readBalances,
  readOpenOrders,
  writeBalances,
  writeOpenOrders,
} from '../../core/questions/view-codec.ts'
import { ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readList, readWord, writeList, writeWord } from '../../units/field-codec.ts'
import type {
  AccountId,
  AssetId,
  KeyNumber,
  ListNumber,
  OrderNumber,
  SymbolId,
  TradeNumber,
} from '../../units/ids.ts'
import { LIST_ROLES, ORDER_TYPES, SELF_TRADE_MODES, SIDES, TIMES_IN_FORCE } from '../../units/order-enums.ts'
import type { Amount, Lots, Notional, Price, Seq, TimeMs } from '../../units/quantities.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import type { AccountUpdate, TradeRecord, UpdatesAnswer } from '../port/ports.ts'
import type { HistoryOrder, OrderEnd } from './order-history.ts'

/** The answers, in a buffer of their own; `writer` is used again and again. */
export function writeUpdatesAnswers(
  writer: ByteWriter,
  answers: readonly UpdatesAnswer[],
): Uint8Array<ArrayBuffer> {
  writer.reset()
  writeList(writer, answers, writeAnswer)
  return writer.take()
}

/** Throws `BytesFault`. */
export function readUpdatesAnswers(bytes: Uint8Array): UpdatesAnswer[] {
  const reader = new ByteReader(bytes)
  const answers = readList(reader, readAnswer)
  reader.end()
  return answers
}

function writeAnswer(w: ByteWriter, answer: UpdatesAnswer): void {
  w.bool(answer !== 'TOO_OLD')
  if (answer === 'TOO_OLD') return
  writeList(w, answer.updates, writeUpdate)
  w.uint(answer.upTo)
}

function readAnswer(r: ByteReader): UpdatesAnswer {
  return r.bool() ? { updates: readList(r, readUpdate), upTo: r.uint() as Seq } : 'TOO_OLD'
}

function writeUpdate(w: ByteWriter, update: AccountUpdate): void {
  w.uint(update.seq)
  w.uint(update.time)
  w.uint(update.accountId)
  writeOpenOrders(w, update.open)
  writeList(w, update.ended, writeOrder)
  writeList(w, update.fills, writeFill)
  writeBalances(w, update.balances)
}

function readUpdate(r: ByteReader): AccountUpdate {
  return {
    seq: r.uint() as Seq,
    time: r.uint() as TimeMs,
    accountId: r.uint() as AccountId,
    open: readOpenOrders(r),
    ended: readList(r, readOrder),
    fills: readList(r, readFill),
    balances: readBalances(r),
  }
}

/** The optional fields of an order or its end. */
const HAS = {
  timeInForce: 1,
  price: 2,
  quantity: 4,
  total: 8,
  end: 16,
  stopPrice: 32,
  clientOrderId: 64,
  icebergQuantity: 128,
  expireTime: 256,
  list: 512,
  cause: 1024,
  amendedQuantity: 2048,
  learnedTotal: 4096,
  key: 8192,
  trailingDelta: 16384,
} as const

function writeOrder(w: ByteWriter, order: HistoryOrder): void {
  const { end } = order
  w.uint(order.seq)
  w.uint(order.time)
  w.uint(order.accountId)
  w.uint(order.symbolId)
  w.uint(order.orderNumber)
  writeWord(w, SIDES, order.side)
  writeWord(w, ORDER_TYPES, order.type)
  writeWord(w, SELF_TRADE_MODES, order.selfTradeMode)
  w.uint(partsOf(order))
  if (order.timeInForce !== undefined) writeWord(w, TIMES_IN_FORCE, order.timeInForce)
  if (order.price !== undefined) w.uint(order.price)
  if (order.stopPrice !== undefined) w.uint(order.stopPrice)
  if (order.expireTime !== undefined) w.uint(order.expireTime)
  if (order.quantity !== undefined) w.uint(order.quantity)
  if (order.total !== undefined) w.whole(order.total)
  if (order.icebergQuantity !== undefined) w.uint(order.icebergQuantity)
  if (order.clientOrderId !== undefined) w.text(order.clientOrderId)
  if (order.listNumber !== undefined && order.listRole !== undefined) {
    w.uint(order.listNumber)
    writeWord(w, LIST_ROLES, order.listRole)
  }
  if (order.keyNumber !== undefined) w.uint(order.keyNumber)
  if (order.trailingDelta !== undefined) w.uint(order.trailingDelta)
  if (end !== undefined) writeEnd(w, end)
}

function partsOf(order: HistoryOrder): number {
  const { end } = order
  return (
    (order.timeInForce === undefined ? 0 : HAS.timeInForce) |
    (order.price === undefined ? 0 : HAS.price) |
    (order.quantity === undefined ? 0 : HAS.quantity) |
    (order.total === undefined ? 0 : HAS.total) |
    (order.stopPrice === undefined ? 0 : HAS.stopPrice) |
    (order.clientOrderId === undefined ? 0 : HAS.clientOrderId) |
    (order.icebergQuantity === undefined ? 0 : HAS.icebergQuantity) |
    (order.expireTime === undefined ? 0 : HAS.expireTime) |
    (order.listNumber === undefined ? 0 : HAS.list) |
    (end === undefined ? 0 : HAS.end) |
    (end?.cause === undefined ? 0 : HAS.cause) |
    (end?.amendedQuantity === undefined ? 0 : HAS.amendedQuantity) |
    (end?.learnedTotal === undefined ? 0 : HAS.learnedTotal) |
    (order.keyNumber === undefined ? 0 : HAS.key) |
    (order.trailingDelta === undefined ? 0 : HAS.trailingDelta)
  )
}

/** The fields are in the order of their bytes. */
function readOrder(r: ByteReader): HistoryOrder {
  const seq = r.uint() as Seq
  const time = r.uint() as TimeMs
  const accountId = r.uint() as AccountId
  const symbolId = r.uint() as SymbolId
  const orderNumber = r.uint() as OrderNumber
  const side = readWord(r, SIDES)
  const type = readWord(r, ORDER_TYPES)
  const selfTradeMode = readWord(r, SELF_TRADE_MODES)
  const has = r.uint()
  return {
    seq,
    time,
    accountId,
    symbolId,
    orderNumber,
    side,
    type,
    selfTradeMode,
    timeInForce: has & HAS.timeInForce ? readWord(r, TIMES_IN_FORCE) : undefined,
    price: has & HAS.price ? (r.uint() as Price) : undefined,
    stopPrice: has & HAS.stopPrice ? (r.uint() as Price) : undefined,
    expireTime: has & HAS.expireTime ? (r.uint() as TimeMs) : undefined,
    quantity: has & HAS.quantity ? (r.uint() as Lots) : undefined,
    total: has & HAS.total ? (r.whole() as Amount) : undefined,
    icebergQuantity: has & HAS.icebergQuantity ? (r.uint() as Lots) : undefined,
    clientOrderId: has & HAS.clientOrderId ? r.text() : undefined,
    listNumber: has & HAS.list ? (r.uint() as ListNumber) : undefined,
    listRole: has & HAS.list ? readWord(r, LIST_ROLES) : undefined,
    keyNumber: has & HAS.key ? (r.uint() as KeyNumber) : undefined,
    trailingDelta: has & HAS.trailingDelta ? (r.uint() as TrailingDelta) : undefined,
    end: has & HAS.end ? readEnd(r, has) : undefined,
  }
}

function writeEnd(w: ByteWriter, end: OrderEnd): void {
  w.uint(end.seq)
  w.uint(end.time)
  if (end.cause !== undefined) writeWord(w, CANCEL_CAUSES, end.cause)
  w.uint(end.executedQuantity)
  w.whole(end.executedNotional)
  w.whole(end.commission)
  w.uint(end.preventedQuantity)
  if (end.amendedQuantity !== undefined) w.uint(end.amendedQuantity)
  if (end.learnedTotal !== undefined) w.whole(end.learnedTotal)
}

function readEnd(r: ByteReader, has: number): OrderEnd {
  return {
    seq: r.uint() as Seq,
    time: r.uint() as TimeMs,
    cause: has & HAS.cause ? readWord(r, CANCEL_CAUSES) : undefined,
    executedQuantity: r.uint() as Lots,
    executedNotional: r.whole() as Notional,
    commission: r.whole() as Amount,
    preventedQuantity: r.uint() as Lots,
    amendedQuantity: has & HAS.amendedQuantity ? (r.uint() as Lots) : undefined,
    learnedTotal: has & HAS.learnedTotal ? (r.whole() as Amount) : undefined,
  }
}

/** Bits of a fill. A trade without a number in its symbol is written as it was before there were any. */
const IS_MAKER = 1
const HAS_SYMBOL_TRADE = 2

function writeFill(w: ByteWriter, fill: TradeRecord): void {
  w.uint(fill.tradeNumber)
  w.uint(fill.time)
  w.uint(fill.symbolId)
  writeWord(w, SIDES, fill.side)
  w.u8((fill.isMaker ? IS_MAKER : 0) | (fill.symbolTrade > 0 ? HAS_SYMBOL_TRADE : 0))
  if (fill.symbolTrade > 0) w.uint(fill.symbolTrade)
  w.uint(fill.orderNumber)
  w.uint(fill.orderTime)
  w.uint(fill.price)
  w.uint(fill.quantity)
  w.whole(fill.total)
  w.whole(fill.commission)
  w.uint(fill.commissionAssetId)
}

function readFill(r: ByteReader): TradeRecord {
  const tradeNumber = r.uint() as TradeNumber
  const time = r.uint() as TimeMs
  const symbolId = r.uint() as SymbolId
  const side = readWord(r, SIDES)
  const has = r.u8()
  if (has > (IS_MAKER | HAS_SYMBOL_TRADE)) throw new BytesFault(`no fill has ${has} before byte ${r.at}`)
  const symbolTrade = has & HAS_SYMBOL_TRADE ? r.uint() : 0
  if (has & HAS_SYMBOL_TRADE && symbolTrade === 0)
    throw new BytesFault(`expected the number of a trade before byte ${r.at}`)
  return {
    tradeNumber,
    symbolTrade,
    time,
    symbolId,
    side,
    isMaker: (has & IS_MAKER) !== 0,
    orderNumber: r.uint() as OrderNumber,
    orderTime: r.uint() as TimeMs,
    price: r.uint() as Price,
    quantity: r.uint() as Lots,
    total: r.whole() as Amount,
    commission: r.whole() as Amount,
    commissionAssetId: r.uint() as AssetId,
  }
}
