import { describe, expect, test } from 'bun:test'
import { LOOKS_MAX, LoadSeries } from './load-series.ts'

const metrics = (commands: number, trades: number) =>
  [
    `bourse_engine_batch_commands_sum ${commands}`,
    `bourse_engine_batch_commands_count ${commands}`,
    'bourse_symbol_trading{symbol="BTC/USDT"} 1',
    `bourse_trades_total{symbol="BTC/USDT"} ${trades}`,
    'process_cpu_seconds_total 1',
  ].join('\n')

describe('the load that the operator’s page shows', () => {
  test('is what grew between two looks, by the second', () => {
    const load = new LoadSeries()
    load.look(metrics(100, 10), 1_000)
    expect(load.points).toEqual([])
    expect(load.view?.market).toMatchObject([{ symbol: 'BTC/USDT', isTrading: true }])
    load.look(metrics(150, 20), 6_000)
    expect(load.points).toMatchObject([{ atMs: 6_000, commandsPerSecond: 10, tradesPerSecond: 2 }])
  })

  test('has no look at the same moment twice, which would be endless', () => {
    const load = new LoadSeries()
    load.look(metrics(100, 10), 1_000)
    load.look(metrics(150, 20), 1_000)
    expect(load.points).toEqual([])
  })

  test('keeps so many looks and no more', () => {
    const load = new LoadSeries()
    for (let i = 0; i <= LOOKS_MAX + 10; i++) load.look(metrics(i, i), i * 1_000)
    expect(load.points).toHaveLength(LOOKS_MAX)
    expect(load.points.at(-1)?.atMs).toBe((LOOKS_MAX + 10) * 1_000)
  })
})
