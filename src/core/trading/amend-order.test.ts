/** Lowering the quantity of an order that rests (docs/reference/order-changes.md#lower-the-quantity). */
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { AccountId } from '../../units/ids.ts'
import type { Side } from '../../units/order-enums.ts'
import { amount, lots } from '../../units/quantities.ts'
import { untilMet } from '../../units/random-rounds.fixture.ts'
import type { OrderTarget } from '../commands/order-changes.ts'
import { Exchange } from '../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../exchange/rules.ts'
import type { OrderAccepted, Reply } from '../questions/reply.ts'

const RICH = 10n ** 20n
/** Units of 10^-18 in a lot of BTC. */
const LOT = 10n ** 10n
const HUNDRED = 10_000

type Scene = { readonly it: ExchangeHarness; readonly ann: AccountId; readonly ben: AccountId }

function scene(terms: ConstructorParameters<typeof ExchangeHarness>[0] = {}, version = RULES_VERSION): Scene {
  const it = new ExchangeHarness(terms)
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version })
  const rich = { BTC: RICH, USDT: RICH }
  return { it, ann: it.trader('ann', rich), ben: it.trader('ben', rich) }
}

const targetOf = ({ orderNumber, time }: OrderAccepted): OrderTarget => ({ orderNumber, orderTime: time })

function amend(
  it: ExchangeHarness,
  accountId: AccountId,
  target: OrderTarget,
  quantity: number,
  more = 0n,
): Reply {
  const units = amount(BigInt(quantity) * LOT + more)
  return it.give({ kind: 'AmendOrder', accountId, target, quantity: units })
}

const reasonOf = (reply: Reply) => (reply.kind === 'Refused' ? reply.reason : undefined)

test('an amended order keeps its place in the queue, and its level has what is left', () => {
  const { it, ann, ben } = scene()
  const first = it.accepted({ who: ann, side: 'SELL', price: HUNDRED, quantity: 10 })
  it.accepted({ who: ben, side: 'SELL', price: HUNDRED, quantity: 10 })
  const { orderNumber, time } = first
  expect(amend(it, ann, targetOf(first), 4)).toEqual({ kind: 'OrderAmended', orderNumber, time })
  const side = 'SELL' as Side
  expect(it.events).toEqual([
    {
      kind: 'OrderAmended',
      symbolId: 0 as never,
      accountId: ann,
      orderNumber,
      side,
      quantity: lots(4),
      remaining: lots(4),
    },
    { kind: 'LevelChanged', symbolId: 0 as never, side, price: HUNDRED as never, quantity: 14n },
  ])
  it.accepted({ who: ben, side: 'BUY', price: HUNDRED, quantity: 4 })
  expect(
    it.events.flatMap((event) => (event.kind === 'OrdersMatched' ? [event.maker.orderNumber] : [])),
  ).toEqual([orderNumber])
  expect(it.exchange.isOpen(orderNumber)).toBe(false)
  it.mustAddUp()
})

test('an amendment frees what the order no longer needs, after fills and self-trade prevention too', () => {
  const { it, ann, ben } = scene()
  const buy = it.accepted({ who: ann, side: 'BUY', price: 333, quantity: 100_000_007 })
  it.accepted({ who: ben, side: 'SELL', price: 333, quantity: 30_000_001 })
  it.accepted({ who: ann, side: 'SELL', price: 333, quantity: 10_000_000, selfTradeMode: 'DECREMENT' })
  const [before] = it.exchange.openOrders(ann, undefined)
  expect([before?.executedQuantity, before?.remaining]).toEqual([lots(30_000_001), lots(60_000_006)])
  const fresh = scene()
  const same = fresh.it.accepted({ who: fresh.ann, side: 'BUY', price: 333, quantity: 80_000_007 })
  fresh.it.accepted({ who: fresh.ben, side: 'SELL', price: 333, quantity: 30_000_001 })
  fresh.it.accepted({
    who: fresh.ann,
    side: 'SELL',
    price: 333,
    quantity: 10_000_000,
    selfTradeMode: 'DECREMENT',
  })
  amend(it, ann, targetOf(buy), 80_000_007)
  const [after] = it.exchange.openOrders(ann, undefined)
  expect([after?.quantity, after?.askedQuantity, after?.remaining]).toEqual([
    lots(80_000_007),
    lots(100_000_007),
    lots(40_000_006),
  ])
  expect(it.money(ann, 1)).toEqual(fresh.it.money(fresh.ann, 1))
  expect(same.orderNumber).toBe(buy.orderNumber)
  it.mustAddUp()
})

