/**
 * Tick and step of a symbol: the requirements on new orders, and the effect on existing orders
 * (docs/reference/admin.md#tick-and-step).
 */
import { describe, expect, test } from 'bun:test'
import { amount, type Lots, lots, type Price, price, UNITS_MAX } from '../../units/quantities.ts'
import type { OrderTarget } from '../commands/order-changes.ts'
import { Exchange } from '../exchange/exchange.ts'
import {
  type ExchangeHarness,
  OPERATOR,
  type OrderWords,
  orderOf,
} from '../exchange/exchange-harness.fixture.ts'
import type { OrderAccepted, Reply } from '../questions/reply.ts'
import { endsOf, listOf, openIn, placed, scene } from './lists/lists.fixture.ts'

/** Units of 10^-18 in a lot of BTC. */
const LOT_UNITS = 10n ** 10n
/** Ledger units of USDT for a lot at a price of one: prices have 2 decimals, lots and the ledger 8. */
const STEP = 100_000_000

const reasonOf = (reply: Reply) => (reply.kind === 'Refused' ? reply.reason : reply.kind)

function increments(it: ExchangeHarness, tickSize: number, stepSize: number, symbol = 'BTC/USDT'): string {
  const sizes = { tickSize: tickSize as Price, stepSize: stepSize as Lots }
  return reasonOf(it.give({ kind: 'SetSymbolIncrements', operator: OPERATOR, symbol, ...sizes }))
}

function band(it: ExchangeHarness, minPrice: number, maxPrice: number): string {
  const terms = { minTotal: amount(0n), minQuantity: lots(0), selfTradeMode: 'NONE' } as const
  const most = { openOrdersMax: 1_000, levelsMax: 1_000 }
  const prices = { minPrice: minPrice as Price, maxPrice: maxPrice as Price }
  return reasonOf(
    it.give({
      kind: 'SetSymbolTerms',
      operator: OPERATOR,
      symbol: 'BTC/USDT',
      ...terms,
      ...most,
      ...prices,
    }),
  )
}

const targetOf = ({ orderNumber, time }: OrderAccepted): OrderTarget => ({ orderNumber, orderTime: time })

const tradesOf = (it: ExchangeHarness) =>
  it.events.flatMap((event) => (event.kind === 'OrdersMatched' ? [event.quantity as number] : []))

/** Reads every snapshot of the exchange, and checks that it is written again with the same bytes. */
function mustBeKept({ exchange }: ExchangeHarness): void {
  const bytes = exchange.encodeSnapshot()
  expect(Exchange.decodeSnapshot(bytes).encodeSnapshot()).toEqual(bytes)
}

describe('tick and step of a symbol', () => {
  test('are set, changed and taken back, and are kept by snapshots', () => {
    const { it } = scene()
    const plain = it.exchange.symbols()[0]
    expect(increments(it, 5, 2_500)).toBe('Done')
    expect(it.events).toMatchObject([
      { kind: 'SymbolChanged', symbol: { increments: { tickSize: 5, stepSize: 2_500 } } },
    ])
    mustBeKept(it)
    expect(increments(it, 1, 3)).toBe('Done')
    mustBeKept(it)
    expect(increments(it, 1, 1)).toBe('Done')
    expect(it.exchange.symbols()[0]).toEqual(plain)
    mustBeKept(it)
  })

  test('are each 1 or more, of a symbol that is there', () => {
    const { it } = scene()
    expect(increments(it, 0, 1)).toBe('INVALID_COMMAND')
    expect(increments(it, 1, 0)).toBe('INVALID_COMMAND')
    expect(increments(it, UNITS_MAX + 1, 1)).toBe('INVALID_COMMAND')
    expect(increments(it, UNITS_MAX, UNITS_MAX)).toBe('Done')
    expect(increments(it, 5, 5, 'BTC/EUR')).toBe('UNKNOWN_SYMBOL')
  })

  test('always leave a price within the price range, whichever of the two is set later', () => {
    const { it } = scene()
    band(it, 101, 109)
    expect(increments(it, 10, 1)).toBe('INVALID_COMMAND')
    expect(increments(it, 9, 1)).toBe('Done')
    expect(band(it, 109, 116)).toBe('INVALID_COMMAND')
    expect(band(it, 109, 117)).toBe('Done')
  })
})

/** Orders of every type, which tick 5 and step 100 of the symbol allow. */
const ALLOWED: readonly Omit<OrderWords, 'who'>[] = [
  { side: 'BUY', price: 10_005, quantity: 300 * STEP },
  { side: 'BUY', price: 10_005, quantity: 300 * STEP, icebergQuantity: 100 * STEP },
  { side: 'SELL', type: 'LIMIT_MAKER', price: 20_005, quantity: 200 * STEP },
  { side: 'SELL', type: 'STOP_LOSS', stopPrice: 9_000, quantity: 100 * STEP },
  { side: 'SELL', type: 'TAKE_PROFIT_LIMIT', stopPrice: 30_000, price: 29_995, quantity: 100 * STEP },
]

