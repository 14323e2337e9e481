/**
 * Answers with updates of accounts as bytes, from the history thread to the thread that sent the query.
 * Followers of an account are answered hundreds of times a second, and copying objects of twenty fields
 * between threads costs both threads more than everything else done for an order
 * (`npm run bench -- order-entry`). Both ends run the same version, so the form has no version.
 */
import { PLACED_FIELDS, PLACED_OPTIONS } from '../../core/events/event.ts'
import {
  readBalances,
  readOpenOrders,
  writeBalances,
  writeOpenOrders,
} from '../../core/questions/view-codec.ts'
import { ByteReader, type ByteWriter } from '../../units/bytes.ts'
import { readList, writeList } from '../../units/field-codec.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../units/ids.ts'
import { SIDES } from '../../units/order-enums.ts'
import type { Amount, Lots, Price, Seq, TimeMs } from '../../units/quantities.ts'
import {
  type ByteCodec,
  constant,
  flag,
  integer,
  listOf,
  object,
  orUndefined,
  own,
  uint,
  word,
} from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import type { AccountUpdate, UpdatesAnswer } from '../port/ports.ts'
import { ORDER_END } from './order-history.ts'

const ORDER = object(
  { kind: constant('OrderPlaced'), seq: uint<Seq>(), ...PLACED_FIELDS },
  { end: orUndefined(ORDER_END), ...PLACED_OPTIONS },
)

const FILL = object({
  tradeNumber: uint<TradeNumber>(),
  symbolTrade: uint(),
  time: uint<TimeMs>(),
  symbolId: uint<SymbolId>(),
  side: word(SIDES),
  isMaker: flag(),
  orderNumber: uint<OrderNumber>(),
  orderTime: uint<TimeMs>(),
  price: uint<Price>(),
  quantity: uint<Lots>(),
  total: integer<Amount>(),
  commission: integer<Amount>(),
  commissionAssetId: uint<AssetId>(),
})

const UPDATE: ByteCodec<AccountUpdate> = byteCodec(
  object({
    seq: uint<Seq>(),
    time: uint<TimeMs>(),
    accountId: uint<AccountId>(),
    open: own({ write: writeOpenOrders, read: readOpenOrders }),
    ended: listOf(ORDER),
    fills: listOf(FILL),
    balances: own({ write: writeBalances, read: readBalances }),
  }),
)

/** The answers, in a buffer of their own; `writer` is reused. */
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
  writeList(w, answer.updates, UPDATE.write)
  w.uint(answer.upTo)
}

function readAnswer(r: ByteReader): UpdatesAnswer {
  return r.bool() ? { updates: readList(r, UPDATE.read), upTo: r.uint() as Seq } : 'TOO_OLD'
}