test('an order is amended to more than what was executed, at least by a lot, and to no more than it has', () => {
  const { it, ann, ben } = scene()
  const order = it.accepted({ who: ann, side: 'SELL', price: HUNDRED, quantity: 100 })
  it.accepted({ who: ben, side: 'BUY', price: HUNDRED, quantity: 30 })
  it.accepted({ who: ann, side: 'BUY', price: HUNDRED, quantity: 20, selfTradeMode: 'DECREMENT' })
  const target = targetOf(order)
  expect(reasonOf(amend(it, ann, target, 101))).toBe('AMENDED_QUANTITY_TOO_LARGE')
  expect(reasonOf(amend(it, ann, target, 50))).toBe('AMENDED_QUANTITY_TOO_SMALL')
  expect(reasonOf(amend(it, ann, target, 51))).toBeUndefined()
  expect(it.exchange.openOrders(ann, undefined)[0]?.remaining).toBe(lots(1))
  expect(reasonOf(amend(it, ann, target, 50, 1n))).toBe('AMENDED_QUANTITY_TOO_PRECISE')
  expect(reasonOf(amend(it, ann, target, 0))).toBe('INVALID_COMMAND')
  expect(reasonOf(amend(it, ben, target, 51))).toBe('UNKNOWN_ORDER')
  it.mustAddUp()
})

test('the quantity that an order already has changes nothing, whatever the minima are by now', () => {
  const { it, ann } = scene()
  const order = it.accepted({ who: ann, side: 'SELL', price: HUNDRED, quantity: 100 })
  const limits = { minTotal: amount(0n), minQuantity: lots(200), openOrdersMax: 9, levelsMax: 9 }
  const prices = { minPrice: 0 as never, maxPrice: 0 as never }
  it.give({
    kind: 'SetSymbolTerms',
    operator: OPERATOR,
    symbol: 'BTC/USDT',
    ...limits,
    ...prices,
    selfTradeMode: 'NONE',
  })
  const before = it.exchange.openOrders(ann, undefined)
  expect(reasonOf(amend(it, ann, targetOf(order), 100))).toBeUndefined()
  expect([it.events, it.exchange.openOrders(ann, undefined)]).toEqual([[], before])
  expect(reasonOf(amend(it, ann, targetOf(order), 99))).toBe('AMENDED_QUANTITY_TOO_SMALL')
})

test('an amended order meets the smallest quantity and total of a new order', () => {
  const { it, ann } = scene({ terms: { minQuantity: lots(10), minTotal: amount(2_000n) } })
  const order = it.accepted({ who: ann, side: 'BUY', price: HUNDRED, quantity: 100 })
  expect(reasonOf(amend(it, ann, targetOf(order), 9))).toBe('AMENDED_QUANTITY_TOO_SMALL')
  expect(reasonOf(amend(it, ann, targetOf(order), 19))).toBe('AMENDED_QUANTITY_TOO_SMALL')
  expect(reasonOf(amend(it, ann, targetOf(order), 20))).toBeUndefined()
})

