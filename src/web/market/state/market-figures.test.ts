import { describe, expect, test } from 'bun:test'
import type { Decimals } from '../../../units/quantities.ts'
import { isFound, marketFigures } from './market-figures.ts'

const symbol = { quoteFraction: 2 as Decimals }

describe('figures of a market', () => {
  test('have the price with all its decimals, the change with its sign, and the volume rounded', () => {
    expect(
      marketFigures(
        {
          lastPrice: '60000.5',
          priceChangePercent: '1.254',
          highPrice: '60001',
          lowPrice: '998.5',
          quoteVolume: '1254321.5',
        },
        symbol,
      ),
    ).toEqual({
      last: '60\u202f000.50',
      change: '+1.25',
      direction: 'up',
      high: '60\u202f001.00',
      low: '998.50',
      volume: '1.25M',
    })
    const volumes = (['en', 'tr'] as const).map(
      (language) => marketFigures({ quoteVolume: '22114.5' }, symbol, language).volume,
    )
    expect(volumes).toEqual(['22.11K', '22.11 bin'])
    expect(
      marketFigures({ lastPrice: '41', priceChangePercent: '-12.3', quoteVolume: '999.4' }, symbol),
    ).toMatchObject({ last: '41.00', change: '-12.30', direction: 'down', volume: '999.4' })
  })

  test('show no fall where it is too small to be visible', () => {
    const figures = marketFigures({ lastPrice: '1', priceChangePercent: '-0.001', quoteVolume: '0' }, symbol)
    expect(figures).toMatchObject({ change: '0.00', direction: 'flat' })
  })

  test('of a market without trades are empty except for its volume', () => {
    const nothing = { last: undefined, change: undefined, high: undefined, low: undefined } as const
    expect(marketFigures({ quoteVolume: '0' }, symbol)).toEqual({
      ...nothing,
      direction: 'flat',
      volume: '0',
    })
  })
})

describe('a search', () => {
  test('finds a market by any part of its name, in any case and with or without the slash', () => {
    for (const search of ['', 'btc', 'BTC/', 'cusd', 'btc usdt', 'BTC-USDT']) {
      expect([search, isFound('BTC/USDT', search)]).toEqual([search, true])
    }
    expect(isFound('BTC/USDT', 'eth')).toBe(false)
    for (const search of ['fil', 'fıl', 'FİL', 'FIL']) {
      expect([search, isFound('FIL/USDT', search)]).toEqual([search, true])
    }
  })
})
