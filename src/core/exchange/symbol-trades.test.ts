/** The number of a trade in its symbol (docs/recovery.md#numbers-of-orders-and-trades). */
import { expect, test } from 'bun:test'
import type { SymbolId } from '../../units/ids.ts'
import { NUMBERS_JUMP } from '../../units/limits.ts'
import { timeMs } from '../../units/quantities.ts'
import type { ExchangeEvent } from '../events/event.ts'
import { Exchange } from './exchange.ts'
import { ExchangeHarness, OPERATOR, orderOf } from './exchange-harness.fixture.ts'
import { NUMBER_RULES, RULES_VERSION } from './rules.ts'

function market(version = RULES_VERSION) {
  const it = new ExchangeHarness()
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version })
  it.asset('ETH', 8)
  const eth = it.symbol('ETH', 'USDT', {})
  const ann = it.trader('ann', { BTC: 1_000n, ETH: 1_000n, USDT: 10_000_000n })
  /**
   * For each trade of a sell that matches `bids` orders: its number in the symbol and its number among all.
   */
  const trades = (symbolId: SymbolId, bids: number, exchange: Exchange = it.exchange) => {
    const events: ExchangeEvent[] = []
    const words = { who: ann, price: 100 } as const
    const orders = Array.from({ length: bids }, () => orderOf({ ...words, side: 'BUY', quantity: 1 }))
    for (const order of [...orders, orderOf({ ...words, side: 'SELL', quantity: bids })])
      exchange.apply({ ...order, symbolId }, timeMs(exchange.time + 1), (event) => events.push(event))
    return events.flatMap((event) =>
      event.kind === 'OrdersMatched' ? [[event.symbolTrade, event.tradeNumber as number]] : [],
    )
  }
  return { it, trades, btc: 0 as SymbolId, eth }
}

test('trades of a symbol are numbered from 1 without gaps, whatever other symbols and epochs do, from a snapshot too', () => {
  const { it, trades, btc, eth } = market()
  expect([trades(btc, 2), trades(eth, 1), trades(btc, 1)]).toEqual([
    [
      [1, 1],
      [2, 2],
    ],
    [[1, 3]],
    [[3, 4]],
  ])
  it.give({ kind: 'BeginEpoch', epoch: 1 })
  const again = Exchange.decodeSnapshot(it.exchange.encodeSnapshot())
  for (const exchange of [it.exchange, again]) {
    expect([trades(eth, 1, exchange), trades(btc, 1, exchange)]).toEqual([
      [[2, NUMBERS_JUMP + 5]],
      [[4, NUMBERS_JUMP + 6]],
    ])
  }
  expect(again.encodeSnapshot()).toEqual(it.exchange.encodeSnapshot())
})

test('trades have no number in their symbol before the rules know one, and are then numbered from 1', () => {
  const { it, trades, btc } = market(NUMBER_RULES - 1)
  expect(trades(btc, 2).map(([number]) => number)).toEqual([0, 0])
  it.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: NUMBER_RULES })
  expect(trades(btc, 1).map(([number]) => number)).toEqual([1])
})
