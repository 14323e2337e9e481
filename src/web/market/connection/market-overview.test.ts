import { expect, test } from 'bun:test'
import type { DayTicker, SymbolRules } from '../../../client/interface/answers.ts'
import { MarketOverview } from './market-overview.ts'

const TICKER: DayTicker = {
  symbol: 'A/B',
  volume: '0',
  quoteVolume: '0',
  openTime: 1,
  closeTime: 2,
  count: 0,
}

function rulesOf(...symbols: readonly [name: string, status: string, isOpen: boolean][]): SymbolRules {
  return {
    symbols: symbols.map(([symbol, status, isSpotTradingAllowed]) => ({
      symbol,
      status,
      isSpotTradingAllowed,
    })),
  } as unknown as SymbolRules
}

test('the overview requests all markets once while the list is open, again after a while, and reports failures', async () => {
  const log: string[] = []
  const due: (() => void)[] = []
  let isDown = false
  const overview = new MarketOverview({
    client: {
      dayTickers: async () => {
        log.push('asked')
        if (isDown) throw new Error('down')
        return [TICKER]
      },
      symbolRules: async () =>
        rulesOf(['A/B', 'TRADING', true], ['C/D', 'HALTED', false], ['E/F', 'TRADING', false]),
    },
    onFigures: (tickers) => log.push(`figures ${tickers.length}`),
    onClosures: (closures) => log.push([...closures].map(([name, why]) => `${name} ${why}`).join(', ')),
    onFailed: (isFailed) => log.push(isFailed ? 'failed' : 'well'),
    schedule: (_, callback) => {
      due.push(callback)
      return () => due.splice(0)
    },
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  overview.open()
  overview.open()
  await settled()
  expect(log.splice(0)).toEqual(['asked', 'A/B undefined, C/D HALTED, E/F CLOSED', 'figures 1', 'well'])
  isDown = true
  due.pop()?.()
  await settled()
  expect(log.splice(0)).toEqual(['asked', 'failed'])
  overview.close()
  expect(due).toEqual([])
  overview.open()
  overview.close()
  await settled()
  expect(log.splice(0)).toEqual(['asked'])
})
