/** Replacing an order by another one (docs/reference/order-changes.md#replace). */
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { AccountId } from '../../units/ids.ts'
import { CANCEL_REPLACE_MODES, CANCEL_RESTRICTIONS, type Side } from '../../units/order-enums.ts'
import { untilMet } from '../../units/random-rounds.fixture.ts'
import type { OrderTarget, ReplaceOrder } from '../commands/order-changes.ts'
import { Exchange } from '../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR, type OrderWords, orderOf } from '../exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../exchange/rules.ts'
import type { OrderAccepted, Reply } from '../questions/reply.ts'

const RICH = 10n ** 20n
const HUNDRED = 10_000
const LOT = 100_000_000

type Scene = { readonly it: ExchangeHarness; readonly ann: AccountId; readonly ben: AccountId }

function scene(terms: ConstructorParameters<typeof ExchangeHarness>[0] = {}, version = RULES_VERSION): Scene {
  const it = new ExchangeHarness(terms)
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version })
  const ann = it.trader('ann', { BTC: BigInt(10 * LOT), USDT: 1_000n * BigInt(LOT) })
  return { it, ann, ben: it.trader('ben', { BTC: RICH, USDT: RICH }) }
}

const targetOf = ({ orderNumber, time }: OrderAccepted): OrderTarget => ({ orderNumber, orderTime: time })

type Words = Partial<Pick<ReplaceOrder, 'mode' | 'restriction'>>

function replacement(target: OrderTarget, order: OrderWords, words: Words = {}): ReplaceOrder {
  const { mode = 'STOP_ON_FAILURE', restriction } = words
  return { kind: 'ReplaceOrder', target, mode, restriction, order: orderOf(order) }
}

/**
 * The reasons why the cancel and the new order were refused, or `DONE` for a part that was not; a single
 * reason if the whole command was refused.
 */
function refusals(reply: Reply): unknown {
  if (reply.kind === 'Refused') return reply.reason
  if (reply.kind !== 'OrderReplaced') return reply.kind
  const { cancelRefusal, placed } = reply
  return [cancelRefusal, placed.kind === 'Refused' ? placed.reason : undefined]
}

const kinds = (it: ExchangeHarness) => it.events.map(({ kind }) => kind)
const DONE = [undefined, undefined]

test('a replacement cancels and places in one command, and the new order has the money that the old one held', () => {
  const { it, ann } = scene()
  const sell = { who: ann, side: 'SELL', price: HUNDRED, quantity: 10 * LOT } as const
  const old = it.accepted(sell)
  expect(refusals(it.give(replacement(targetOf(old), { ...sell, price: 11_000 })))).toEqual(DONE)
  expect(kinds(it)).toEqual(['OrderCanceled', 'OrderPlaced', 'LevelChanged', 'LevelChanged'])
  expect(it.exchange.openOrders(ann, undefined).map(({ price }) => price as number)).toEqual([11_000])
  it.mustAddUp()
})

test('a level that a replacement leaves as it was is not published, and one that it changes is published once', () => {
  const { it, ann } = scene()
  const sell = { who: ann, side: 'SELL', price: HUNDRED, quantity: LOT } as const
  const second = it.accepted(sell)
  expect(refusals(it.give(replacement(targetOf(second), sell)))).toEqual(DONE)
  expect(kinds(it)).toEqual(['OrderCanceled', 'OrderPlaced'])
  const [third] = it.exchange.openOrders(ann, undefined)
  const target = { orderNumber: third?.orderNumber as never, orderTime: third?.time as never }
  expect(refusals(it.give(replacement(target, { ...sell, quantity: 2 * LOT })))).toEqual(DONE)
  expect(kinds(it)).toEqual(['OrderCanceled', 'OrderPlaced', 'LevelChanged'])
})

test('the new order is checked as far as possible before the cancel: a refusal changes nothing', () => {
  const { it, ann } = scene()
  const sell = { who: ann, side: 'SELL', price: HUNDRED, quantity: LOT } as const
  const target = targetOf(it.accepted(sell))
  const known = { ...sell, clientOrderId: 'known' }
  it.accepted(known)
  const before = it.exchange.openOrders(ann, undefined)
  for (const mode of CANCEL_REPLACE_MODES) {
    expect(refusals(it.give(replacement(target, { ...sell, total: 1n }, { mode })))).toBe('TOTAL_MISMATCH')
    expect(refusals(it.give(replacement(target, known, { mode })))).toBe('DUPLICATE_CLIENT_ORDER_ID')
    it.state('BTC/USDT', 'HALTED')
    expect(refusals(it.give(replacement(target, sell, { mode })))).toBe('SYMBOL_HALTED')
    it.state('BTC/USDT', 'TRADING')
  }
  expect(it.exchange.openOrders(ann, undefined)).toEqual(before)
})

