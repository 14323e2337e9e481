import { describe, expect, test } from 'bun:test'
import { decimals } from '../../../units/quantities.ts'
import { MarketState } from './market-state.ts'

const BTC_USDT = { name: 'BTC/USDT', baseFraction: decimals(8), quoteFraction: decimals(2) }
const AT = { symbol: 'BTC/USDT', seq: 3 }

const trade = (price: string, timestamp: number) => ({
  ...{ id: `${timestamp}`, price, quantity: '0.00000001', timestamp, isBuyerMaker: true },
})

describe('market kept from channels', () => {
  test('recent trades replace all previous ones, and later ones are added', () => {
    const market = new MarketState(BTC_USDT)
    expect(market.hasTrades).toBe(false)
    market.takeTrades({ ...AT, trades: [trade('100.50', 1)] })
    market.takeTrades({ ...AT, prevSeq: 2, trades: [trade('100.51', 2)] })
    expect(market.tape.trades.map(({ price, quantity, direction }) => [price, quantity, direction])).toEqual([
      [10_051, 1, 'up'],
      [10_050, 1, 'flat'],
    ] as never)
    market.takeTrades({ ...AT, trades: [] })
    expect(market.tape.trades).toEqual([])
    expect(market.hasTrades).toBe(true)
  })

  test('the trading state is that of the symbol and of the exchange, with planned changes', () => {
    const market = new MarketState(BTC_USDT)
    expect(market.status).toBeUndefined()
    const planned = [{ phase: 'CANCEL_ONLY' as const, at: 1_790_000_000_000 }]
    market.takeStatus({ ...AT, status: 'HALTED', exchange: { phase: 'CLOSED', planned } })
    expect(market.status as object).toEqual({ state: 'HALTED', phase: 'CLOSED', planned })
  })
})