test('an order that waits is not amended, and one that was triggered and rests is', () => {
  const { it, ann, ben } = scene()
  const stop = { who: ann, side: 'SELL', type: 'STOP_LOSS_LIMIT', stopPrice: 9_000, price: 9_500 } as const
  const waits = it.accepted({ ...stop, quantity: 50 })
  expect(reasonOf(amend(it, ann, targetOf(waits), 40))).toBe('ORDER_NOT_AMENDABLE')
  it.accepted({ who: ben, side: 'SELL', price: 9_000, quantity: 1 })
  it.accepted({ who: ben, side: 'BUY', price: 9_000, quantity: 1 })
  it.carryOut()
  expect(reasonOf(amend(it, ann, targetOf(waits), 40))).toBeUndefined()
})

test('an amended order is repeated by the original request, and is amended while its symbol is halted', () => {
  const { it, ann } = scene()
  const words = { who: ann, side: 'SELL', price: HUNDRED, quantity: 50, clientOrderId: 'mine' } as const
  it.accepted(words)
  it.state('BTC/USDT', 'HALTED')
  expect(reasonOf(amend(it, ann, { clientOrderId: 'mine' }, 40))).toBeUndefined()
  expect(it.order(words).kind).toBe('OrderRepeated')
  expect(reasonOf(it.order({ ...words, quantity: 40 }))).toBe('DUPLICATE_CLIENT_ORDER_ID')
})

test('an amended iceberg order loses hidden quantity first, unseen by others, and keeps its shown part', () => {
  const { it, ann } = scene()
  const order = it.accepted({ who: ann, side: 'SELL', price: HUNDRED, quantity: 10, icebergQuantity: 3 })
  const target = targetOf(order)
  expect(reasonOf(amend(it, ann, target, 4))).toBeUndefined()
  expect(it.events.map(({ kind }) => kind)).toEqual(['OrderAmended'])
  expect(reasonOf(amend(it, ann, target, 2))).toBe('AMENDED_QUANTITY_TOO_SMALL')
  it.accepted({ who: ann, side: 'BUY', price: HUNDRED, quantity: 2 })
  expect(reasonOf(amend(it, ann, target, 3))).toBeUndefined()
  expect(it.events.map(({ kind }) => kind)).toEqual(['OrderAmended'])
  expect(it.exchange.book(0 as never).sell).toEqual([{ price: HUNDRED as never, quantity: 1n }])
  it.mustAddUp()
})

test('after any amendments in any order, books and holds add up, and a snapshot continues like the exchange', async () => {
  const step = fc.record({
    by: fc.nat(3),
    side: fc.constantFrom<Side>('BUY', 'SELL'),
    price: fc.integer({ min: 98, max: 102 }),
    quantity: fc.integer({ min: 1, max: 40 }),
    isAmendment: fc.boolean(),
    number: fc.nat(),
  })
  const met = { amended: 0 }
  const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
    const { it, ann, ben } = scene({ terms: { selfTradeMode: 'DECREMENT' } })
    for (const { by, side, price, quantity, isAmendment, number } of steps) {
      const who = by < 2 ? ann : ben
      const open = it.exchange.openOrders(who, undefined)
      const order = open[number % open.length]
      if (!isAmendment) it.order({ who, side, price, quantity })
      else if (order !== undefined) {
        const { remaining } = order
        const target = { orderNumber: order.orderNumber, orderTime: order.time }
        if (reasonOf(amend(it, who, target, quantity)) !== undefined) continue
        met.amended++
        const [after] = it.exchange.ordersByNumber({ accountId: who, orderNumbers: [order.orderNumber] })
        expect(after?.remaining as number).toBe(remaining - (order.quantity - quantity))
      }
    }
    it.mustAddUp()
    const bytes = it.exchange.encodeSnapshot()
    const again = Exchange.decodeSnapshot(bytes)
    expect(again.encodeSnapshot()).toEqual(bytes)
    const begun = (exchange: Exchange) =>
      exchange.begunOrders().toSorted((a, b) => a.orderNumber - b.orderNumber)
    expect(begun(again)).toEqual(begun(it.exchange))
  })
  await untilMet(met, () => fc.assert(property, { numRuns: 200 }), { least: 50 })
})