describe('a new order', () => {
  test('of any type is refused for each figure that is off tick or step, and changes nothing', () => {
    const { it, ann } = scene()
    increments(it, 5, 100 * STEP)
    for (const words of ALLOWED) {
      for (const name of ['price', 'stopPrice', 'quantity', 'icebergQuantity'] as const) {
        const figure = words[name]
        if (figure === undefined) continue
        const isPrice = name === 'price' || name === 'stopPrice'
        const off = { ...words, who: ann, [name]: figure + (isPrice ? 1 : STEP) }
        const before = it.exchange.openOrders(ann, undefined)
        const reason = isPrice ? 'PRICE_NOT_ON_TICK' : 'QUANTITY_NOT_ON_STEP'
        expect(reasonOf(it.order(off))).toBe(reason)
        expect(reasonOf(it.exchange.testOrder(orderOf(off)) as Reply)).toBe(reason)
        expect(it.exchange.openOrders(ann, undefined)).toEqual(before)
      }
      expect(reasonOf(it.order({ ...words, who: ann }))).toBe('OrderAccepted')
    }
    it.mustAddUp()
  })

  test('in the place of another is checked before the other is canceled', () => {
    const { it, ann } = scene()
    increments(it, 5, 100)
    const old = it.accepted({ who: ann, side: 'BUY', price: 10_000, quantity: 100 * STEP })
    const order = orderOf({ who: ann, side: 'BUY', price: 10_001, quantity: 100 * STEP })
    const mode = 'ALLOW_FAILURE'
    const command = { kind: 'ReplaceOrder', target: targetOf(old), mode, restriction: undefined, order }
    expect(reasonOf(it.give(command as Parameters<ExchangeHarness['give']>[0]))).toBe('PRICE_NOT_ON_TICK')
    expect(it.exchange.isOpen(old.orderNumber)).toBe(true)
  })

  test('of a list is checked against them, a pending one too', () => {
    const { it, ann } = scene()
    increments(it, 5, 100 * STEP)
    const working = { side: 'BUY', type: 'LIMIT', price: 10_000, quantity: 100 * STEP } as const
    const pending = { side: 'SELL', type: 'LIMIT', price: 12_000, quantity: 100 * STEP } as const
    const ask = (first: object, second: object) =>
      reasonOf(
        it.give(
          listOf(
            'OTO',
            [
              { ...working, ...first },
              { ...pending, ...second },
            ],
            { who: ann },
          ),
        ),
      )
    expect(ask({ price: 10_001 }, {})).toBe('PRICE_NOT_ON_TICK')
    expect(ask({}, { price: 12_001 })).toBe('PRICE_NOT_ON_TICK')
    expect(ask({ quantity: 101 * STEP }, {})).toBe('QUANTITY_NOT_ON_STEP')
    expect(ask({}, { quantity: 99 * STEP })).toBe('QUANTITY_NOT_ON_STEP')
    expect(ask({}, {})).toBe('ListAccepted')
  })

  test('that is placed again under its client order id is answered as the first time, whatever the tick is now', () => {
    const { it, ann } = scene()
    const words = { who: ann, side: 'BUY', price: 10_001, quantity: 7, clientOrderId: 'a' } as const
    it.accepted({ ...words, quantity: 7 * STEP })
    increments(it, 5, 100)
    expect(reasonOf(it.order({ ...words, quantity: 7 * STEP }))).toBe('OrderRepeated')
  })
})

