import { describe, expect, test } from 'bun:test'
import { exchangeInfoBody } from '../../../contract/api/exchange-info.ts'
import { decimals, rate } from '../../../units/quantities.ts'
import { readSymbols } from './symbols.ts'

describe('listed symbols', () => {
  test('written by the node are read back', () => {
    const figures = { name: 'BTC/USDT', baseCode: 'BTC', quoteCode: 'USDT', takerRate: rate(100_000) }
    const body = exchangeInfoBody([{ ...figures, baseFraction: decimals(8), quoteFraction: decimals(2) }])
    expect(readSymbols(JSON.parse(body))).toEqual([
      {
        name: 'BTC/USDT',
        baseCode: 'BTC',
        quoteCode: 'USDT',
        baseFraction: decimals(8),
        quoteFraction: decimals(2),
      },
    ])
    expect(readSymbols({ symbols: [] })).toEqual([])
  })

  test.each([null, 1, {}, { symbols: {} }, { symbols: [null] }, { symbols: [{ symbol: 'A/B' }] }])(
    'in any other form are refused: %j',
    (body) => {
      expect(readSymbols(body)).toBeUndefined()
    },
  )
})
