/** Random updates of accounts, as they are stored and as they are answered. */
import * as fc from 'fast-check'
import { arbitraryBigint, arbitraryText, arbitraryUint } from '../../core/commands/command.arbitraries.ts'
import { CANCEL_CAUSES } from '../../core/events/event.ts'
import { arbitraryBalance, arbitraryOpenOrder } from '../../core/events/message.arbitraries.ts'
import type { AccountId, AssetId, OrderNumber, TradeNumber } from '../../units/ids.ts'
import { LIST_ROLES, ORDER_TYPES, SELF_TRADE_MODES, SIDES, TIMES_IN_FORCE } from '../../units/order-enums.ts'
import { seq, timeMs } from '../../units/quantities.ts'
import { wholeOf } from '../../units/whole.ts'
import type { AccountUpdate, TradeRecord, UpdatesAnswer } from '../port/ports.ts'
import type { HistoryOrder } from './order-history.ts'
import type { StoredUpdate } from './update-codec.ts'

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
  learnedTotal: perhaps(whole),
})
/** An order in the form of history. */
export const arbitraryHistoryOrder = fc.record({
  kind: fc.constant('OrderPlaced'),
  seq: number,
  time: number,
  accountId: number,
  symbolId: number,
  orderNumber: number,
  keyNumber: perhaps(number),
  side: oneOf(SIDES),
  type: oneOf(ORDER_TYPES),
  selfTradeMode: oneOf(SELF_TRADE_MODES),
  timeInForce: perhaps(oneOf(TIMES_IN_FORCE)),
  price: perhaps(number),
  stopPrice: perhaps(number),
  trailingDelta: perhaps(number),
  expireTime: perhaps(number),
  quantity: perhaps(number),
  total: perhaps(whole),
  icebergQuantity: perhaps(number),
  clientOrderId: perhaps(arbitraryText),
  inList: perhaps(fc.record({ listNumber: number, role: oneOf(LIST_ROLES) })),
  end: perhaps(end),
}) as fc.Arbitrary<HistoryOrder>
/** One party's side of a trade. */
export const arbitraryTradeRecord = fc.record({
  tradeNumber: number,
  symbolTrade: number,
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
  ended: fc.array(arbitraryHistoryOrder, { maxLength: 3 }),
  fills: fc.array(arbitraryTradeRecord, { maxLength: 3 }),
  balances: fc.array(arbitraryBalance, { maxLength: 3 }),
})

/** The answers to followers of an account. */
export const arbitraryUpdatesAnswer: fc.Arbitrary<UpdatesAnswer> = fc.oneof(
  fc.constant('TOO_OLD' as const),
  fc.record({ updates: fc.array(update, { maxLength: 3 }), upTo: number.map(seq) }),
)

const named = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 1, max: 2 ** 31 - 1 }).map((n) => n * 2 ** 16),
)
/** Assets are few: their ids are places in the order of listing. */
const balance = fc
  .tuple(arbitraryBalance, fc.nat(2 ** 31 - 1))
  .map(([each, id]) => ({ ...each, assetId: id as AssetId }))

/** The first command of a block of stored updates, and its time. */
export const FIRST_STORED = { seq: seq(7), time: timeMs(1_790_000_000_000) }

/** An update as it is stored, of `FIRST_STORED` or later. */
export const arbitraryStoredUpdate: fc.Arbitrary<StoredUpdate> = fc.record({
  seq: fc.nat(1_000).map((after) => seq(FIRST_STORED.seq + after)),
  time: fc.nat(60_000).map((later) => timeMs(FIRST_STORED.time + later)),
  accountId: fc.nat(4).map((id) => id as AccountId),
  placed: fc.array(
    named.map((n) => n as OrderNumber),
    { maxLength: 3 },
  ),
  changed: fc.array(arbitraryOpenOrder, { maxLength: 2 }),
  ended: fc.array(
    named.map((n) => n as OrderNumber),
    { maxLength: 3 },
  ),
  trades: fc.array(
    named.map((n) => n as TradeNumber),
    { maxLength: 3 },
  ),
  balances: fc.array(balance, { maxLength: 3 }),
})
