import { describe, expect, test } from 'bun:test'
import type { ExchangeEvent } from '../core/events/event.ts'
import { type Bootstrap, type PublicTrade, RECENT_TRADES_MAX } from '../core/questions/view.ts'
import { PLAIN_TERMS } from '../core/registry/plain-terms.fixture.ts'
import type { ApiKey, Asset, TradingSymbol } from '../core/registry/records.ts'
import { candleOf } from '../units/candle.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../units/ids.ts'
import { amount, decimals, lots, price, seq, timeMs } from '../units/quantities.ts'
import { MarketData } from './market-data.ts'

const SYMBOL = 0 as SymbolId
const NOTHING: Bootstrap = {
  seq: seq(0),
  time: timeMs(0),
  rulesVersion: 1,
  assets: [],
  symbols: [],
  accounts: [],
  apiKeys: [],
  books: [],
}

const BTC: Asset = {
  id: 0 as AssetId,
  code: 'BTC',
  name: 'Bitcoin',
  fraction: decimals(8),
  isDeposit: true,
  isWithdraw: true,
  isTrade: true,
  isSaving: false,
  supplyCap: amount(0n),
}

const BTC_USDT: TradingSymbol = {
  ...PLAIN_TERMS,
  id: SYMBOL,
  name: 'BTC/USDT',
  base: 0 as AssetId,
  quote: 1 as AssetId,
  baseCode: 'BTC',
  quoteCode: 'USDT',
  basePrecision: decimals(8),
  quotePrecision: decimals(8),
  state: 'TRADING',
  roundingAccountId: 2 as AccountId,
}

const KEY: ApiKey = {
  apiKey: 'k',
  accountId: 3 as AccountId,
  sealedSecret: new Uint8Array(),
  permissions: ['TRADE'],
  addresses: [],
  label: '',
  createdAt: timeMs(1),
  enabled: true,
}

function matched(number: number): ExchangeEvent {
  const party = {
    accountId: 3 as AccountId,
    orderNumber: 1 as OrderNumber,
    orderTime: timeMs(1),
    total: amount(0n),
    commission: amount(0n),
  }
  return {
    kind: 'OrdersMatched',
    symbolId: SYMBOL,
    tradeNumber: number as TradeNumber,
    symbolTrade: number,
    time: timeMs(number),
    price: price(number),
    quantity: lots(1),
    takerSide: 'BUY',
    maker: party,
    taker: party,
  }
}

function trade(number: number): PublicTrade {
  return {
    tradeNumber: number as TradeNumber,
    symbolTrade: number,
    price: price(number),
    quantity: lots(1),
    time: timeMs(number),
    takerSide: 'BUY',
  }
}

describe('market data', () => {
  test('assets, symbols, accounts and keys that arrive as events are found by number and by name', () => {
    const market = new MarketData(NOTHING)
    const account = { id: 3 as AccountId, name: 'alice', role: 'trader', createdAt: timeMs(1) } as const
    market.apply({
      seq: seq(4),
      time: timeMs(1),
      events: [
        { kind: 'AssetChanged', asset: BTC },
        { kind: 'SymbolChanged', symbol: BTC_USDT },
        { kind: 'AccountCreated', account },
        { kind: 'ApiKeyChanged', apiKey: KEY },
      ],
    })
    const { registry } = market
    expect(market.seq).toBe(seq(4))
    expect(registry.assetByCode('BTC')).toEqual(BTC)
    expect(registry.asset(BTC.id)).toEqual(BTC)
    expect(registry.symbolByName('BTC/USDT')).toEqual(BTC_USDT)
    expect(registry.symbol(SYMBOL)).toEqual(BTC_USDT)
    expect(registry.account(account.id)).toEqual(account)
    expect(registry.apiKey('k')).toEqual(KEY)
    market.apply({
      seq: seq(5),
      time: timeMs(2),
      events: [{ kind: 'ApiKeyChanged', apiKey: { ...KEY, enabled: false } }],
    })
    expect(registry.apiKey('k')?.enabled).toBe(false)
    const changed: string[] = []
    market.onApiKeyChanged = (apiKey) => changed.push(apiKey)
    const removed = { kind: 'ApiKeyRemoved', accountId: account.id, apiKey: 'k' } as const
    market.apply({
      seq: seq(6),
      time: timeMs(3),
      events: [{ kind: 'ApiKeyChanged', apiKey: { ...KEY, apiKey: 'next' } }, removed],
    })
    expect([registry.apiKey('k'), registry.apiKey('next')?.apiKey, changed]).toEqual([
      ...[undefined, 'next', ['next', 'k']],
    ])
  })

  test('depth and trades start from the bootstrap and follow the batches', () => {
    const market = new MarketData(
      {
        ...NOTHING,
        symbols: [BTC_USDT],
        books: [{ symbolId: SYMBOL, sell: [{ price: price(10), quantity: 7n }], buy: [] }],
      },
      new Map([[SYMBOL, [trade(2), trade(1)]]]),
    )
    const depth = market.depth(SYMBOL)
    market.apply({
      seq: seq(1),
      time: timeMs(3),
      events: [
        matched(3),
        { kind: 'LevelChanged', symbolId: SYMBOL, side: 'SELL', price: price(10), quantity: 0n },
        { kind: 'LevelChanged', symbolId: SYMBOL, side: 'BUY', price: price(10), quantity: 2n },
      ],
    })
    expect(depth.levels('SELL')).toEqual([])
    expect(depth.levels('BUY')).toEqual([{ price: price(10), quantity: 2n }])
    expect(market.recentTrades(SYMBOL, 2).map((each) => each.tradeNumber)).toEqual([3, 2] as TradeNumber[])
  })

  test('a day that history knows further than the bootstrap has each trade once', () => {
    const minutes = [candleOf(trade(1), 'BUY', '1m')]
    const days = new Map([[SYMBOL, { minutes, previousClose: undefined, upTo: seq(5) }]])
    const market = new MarketData({ ...NOTHING, symbols: [BTC_USDT] }, new Map(), days)
    market.apply({ seq: seq(5), time: timeMs(1), events: [matched(1)] })
    market.apply({ seq: seq(6), time: timeMs(2), events: [matched(2)] })
    expect(market.day(SYMBOL, timeMs(3)).count).toBe(2)
    expect(market.recentTrades(SYMBOL, 9).map((each) => Number(each.tradeNumber))).toEqual([2, 1])
  })

  test('only the newest trades are remembered', () => {
    const market = new MarketData(NOTHING)
    const count = RECENT_TRADES_MAX + 17
    const events = Array.from({ length: count }, (_, i) => matched(i + 1))
    market.apply({ seq: seq(1), time: timeMs(1), events })
    const trades = market.recentTrades(SYMBOL, Number.POSITIVE_INFINITY)
    expect(trades.length).toBe(RECENT_TRADES_MAX)
    expect(trades[0]?.tradeNumber).toBe(count as TradeNumber)
    expect(trades.at(-1)?.tradeNumber).toBe((count - RECENT_TRADES_MAX + 1) as TradeNumber)
  })

  test('a batch given twice is a bug, not a change', () => {
    const market = new MarketData(NOTHING)
    const batch = { seq: seq(1), time: timeMs(1), events: [] }
    market.apply(batch)
    expect(() => market.apply(batch)).toThrow('expected a batch after command 1')
  })

  test('asking for the depth of unlisted symbols stores nothing', () => {
    const market = new MarketData(NOTHING)
    expect(market.depth(7 as SymbolId)).toBe(market.depth(8 as SymbolId))
  })
})