test('funds and book are checked after the cancel: then the order is canceled, and none is placed', () => {
  const { it, ann } = scene()
  const sell = { who: ann, side: 'SELL', price: HUNDRED, quantity: LOT } as const
  const dear = { ...sell, quantity: 11 * LOT }
  for (const [order, reason] of [
    [dear, 'INSUFFICIENT_FUNDS'],
    [{ ...sell, timeInForce: 'FOK' }, 'FOK_NOT_FILLABLE'],
    [{ who: ann, side: 'SELL', type: 'MARKET', quantity: LOT }, 'NO_LIQUIDITY'],
  ] as const) {
    const target = targetOf(it.accepted(sell))
    expect(refusals(it.give(replacement(target, order)))).toEqual([undefined, reason])
    expect(kinds(it)).toEqual(['OrderCanceled', 'LevelChanged'])
    expect(it.exchange.openOrders(ann, undefined)).toEqual([])
    it.mustAddUp()
  }
})

test('the order that is replaced is not counted among the open orders when the new one is placed', () => {
  const { it, ann } = scene({ terms: { openOrdersMax: 1 } })
  const sell = { who: ann, side: 'SELL', price: HUNDRED, quantity: LOT } as const
  const target = targetOf(it.accepted(sell))
  expect(refusals(it.order(sell))).toBe('TOO_MANY_OPEN_ORDERS')
  expect(refusals(it.give(replacement(target, sell)))).toEqual(DONE)
  const gone = replacement(target, sell, { mode: 'ALLOW_FAILURE' })
  expect(refusals(it.give(gone))).toBe('TOO_MANY_OPEN_ORDERS')
})

test('an order that cannot be canceled stays, and is counted among the open orders', () => {
  const { it, ann } = scene({ terms: { openOrdersMax: 1 } })
  const sell = { who: ann, side: 'SELL', price: HUNDRED, quantity: LOT } as const
  const target = targetOf(it.accepted(sell))
  for (const mode of CANCEL_REPLACE_MODES) {
    for (const command of [
      replacement(target, sell, { mode, restriction: 'ONLY_PARTIALLY_FILLED' }),
      replacement({ clientOrderId: 'nobody' }, sell, { mode }),
    ]) {
      expect(refusals(it.give(command))).toBe('TOO_MANY_OPEN_ORDERS')
      expect(kinds(it)).toEqual([])
    }
  }
  // The restriction decides: for an order that never rests, the refusal is that of the cancel.
  const fleeting = { ...sell, timeInForce: 'IOC' } as const
  expect(refusals(it.give(replacement(target, fleeting, { restriction: 'ONLY_PARTIALLY_FILLED' })))).toBe(
    'CANCEL_RESTRICTED',
  )
  expect(refusals(it.give(replacement(target, sell, { restriction: 'ONLY_NEW' })))).toEqual(DONE)
})

test('an order that cannot be canceled stops a replacement or not, as requested; a replacement that did neither is refused', () => {
  const { it, ann, ben } = scene()
  const sell = { who: ann, side: 'SELL', price: HUNDRED, quantity: LOT } as const
  const strangers = targetOf(it.accepted({ ...sell, who: ben }))
  expect(refusals(it.give(replacement(strangers, sell)))).toBe('UNKNOWN_ORDER')
  const going = { mode: 'ALLOW_FAILURE' } as const
  expect(refusals(it.give(replacement(strangers, sell, going)))).toEqual(['UNKNOWN_ORDER', undefined])
  const dear = { ...sell, quantity: 10 * LOT }
  expect(refusals(it.give(replacement(strangers, dear, going)))).toBe('INSUFFICIENT_FUNDS')
  expect(kinds(it)).toEqual([])
  const other = it.symbol('USDT', 'BTC', {})
  const elsewhere = targetOf(it.accepted({ ...sell, quantity: LOT, symbol: other, price: 1, side: 'SELL' }))
  expect(refusals(it.give(replacement(elsewhere, sell)))).toBe('UNKNOWN_ORDER')
})

test('only an order in the requested state is canceled', () => {
  const { it, ann, ben } = scene()
  const sell = { who: ann, side: 'SELL', price: HUNDRED, quantity: 2 * LOT } as const
  const target = targetOf(it.accepted(sell))
  const [onlyNew, onlyPartly] = CANCEL_RESTRICTIONS
  expect(refusals(it.give(replacement(target, sell, { restriction: onlyPartly })))).toBe('CANCEL_RESTRICTED')
  it.accepted({ who: ben, side: 'BUY', price: HUNDRED, quantity: LOT })
  expect(refusals(it.give(replacement(target, sell, { restriction: onlyNew })))).toBe('CANCEL_RESTRICTED')
  expect(refusals(it.give(replacement(target, sell, { restriction: onlyPartly })))).toEqual(DONE)
})

