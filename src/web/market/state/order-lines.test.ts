import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Decimal } from '../../../client/decimal.ts'
import type { Order } from '../../../client/interface/orders.ts'
import { LINES_MAX, nearestWithin, orderLines, snappedPrice, steppedPrice } from './order-lines.ts'

function order(fields: Partial<Order>): Order {
  const amounts = { quantity: '2', executedQuantity: '0.5', executedTotal: '0', commission: '0' }
  const times = { createdAt: 1, updatedAt: 1 }
  const words = { symbol: 'A/B', side: 'BUY', type: 'LIMIT', status: 'NEW', commissionAsset: 'A' } as const
  return { id: 'o', ...words, ...amounts, ...times, ...fields }
}

describe('lines of own orders', () => {
  test('are at the limit, and at the stop price until it was reached', () => {
    const stop = { id: 's', type: 'STOP_LOSS_LIMIT', price: '9', stopPrice: '10' } as const
    const lines = (orders: readonly Order[]) =>
      orderLines(orders, undefined).map(({ id, field, price }) => [id, field, price])
    expect(lines([order({ price: '7' }), order(stop), order({ id: 'm', total: '5' })])).toEqual([
      ['o-limit', 'price', '7'],
      ['s-stop', 'stopPrice', '10'],
      ['s-limit', 'price', '9'],
    ])
    expect(lines([order({ ...stop, triggeredAt: 5 })])).toEqual([['s-limit', 'price', '9']])
  })

  test('are limited in number, to those nearest to the last price', () => {
    const orders = Array.from({ length: LINES_MAX * 2 }, (_, index) =>
      order({ id: `${index}`, price: `${index + 1}` }),
    )
    const prices = orderLines(orders, '100').map(({ price }) => Number(price))
    expect([prices.length, Math.min(...prices), Math.max(...prices)]).toEqual([LINES_MAX, 51, 100])
    expect(orderLines(orders, undefined).at(-1)?.price).toBe(`${LINES_MAX}`)
  })

  test('are found by the nearest height within reach', () => {
    const [one, other] = [{ y: 10 }, { y: 20 }]
    expect(nearestWithin([one, other], 14, 6)).toBe(one)
    expect(nearestWithin([one, other], 16, 6)).toBe(other)
    expect(nearestWithin([one, other], 27, 6)).toBeUndefined()
  })
})

const TICKS = fc.constantFrom('0.01', '0.05', '25', '0.000001', '1')

describe('a price that is chosen by hand', () => {
  test('is the nearest one that the market accepts, and never zero', () => {
    expect(snappedPrice(60_000.126, '0.01')).toBe('60000.13')
    expect(snappedPrice(60_012.6, '25')).toBe('60025')
    expect(snappedPrice(0.001, '0.01')).toBe('0.01')
    for (const pointed of [0, -5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(snappedPrice(pointed, '0.01')).toBeUndefined()
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), TICKS, (pointed, tick) => {
        const price = Decimal.from(snappedPrice(pointed, tick) ?? '0')
        expect(price.compare(price.roundedDownTo(tick))).toBe(0)
        const away = Math.abs(Number(price.toString()) - pointed)
        expect(away <= Number(tick) * (pointed < Number(tick) ? 1 : 0.5) + pointed * 1e-12).toBe(true)
      }),
    )
  })

  test('moves by whole steps, from between two of them to the next, and not below one', () => {
    expect(steppedPrice('10.02', '0.01', 1)).toBe('10.03')
    expect(steppedPrice('10.02', '0.01', -10)).toBe('9.92')
    expect(steppedPrice('10.02', '0.05', 1)).toBe('10.05')
    expect(steppedPrice('10.02', '0.05', -1)).toBe('10')
    expect(steppedPrice('0.02', '0.01', -10)).toBe('0.01')
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 1e9 }), fc.integer({ min: 1, max: 10 }), (units, steps) => {
        const price = Decimal.from(BigInt(units)).times('0.01').toString()
        const there = steppedPrice(price, '0.01', steps)
        expect(steppedPrice(there, '0.01', -steps)).toBe(price)
      }),
    )
  })
})
