/** Answers about updates of accounts come out at the other end as they went in, whatever orders have and lack. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { arbitraryBigint, arbitraryText, arbitraryUint } from '../core/exchange/codec/command.arbitraries.ts'
import { arbitraryBalance, arbitraryOpenOrder } from '../core/exchange/codec/message.arbitraries.ts'
import { CANCEL_CAUSES } from '../core/exchange/event.ts'
import { ByteWriter } from '../units/bytes.ts'
import type { AccountId } from '../units/ids.ts'
import { LIST_ROLES, ORDER_TYPES, SELF_TRADE_MODES, SIDES, TIMES_IN_FORCE } from '../units/order-words.ts'
import { seq, timeMs } from '../units/quantities.ts'
import { wholeOf } from '../units/whole.ts'
import type { HistoryOrder } from './order-history.ts'
import type { AccountUpdate, TradeRecord, UpdatesAnswer } from './ports.ts'
import { readUpdatesAnswers, writeUpdatesAnswers } from './update-answer-codec.ts'

const number = arbitraryUint
const whole = arbitraryBigint.map(wholeOf)
const oneOf = <Word>(words: readonly Word[]) => fc.constantFrom(...words)
const perhaps = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const end = fc.record({
  seq: number,
  time: number,
  cause: perhaps(oneOf(CANCEL_CAUSES)),
  executedQuantity: number,
  executedNotional: whole,
  commission: whole,
  preventedQuantity: number,
  amendedQuantity: perhaps(number),
})
const ended = fc
  .record({
    seq: number,
    time: number,
    accountId: number,
    symbolId: number,
    orderNumber: number,
    side: oneOf(SIDES),
    type: oneOf(ORDER_TYPES),
    selfTradeMode: oneOf(SELF_TRADE_MODES),
    timeInForce: perhaps(oneOf(TIMES_IN_FORCE)),
    price: perhaps(number),
    stopPrice: perhaps(number),
    expireTime: perhaps(number),
    quantity: perhaps(number),
    total: perhaps(whole),
    icebergQuantity: perhaps(number),
    clientOrderId: perhaps(arbitraryText),
    list: perhaps(fc.record({ listNumber: number, listRole: oneOf(LIST_ROLES) })),
    end: perhaps(end),
  })
  .map(({ list, ...order }) => {
    return { ...order, listNumber: list?.listNumber, listRole: list?.listRole } as HistoryOrder
  })
const fill = fc.record({
  tradeNumber: number,
  time: number,
  symbolId: number,
  side: oneOf(SIDES),
  isMaker: fc.boolean(),
  orderNumber: number,
  orderTime: number,
  price: number,
  quantity: number,
  total: whole,
  commission: whole,
  commissionAssetId: number,
}) as fc.Arbitrary<TradeRecord>
const update: fc.Arbitrary<AccountUpdate> = fc.record({
  seq: number.map(seq),
  time: number.map(timeMs),
  accountId: number.map((id) => id as AccountId),
  open: fc.array(arbitraryOpenOrder, { maxLength: 2 }),
  ended: fc.array(ended, { maxLength: 3 }),
  fills: fc.array(fill, { maxLength: 3 }),
  balances: fc.array(arbitraryBalance, { maxLength: 3 }),
})
const answer: fc.Arbitrary<UpdatesAnswer> = fc.oneof(
  fc.constant('TOO_OLD' as const),
  fc.record({ updates: fc.array(update, { maxLength: 3 }), upTo: number.map(seq) }),
)

test('answers about updates are read as they were written, one after another with the same memory', () => {
  const writer = new ByteWriter()
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 3 }), (answers) => {
      expect(readUpdatesAnswers(writeUpdatesAnswers(writer, answers))).toStrictEqual(answers)
    }),
  )
})
