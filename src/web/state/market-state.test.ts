import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Decimals, decimals, price, UNITS_MAX } from '../../units/quantities.ts'
import { levelsJson, orderBookJson, type PriceLevel } from '../../wire/market-data.ts'
import { eventJson } from '../../wire/stream.ts'
import { MarketState } from './market-state.ts'

const BTC_USDT = { name: 'BTC/USDT', baseFraction: decimals(8), quoteFraction: decimals(2) }
const ETH_BTC = { name: 'ETH/BTC', baseFraction: decimals(6), quoteFraction: decimals(6) }
const BOOK = '["orders",{"sell":{"101.00":1},"buy":{"100.00":2}}]'
const TRADE = '{"quantity":1,"price":100.5,"timestamp":1700000000000}'

function best(market: MarketState): (number | undefined)[] {
  return [market.book.best('SELL'), market.book.best('BUY')]
}

describe('market kept from the stream', () => {
  test('nothing is taken in before the whole book of the symbol', () => {
    const market = new MarketState()
    expect(market.take(BOOK)).toBe('ignored')
    market.expect(BTC_USDT)
    expect(market.take('["sell_order_update",{"99.00":1}]')).toBe('ignored')
    expect(market.take(`["trades",[${TRADE}]]`)).toBe('ignored')
    expect(market.hasBook).toBe(false)
    expect(market.take(BOOK)).toBe('current')
    expect(best(market)).toEqual([10_100, 10_000])
    expect(market.tape.trades.length).toBe(0)
  })

  test('what may be done in the symbol is known before its book, of no other symbol, and forgotten with it', () => {
    const market = new MarketState()
    market.expect(BTC_USDT)
    const exchange = '{"phase":"CLOSED","planned":[{"phase":"CANCEL_ONLY","at":1790000000000}]}'
    const status = (name: string) =>
      `["status",{"symbol":"${name}","seq":3,"status":"HALTED","exchange":${exchange}}]`
    expect(market.take(status('ETH/BTC'))).toBe('ignored')
    expect(market.status).toBeUndefined()
    expect(market.take(status('BTC/USDT'))).toBe('changed')
    const planned = [{ phase: 'CANCEL_ONLY', at: 1_790_000_000_000 }]
    expect(market.status as object).toEqual({ state: 'HALTED', phase: 'CLOSED', planned })
    market.expect(ETH_BTC)
    expect(market.status).toBeUndefined()
    market.expect(BTC_USDT)
    market.take(BOOK)
    expect(market.take('["status",{"symbol":"BTC/USDT","status":"HALTED","exchange":{"phase":1}}]')).toBe(
      'broken',
    )
  })

  test('trades after a whole book are the recent ones, later ones are added', () => {
    const market = new MarketState()
    market.expect(BTC_USDT)
    market.take(BOOK)
    market.take(`["trades",[${TRADE},${TRADE}]]`)
    market.take(`["trades",[${TRADE}]]`)
    expect(market.tape.trades.length).toBe(3)
    market.take(BOOK)
    expect(market.tape.trades.length).toBe(3)
    market.take(`["trades",[${TRADE}]]`)
    expect(market.tape.trades.length).toBe(1)
  })

  test('late events of the symbol that was left change nothing, even where its decimals are finer', () => {
    const market = new MarketState()
    market.expect(ETH_BTC)
    market.take('["orders",{"sell":{"0.050000":1},"buy":{}}]')
    market.expect(BTC_USDT)
    expect(best(market)).toEqual([undefined, undefined])
    expect(market.take('["sell_order_update",{"0.050001":1}]')).toBe('ignored')
    market.take(BOOK)
    expect(best(market)).toEqual([10_100, 10_000])
  })

  test('the same symbol asked for again stays as it was until its book comes', () => {
    const market = new MarketState()
    market.expect(BTC_USDT)
    market.take(BOOK)
    market.expect({ ...BTC_USDT })
    expect(market.hasBook).toBe(true)
    market.take('["sell_order_update",{"101.00":0}]')
    expect(best(market)).toEqual([10_100, 10_000])
  })

  test('a refusal is distinguished from a message that cannot be read', () => {
    const market = new MarketState()
    market.expect(BTC_USDT)
    expect(market.take('["error",{"status":false,"msg":["no"],"reason":"UNKNOWN_SYMBOL"}]')).toBe('refused')
    market.take(BOOK)
    expect(market.take('["sell_order_update",{"1.001":1}]')).toBe('broken')
    expect(market.take('["matched_order",{}]')).toBe('ignored')
  })

  test('whatever book and updates the node writes, the page has them to the last digit', () => {
    const places = fc.integer({ min: 0, max: 18 }).map((value) => decimals(value))
    const level = fc.record({
      price: fc.integer({ min: 1, max: UNITS_MAX }).map(price),
      quantity: fc.bigInt({ min: 1n, max: 2n ** 80n }),
    })
    const levels = fc.uniqueArray(level, { selector: (one) => one.price, maxLength: 20 })
    fc.assert(
      fc.property(places, places, levels, levels, (baseFraction, quoteFraction, sell, buy) => {
        const written: { baseFraction: Decimals; quoteFraction: Decimals } = { baseFraction, quoteFraction }
        const market = new MarketState()
        market.expect({ name: 'A/B', ...written })
        market.take(eventJson('orders', orderBookJson({ sell, buy: [] }, written)))
        market.take(eventJson('buy_order_update', levelsJson(buy, written)))
        const rows = market.book.rows(100)
        const figures = (side: readonly PriceLevel[]) => side.map((one) => `${one.price} ${one.quantity}`)
        expect(figures(rows.sell)).toEqual(figures(sell.toSorted((a, b) => a.price - b.price)))
        expect(figures(rows.buy)).toEqual(figures(buy.toSorted((a, b) => b.price - a.price)))
      }),
    )
  })
})