describe('an order that was open before tick or step changed', () => {
  test('keeps its price, its quantity and its place in the queue, and is filled by others at its price', () => {
    const { it, ann, ben } = scene()
    const odd = it.accepted({ who: ann, side: 'SELL', price: 10_001, quantity: 137 })
    increments(it, 5, 100)
    const { remaining, price: at } = it.exchange.openOrders(ann, undefined)[0] as {
      remaining: Lots
      price: Price
    }
    expect([remaining, at]).toEqual([lots(137), price(10_001)])
    it.accepted({ who: ben, side: 'BUY', price: 10_005, quantity: 100 })
    expect(it.events).toContainEqual(expect.objectContaining({ kind: 'OrdersMatched', price: price(10_001) }))
    // The remaining 37 are not a multiple of the step: an order for 100 takes all 37, and its remaining 63
    // rest in the book.
    it.accepted({ who: ben, side: 'BUY', price: 10_005, quantity: 100 })
    expect(tradesOf(it)).toEqual([37])
    expect(it.exchange.isOpen(odd.orderNumber)).toBe(false)
    expect(it.exchange.openOrders(ben, undefined)[0]?.remaining).toBe(lots(63))
    it.mustAddUp()
  })

  test('is canceled, and is amended to what it has or down to a multiple of the step', () => {
    const { it, ann } = scene()
    const odd = it.accepted({ who: ann, side: 'SELL', price: 10_001, quantity: 237 * STEP })
    const other = it.accepted({ who: ann, side: 'SELL', price: 10_001, quantity: 50 * STEP })
    increments(it, 5, 100 * STEP)
    const amend = (quantity: number) => {
      const units = amount(BigInt(quantity) * BigInt(STEP) * LOT_UNITS)
      return reasonOf(it.give({ kind: 'AmendOrder', accountId: ann, target: targetOf(odd), quantity: units }))
    }
    expect(amend(237)).toBe('OrderAmended')
    expect(amend(236)).toBe('QUANTITY_NOT_ON_STEP')
    expect(amend(300)).toBe('AMENDED_QUANTITY_TOO_LARGE')
    expect(amend(200)).toBe('OrderAmended')
    expect(amend(100)).toBe('OrderAmended')
    expect(it.cancel(ann, other)).toMatchObject({ kind: 'Done' })
    expect(it.cancel(ann, odd)).toMatchObject({ kind: 'Done' })
    it.mustAddUp()
  })

  test('is triggered with the figures that it was placed with', () => {
    const { it, ann, ben } = scene()
    const words = { who: ann, side: 'SELL', type: 'STOP_LOSS_LIMIT', quantity: 137 } as const
    const waits = it.accepted({ ...words, stopPrice: 9_001, price: 8_999 })
    increments(it, 5, 100)
    it.accepted({ who: ben, side: 'BUY', price: 9_000, quantity: 200 })
    it.accepted({ who: ben, side: 'SELL', price: 9_000, quantity: 100 })
    expect(it.carryOut()).toMatchObject([{ orderNumber: waits.orderNumber, status: 'PARTIALLY_FILLED' }])
    expect(it.exchange.openOrders(ann, undefined)).toMatchObject([
      { remaining: lots(37), price: price(8_999) },
    ])
    it.mustAddUp()
  })
})