test('a replacement is repeated by its new order’s id, also after a start, and is not a placement', () => {
  const { it, ann, ben } = scene()
  const sell = { who: ann, side: 'SELL', price: HUNDRED, quantity: LOT, clientOrderId: 'new' } as const
  const target = targetOf(it.accepted({ ...sell, clientOrderId: 'old' }))
  const command = replacement(target, sell)
  const first = it.give(command)
  const bytes = it.exchange.encodeSnapshot()
  const again = Exchange.decodeSnapshot(bytes)
  expect(again.encodeSnapshot()).toEqual(bytes)
  it.accepted({ who: ben, side: 'BUY', price: HUNDRED, quantity: LOT })
  expect(it.give(command)).toEqual({ ...first, repeated: true } as Reply)
  expect(again.apply(command, again.time, () => {})).toEqual({ ...first, repeated: true } as Reply)
  expect(refusals(it.order(sell))).toBe('DUPLICATE_CLIENT_ORDER_ID')
  for (const other of [
    { ...command, mode: 'ALLOW_FAILURE' as const },
    { ...command, restriction: 'ONLY_NEW' as const },
    { ...command, target: { clientOrderId: 'old' } },
    { ...command, order: orderOf({ ...sell, quantity: 2 }) },
  ]) {
    expect(refusals(it.give(other))).toBe('DUPLICATE_CLIENT_ORDER_ID')
  }
  const old = { ...sell, clientOrderId: 'old' }
  expect(refusals(it.give(replacement(target, old)))).toBe('DUPLICATE_CLIENT_ORDER_ID')
})

test('a replacement that only placed its order is repeated as it was, and one that only canceled is carried out again', () => {
  const { it, ann } = scene()
  const sell = { who: ann, side: 'SELL', price: HUNDRED, quantity: LOT, clientOrderId: 'a' } as const
  const placing = replacement({ clientOrderId: 'nobody' }, sell, { mode: 'ALLOW_FAILURE' })
  const first = it.give(placing)
  expect(it.give(placing)).toEqual({ ...first, repeated: true } as Reply)
  const dear = { ...sell, quantity: 11 * LOT, clientOrderId: 'b' }
  const canceling = replacement({ clientOrderId: 'a' }, dear)
  expect(refusals(it.give(canceling))).toEqual([undefined, 'INSUFFICIENT_FUNDS'])
  expect(refusals(it.give(canceling))).toBe('UNKNOWN_ORDER')
})

test('a waiting order is replaced, and waits in place of another one', () => {
  const { it, ann, ben } = scene()
  const stop = { who: ann, side: 'SELL', type: 'STOP_LOSS', stopPrice: 9_000, quantity: LOT } as const
  const target = targetOf(it.accepted(stop))
  expect(refusals(it.give(replacement(target, { ...stop, stopPrice: 8_000 })))).toEqual(DONE)
  expect(kinds(it)).toEqual(['OrderCanceled', 'OrderPlaced'])
  it.accepted({ who: ben, side: 'SELL', price: 9_000, quantity: 1 })
  it.accepted({ who: ben, side: 'BUY', price: 9_000, quantity: 1 })
  expect(it.carryOut()).toEqual([])
  it.mustAddUp()
})

test('a complete replacement leaves what a cancel and then an order leave, and publishes each level once', async () => {
  const step = fc.record({
    side: fc.constantFrom<Side>('BUY', 'SELL'),
    price: fc.integer({ min: 98, max: 102 }),
    quantity: fc.integer({ min: 1, max: 9 }).map((tenths) => tenths * 10_000_000),
    by: fc.boolean(),
    isReplacement: fc.boolean(),
  })
  const met = { replaced: 0 }
  const property = fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
    const [one, two] = [
      scene({ terms: { selfTradeMode: 'EXPIRE_MAKER' } }),
      scene({ terms: { selfTradeMode: 'EXPIRE_MAKER' } }),
    ]
    for (const { side, price, quantity, by, isReplacement } of steps) {
      const who = by ? one.ann : one.ben
      const order = { who, side, price, quantity }
      const [newest] = one.it.exchange.openOrders(who, 0 as never)
      if (!isReplacement || newest === undefined) {
        for (const { it } of [one, two]) it.order(order)
        continue
      }
      const { orderNumber, time: orderTime } = newest
      const reply = one.it.give(replacement({ orderNumber, orderTime }, order))
      two.it.give({ kind: 'CancelOrder', accountId: who, orderNumber, orderTime }, 0)
      const [, again] = [two.it.events, two.it.order(order)]
      if (reply.kind !== 'OrderReplaced') continue
      expect(reply.placed.kind).toBe(again.kind as never)
      met.replaced++
      const levels = one.it.events.flatMap((event) =>
        event.kind === 'LevelChanged' ? [`${event.side} ${event.price}`] : [],
      )
      expect(new Set(levels).size).toBe(levels.length)
    }
    expect(one.it.exchange.book(0 as never)).toEqual(two.it.exchange.book(0 as never))
    for (const who of [one.ann, one.ben]) {
      expect(one.it.exchange.balances(who)).toEqual(two.it.exchange.balances(who))
    }
    one.it.mustAddUp()
  })
  await untilMet(met, () => fc.assert(property, { numRuns: 150 }), { least: 100 })
})
