import { describe, expect, test } from 'bun:test'
import { type ListedMarket, nextSort, quoteCodes, type Sort, shownMarkets } from './market-order.ts'

function market(name: string, last?: string, change?: string, quoteVolume = '0', isFavorite = false) {
  const quoteCode = name.split('/')[1] ?? ''
  const figures =
    last === undefined ? undefined : { lastPrice: last, priceChangePercent: change, volume: '1', quoteVolume }
  return { symbol: { name, quoteCode }, figures, isFavorite } satisfies ListedMarket
}

const MARKETS = [
  market('ETH/USDT', '3000', '-1.5', '9000', true),
  market('ADA/USDT'),
  market('BTC/USDT', '60000.5', '0.25', '60000'),
  market('USDT/TRY', '40', undefined, '80000'),
  market('SOL/USDT', '9', '12', '100'),
]
const names = (sort: Sort, search = '', tab: Parameters<typeof shownMarkets>[1]['tab'] = { kind: 'ALL' }) =>
  shownMarkets(MARKETS, { tab, search, sort }).map(({ symbol }) => symbol.name.slice(0, -5))

describe('the order of markets', () => {
  test('is the exchange’s, until a column is pressed: the largest first, the smallest first, the exchange’s again', () => {
    const first = nextSort(undefined, 'change')
    const second = nextSort(first, 'change')
    expect(names(undefined)).toEqual(['ETH', 'ADA', 'BTC', 'USD', 'SOL'])
    expect(names(first)).toEqual(['SOL', 'BTC', 'ETH', 'ADA', 'USD'])
    expect(names(second)).toEqual(['ETH', 'BTC', 'SOL', 'ADA', 'USD'])
    expect(nextSort(second, 'change')).toBe(undefined)
    expect(names(nextSort(second, 'name'))).toEqual(['ADA', 'BTC', 'ETH', 'SOL', 'USD'])
  })

  test('by price is numeric, and by volume in the most common quote asset', () => {
    expect(names({ key: 'last', isDescending: false })).toEqual(['SOL', 'USD', 'ETH', 'BTC', 'ADA'])
    expect(names({ key: 'volume', isDescending: true })).toEqual(['BTC', 'ETH', 'USD', 'SOL', 'ADA'])
  })
})

describe('the markets shown', () => {
  test('are those of the tab, and during a search those of all tabs', () => {
    expect(names(undefined, '', { kind: 'FAVORITES' })).toEqual(['ETH'])
    expect(names(undefined, '', { kind: 'QUOTE', code: 'TRY' })).toEqual(['USD'])
    expect(names(undefined, 'sol', { kind: 'FAVORITES' })).toEqual(['SOL'])
  })

  test('have the quote asset of most markets as the first tab', () => {
    const codes = ['TRY', 'USDT', 'BTC', 'USDT'].map((quoteCode) => ({ quoteCode }))
    expect(quoteCodes(codes)).toEqual(['USDT', 'TRY', 'BTC'])
  })
})