describe('where a total is the limit', () => {
  test('a MARKET order trades whole steps, and an odd order that it can take completely', () => {
    const { it, ann, ben } = scene()
    it.accepted({ who: ann, side: 'SELL', price: 10_000, quantity: 37 * STEP })
    increments(it, 5, 100 * STEP)
    it.accepted({ who: ann, side: 'SELL', price: 10_000, quantity: 500 * STEP })
    const spend = (units: bigint) =>
      it.order({ who: ben, side: 'BUY', type: 'MARKET', total: units * 10n ** 8n * 100n })
    expect(spend(386n)).toMatchObject({ kind: 'OrderAccepted', status: 'FILLED' })
    expect(tradesOf(it)).toEqual([37 * STEP, 300 * STEP])
    expect(reasonOf(spend(99n))).toBe('TOTAL_BELOW_BEST_PRICE')
    expect(spend(100n)).toMatchObject({ status: 'FILLED' })
    expect(tradesOf(it)).toEqual([100 * STEP])
    it.mustAddUp()
  })

  test('DECREMENT lowers an own order by whole steps, and an odd one that it can take completely by all of it', () => {
    const { it, ann } = scene()
    it.accepted({ who: ann, side: 'SELL', price: 10_000, quantity: 37 * STEP })
    increments(it, 5, 100 * STEP)
    it.accepted({ who: ann, side: 'SELL', price: 10_000, quantity: 500 * STEP })
    const words = { who: ann, side: 'BUY', type: 'MARKET', selfTradeMode: 'DECREMENT' } as const
    const spend = (units: bigint) => it.order({ ...words, total: units * 10n ** 8n * 100n })
    const left = () => it.exchange.openOrders(ann, undefined).map(({ remaining }) => remaining as number)
    // The budget pays for 386: all of the odd 37, and three steps of the remaining 349.
    expect(spend(386n)).toMatchObject({ kind: 'OrderAccepted', status: 'CANCELED' })
    expect(left()).toEqual([200 * STEP])
    expect(reasonOf(spend(99n))).toBe('TOTAL_BELOW_BEST_PRICE')
    expect(left()).toEqual([200 * STEP])
    it.mustAddUp()
  })

  test('DECREMENT subtracts from the total of a MARKET BUY the cost of whole steps of own orders, and trades the rest with others', () => {
    for (let units = 100n; units <= 900n; units += 33n) {
      const { it, ann, ben } = scene()
      increments(it, 5, 100 * STEP)
      // In the order of their turns: 100 of another account, 300 of the taker's own, and again 200 of another
      // account.
      it.accepted({ who: ben, side: 'SELL', price: 10_000, quantity: 100 * STEP })
      it.accepted({ who: ann, side: 'SELL', price: 10_000, quantity: 300 * STEP })
      it.accepted({ who: ben, side: 'SELL', price: 10_000, quantity: 200 * STEP })
      const before = it.money(ann, 1)
      const price = 10n ** 8n * 100n
      const words = { who: ann, side: 'BUY', type: 'MARKET', selfTradeMode: 'DECREMENT' } as const
      it.accepted({ ...words, total: units * price })
      const steps = Math.min(Math.floor(Number(units) / 100), 6)
      const own = Math.min(Math.max(steps - 1, 0), 3)
      const traded = steps - own
      expect([units, tradesOf(it).reduce((sum, one) => sum + one, 0) / STEP]).toEqual([units, traded * 100])
      const left = it.exchange.openOrders(ann, undefined).map(({ remaining }) => remaining / STEP)
      expect(left).toEqual(own === 3 ? [] : [300 - own * 100])
      // Only trades cost money.
      expect(before.free - it.money(ann, 1).free).toBe(BigInt(traded) * 100n * price)
      expect(it.money(ann, 1).locked).toBe(0n)
      it.mustAddUp()
    }
  })

  test('DECREMENT of a MARKET SELL with a total lowers own orders by whole steps', () => {
    const { it, ann } = scene()
    increments(it, 5, 100 * STEP)
    it.accepted({ who: ann, side: 'BUY', price: 10_000, quantity: 500 * STEP })
    const words = { who: ann, side: 'SELL', type: 'MARKET', selfTradeMode: 'DECREMENT' } as const
    const total = (units: bigint) => units * 10n ** 8n * 100n
    const left = () => it.exchange.openOrders(ann, undefined).map(({ remaining }) => remaining / STEP)
    const sold = it.order({ ...words, quantity: 400 * STEP, total: total(299n) })
    expect([sold, tradesOf(it), left()]).toMatchObject([{ kind: 'OrderAccepted' }, [], [300]])
    expect(reasonOf(it.order({ ...words, quantity: 400 * STEP, total: total(99n) }))).toBe(
      'TOTAL_BELOW_BEST_PRICE',
    )
    expect(left()).toEqual([300])
    it.mustAddUp()
  })

  test('an order with a total to receive sells whole steps', () => {
    const { it, ann, ben } = scene()
    increments(it, 5, 100 * STEP)
    it.accepted({ who: ann, side: 'BUY', price: 10_000, quantity: 500 * STEP })
    const total = 299n * 10n ** 8n * 100n
    const sold = it.order({ who: ben, side: 'SELL', type: 'MARKET', quantity: 400 * STEP, total })
    expect(sold).toMatchObject({ kind: 'OrderAccepted', status: 'FILLED' })
    expect(tradesOf(it)).toEqual([200 * STEP])
    it.mustAddUp()
  })
})

describe('a pending order without a quantity', () => {
  test('gets whole steps of the proceeds of its working order', () => {
    const { it, ann, cleo } = scene()
    increments(it, 5, 10 * STEP)
    const working = { side: 'BUY', type: 'LIMIT', price: 10_000, quantity: 100 * STEP } as const
    const list = placed(
      it,
      listOf('OTO', [working, { side: 'SELL', type: 'LIMIT', price: 12_000 }], { who: cleo }),
    )
    it.accepted({ who: ann, side: 'SELL', price: 10_000, quantity: 100 * STEP })
    it.carryOut()
    // 100 minus a commission of 0.1 % is 99.9.
    expect(openIn(it, cleo, list, 1)?.quantity).toBe(lots(90 * STEP))
    it.mustAddUp()
  })

  test('ends where that is less than a step', () => {
    const { it, ann, cleo } = scene()
    increments(it, 5, 100 * STEP)
    const working = { side: 'BUY', type: 'LIMIT', price: 10_000, quantity: 100 * STEP } as const
    placed(it, listOf('OTO', [working, { side: 'SELL', type: 'LIMIT', price: 12_000 }], { who: cleo }))
    it.accepted({ who: ann, side: 'SELL', price: 10_000, quantity: 100 * STEP })
    it.carryOut()
    expect(endsOf(it).map(([, reason]) => reason)).toEqual(['QUANTITY_TOO_SMALL'])
    it.mustAddUp()
  })
})
