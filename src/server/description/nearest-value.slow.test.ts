/** The nearest value in a refusal passes the rule that refused the order. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Nearest } from '../../contract/error-body.ts'
import {
  ExchangeHarness,
  OPERATOR,
  type OrderWords,
  orderOf,
} from '../../core/exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import { parseDecimal } from '../../units/decimal.ts'
import type { AccountId } from '../../units/ids.ts'
import { SIDES } from '../../units/order-enums.ts'
import { amount, type Decimals, type Lots, type Price } from '../../units/quantities.ts'
import { untilMet } from '../../units/random-rounds.fixture.ts'
import type { LimitsView } from './limits-view.ts'
import { nearestValue } from './nearest-value.ts'

const small = fc.integer({ min: 1, max: 400 })
const setUp = fc.record({
  baseFraction: fc.integer({ min: 0, max: 8 }),
  quoteFraction: fc.integer({ min: 0, max: 6 }),
  minTotal: fc.constantFrom(0n, 1n, 7n, 1_000n, 50_000_000n),
  minQuantity: fc.constantFrom(0, 1, 9, 250),
  band: fc.option(fc.tuple(small, small), { nil: undefined }),
  lastPrice: fc.option(small, { nil: undefined }),
  tickSize: fc.constantFrom(1, 1, 1, 1, 1, 2, 5, 40),
  stepSize: fc.constantFrom(1, 1, 1, 1, 1, 3, 25, 1_000),
})
const words = fc.record({
  side: fc.constantFrom(...SIDES),
  type: fc.constantFrom('LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'TAKE_PROFIT_LIMIT' as const),
  price: small,
  stopPrice: small,
  quantity: fc.integer({ min: 1, max: 3_000 }),
  total: fc.option(fc.bigInt({ min: 1n, max: 100_000n }), { nil: undefined }),
  icebergQuantity: fc.option(fc.integer({ min: 1, max: 3_200 }), { nil: undefined }),
})
type Drawn = typeof words extends fc.Arbitrary<infer Words> ? Words : never

/** The drawn figures that the type accepts. */
function taken(who: AccountId, { type, side, price, stopPrice, quantity, total, icebergQuantity }: Drawn) {
  const isPriced = type !== 'MARKET' && type !== 'STOP_LOSS'
  const isStop = type === 'STOP_LOSS' || type === 'TAKE_PROFIT_LIMIT'
  const mayHide = type === 'LIMIT' || type === 'LIMIT_MAKER'
  const isBudget = !isPriced && side === 'BUY'
  return {
    who,
    side,
    type,
    quantity,
    ...(isPriced ? { price } : {}),
    ...(isStop ? { stopPrice } : {}),
    ...(isBudget ? { total: total ?? 5n } : {}),
    ...(total !== undefined && isPriced ? { total } : {}),
    ...(mayHide && icebergQuantity !== undefined ? { icebergQuantity } : {}),
  } satisfies OrderWords
}

/** The order with the suggested value in place of the refused one. */
function changed(
  order: OrderWords,
  { parameter, value }: Nearest,
  decimals: Readonly<Record<string, number>>,
) {
  const units = parseDecimal(value, decimals[parameter] as Decimals)
  if (typeof units !== 'bigint') throw new Error(`${parameter}=${value} is ${units}`)
  if (parameter === 'total') return { ...order, total: units }
  const name = parameter === 'icebergQty' ? 'icebergQuantity' : parameter
  return { ...order, [name]: Number(units) }
}

const REASONS = [
  'ICEBERG_QUANTITY_TOO_LARGE',
  'ICEBERG_QUANTITY_TOO_SMALL',
  'PRICE_NOT_ON_TICK',
  'PRICE_OUT_OF_BAND',
  'QUANTITY_NOT_ON_STEP',
  'QUANTITY_TOO_SMALL',
  'STOP_PRICE_REACHED',
  'TOTAL_MISMATCH',
  'TOTAL_TOO_SMALL',
]

test('the nearest value in the refusal of a number is not refused for the same reason', async () => {
  const met: Record<string, number> = Object.fromEntries(REASONS.map((reason) => [reason, 0]))
  const property = fc.property(setUp, words, (terms, drawn) => {
    const { baseFraction, quoteFraction, minTotal, minQuantity, band, lastPrice } = terms
    const harness = new ExchangeHarness({
      terms: {
        baseFraction: baseFraction as Decimals,
        quoteFraction: quoteFraction as Decimals,
      },
    })
    harness.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
    const money = { BTC: 10n ** 30n, USDT: 10n ** 30n }
    const who = harness.trader('ann', money)
    if (lastPrice !== undefined) {
      const other = harness.trader('ben', money)
      const quantity = 10 ** (baseFraction + quoteFraction)
      harness.accepted({ who: other, side: 'SELL', price: lastPrice, quantity })
      harness.accepted({ who, side: 'BUY', price: lastPrice, quantity })
    }
    const changes = harness.give({
      kind: 'SetSymbolTerms',
      operator: OPERATOR,
      symbol: 'BTC/USDT',
      minTotal: amount(minTotal),
      minQuantity: minQuantity as Lots,
      selfTradeMode: 'NONE',
      openOrdersMax: 10,
      levelsMax: 10,
      minPrice: (band === undefined ? 0 : Math.min(...band)) as Price,
      maxPrice: (band === undefined ? 0 : Math.max(...band)) as Price,
    })
    expect(changes).toMatchObject({ kind: 'Done' })
    const { tickSize, stepSize } = terms
    // With no price of the band on the tick, these terms would be refused, and any price and quantity
    // accepted.
    harness.give({
      kind: 'SetSymbolIncrements',
      operator: OPERATOR,
      symbol: 'BTC/USDT',
      tickSize: tickSize as Price,
      stepSize: stepSize as Lots,
    })
    const symbol = harness.exchange.symbols()[0]
    const view = { registry: { symbol: () => symbol }, lastPrice: () => lastPrice } as unknown as LimitsView
    const order = taken(who, drawn)
    const answer = harness.exchange.testOrder(orderOf(order))
    if (answer.kind !== 'Refused') return
    const nearest = nearestValue(answer.reason, orderOf(order), view)
    if (nearest === undefined) return
    met[answer.reason] = (met[answer.reason] ?? 0) + 1
    const decimals = {
      ...{ price: quoteFraction, stopPrice: quoteFraction, total: 8 },
      ...{ quantity: baseFraction, icebergQty: baseFraction },
    }
    const better = orderOf(changed(order, nearest, decimals))
    const again = harness.exchange.testOrder(better)
    if (again.kind !== 'Refused' || again.reason !== answer.reason) return
    // A price and a stop price are refused one at a time.
    expect(nearestValue(again.reason, better, view)?.parameter).not.toBe(nearest.parameter)
    expect(['PRICE_OUT_OF_BAND', 'PRICE_NOT_ON_TICK', 'QUANTITY_NOT_ON_STEP']).toContain(answer.reason)
  })
  await untilMet(met, () => fc.assert(property, { numRuns: 10_000 }), { least: 10 })
  expect(Object.keys(met)).toEqual(REASONS)
})
