import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Uuid } from '../../units/ids.ts'
import { decimals, lots, price, timeMs, UNITS_MAX } from '../../units/quantities.ts'
import {
  levelsJson,
  matchedOrderJson,
  orderBookJson,
  publicTradeJson,
  publicTradesJson,
} from './market-data.ts'

const BTC_USDT = { baseFraction: decimals(8), quoteFraction: decimals(2) }

describe('market data as JSON', () => {
  test('a book has price keys with exactly the price decimals and quantities as plain numbers', () => {
    const book = {
      sell: [
        { price: price(6_000_000), quantity: 150_000_000n },
        { price: price(6_000_050), quantity: 1n },
      ],
      buy: [{ price: price(5), quantity: 200_000_000n }],
    }
    expect(orderBookJson(book, BTC_USDT)).toBe(
      '{"sell":{"60000.00":1.5,"60000.50":0.00000001},"buy":{"0.05":2}}',
    )
    expect(orderBookJson({ sell: [], buy: [] }, BTC_USDT)).toBe('{"sell":{},"buy":{}}')
  })

  test('a removed level has quantity 0', () => {
    expect(levelsJson([{ price: price(100), quantity: 0n }], BTC_USDT)).toBe('{"1.00":0}')
  })

  test('a trade and a match have exactly the documented fields', () => {
    const figures = { quantity: lots(150_000_000), price: price(6_000_000), time: timeMs(1_700_000_000_000) }
    const trade = '{"quantity":1.5,"price":60000,"timestamp":1700000000000}'
    expect(publicTradeJson(figures, BTC_USDT)).toBe(trade)
    expect(publicTradesJson([figures, figures], BTC_USDT)).toBe(`[${trade},${trade}]`)
    expect(publicTradesJson([], BTC_USDT)).toBe('[]')
    const match = { ...figures, makerId: 'm' as Uuid, takerId: 't' as Uuid }
    expect(matchedOrderJson(match, BTC_USDT)).toBe(
      '{"id":"m","takerId":"t","quantity":1.5,"price":60000,"timestamp":1700000000000}',
    )
  })

  test('every quantity is the exact integer of lots, whatever its size', () => {
    const places = fc.integer({ min: 0, max: 18 }).map(decimals)
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 80n }),
        fc.integer({ min: 1, max: UNITS_MAX }),
        places,
        places,
        (quantity, ticks, baseFraction, quoteFraction) => {
          const text = levelsJson([{ price: price(ticks), quantity }], { baseFraction, quoteFraction })
          const [, key, value] = /^\{"([0-9.]+)":([0-9.]+)\}$/.exec(text) ?? []
          const [whole = '', fraction = ''] = (value ?? '').split('.')
          expect(BigInt(whole + fraction.padEnd(baseFraction, '0'))).toBe(quantity)
          expect((key ?? '').split('.')[1]?.length ?? 0).toBe(quoteFraction)
          expect(() => JSON.parse(text)).not.toThrow()
        },
      ),
    )
  })
})
