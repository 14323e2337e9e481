import { afterEach, expect, test } from 'bun:test'
import { faultKindOf } from '../../engine/port/engine-port.contract.ts'
import type { HistoryPort } from '../../engine/port/ports.ts'
import { limit, market } from '../../engine/writer/commands.fixture.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId } from '../../units/ids.ts'
import { type Seq, seq, timeMs, UNITS_MAX } from '../../units/quantities.ts'
import { type LinkedEngine, startLinkedEngine } from './linked-engine.fixture.ts'

let linked: LinkedEngine
afterEach(() => linked.stop())

const ACCOUNT = 3 as AccountId
const SYMBOL = 0 as SymbolId

/** One question of each kind, all of what there is. */
const QUESTIONS: {
  readonly [Kind in keyof HistoryPort]: (history: HistoryPort, atLeast: Seq) => Promise<unknown>
} = {
  trades: (history, atLeast) =>
    history.trades({
      accountId: ACCOUNT,
      symbolId: undefined,
      page: 0,
      size: 10,
      before: undefined,
      atLeast,
    }),
  fills: (history, atLeast) =>
    history.fills({
      ...{ accountId: ACCOUNT, symbolId: SYMBOL, orderNumber: undefined, before: undefined },
      ...{ from: undefined, to: undefined, limit: 10, atLeast },
    }),
  ledger: (history, atLeast) =>
    history.ledger({
      ...{ accountId: ACCOUNT, assetId: 0 as AssetId, before: undefined },
      ...{ from: undefined, to: undefined, limit: 10, atLeast },
    }),
  positions: (history, atLeast) =>
    history.positions({ accountId: ACCOUNT, from: 0 as AssetId, limit: 10, atLeast }),
  orders: (history, atLeast) =>
    history.orders({
      ...{ accountId: ACCOUNT, symbolId: undefined, before: undefined },
      ...{ from: timeMs(0), to: undefined, limit: 10, atLeast },
    }),
  numberedOrders: (history, atLeast) =>
    history.numberedOrders({ orderNumbers: [1, 2].map((number) => number as OrderNumber), atLeast }),
  recentTrades: (history, atLeast) => history.recentTrades(SYMBOL, 10, atLeast),
  candles: (history, atLeast) =>
    history.candles({
      ...{ symbolId: SYMBOL, width: '1m', from: timeMs(0), before: timeMs(UNITS_MAX) },
      ...{ limit: 10, atLeast },
    }),
  updates: (history, atLeast) =>
    history.updates({ accounts: [{ accountId: ACCOUNT, after: seq(0) }], atLeast }),
  operatorActions: (history, atLeast) =>
    history.operatorActions({ before: undefined, limit: 100, actor: 'test', kind: undefined, atLeast }),
  events: (history, atLeast) =>
    history.events({ after: 0, limit: 100, kinds: undefined, accountId: undefined, upTo: atLeast }),
  pastEvents: (history, atLeast) =>
    history.pastEvents({ before: undefined, kinds: ['CREDIT'], accountId: undefined, limit: 100, atLeast }),
}

test('each question to the history is answered over a link as the history itself answers it', async () => {
  linked = await startLinkedEngine()
  const { engine, history } = linked
  for (const command of market()) await engine.submit(command)
  await engine.submit(limit(3, 'SELL', 100, 5_000_000))
  await engine.submit(limit(4, 'BUY', 100, 3_000_000))
  const last = seq(market().length + 2)
  const link = await linked.link()
  for (const [kind, ask] of Object.entries(QUESTIONS)) {
    const expected = await ask(history, last)
    expect([kind, await ask(link.history, last)]).toStrictEqual([kind, expected])
    expect([kind, JSON.stringify(expected, plain).length > 2]).toEqual([kind, true])
  }
})

const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value)

test('questions that wait as a link is lost, and all that come, are ENGINE_DOWN', async () => {
  const never = new Promise<never>(() => {})
  linked = await startLinkedEngine({ history: { recentTrades: () => never } as unknown as HistoryPort })
  const link = await linked.link()
  const waits = faultKindOf(link.history.recentTrades(SYMBOL, 10, seq(0)))
  await linked.server.stop()
  expect(await waits).toBe('ENGINE_DOWN')
  expect(await faultKindOf(link.history.recentTrades(SYMBOL, 10, seq(0)))).toBe('ENGINE_DOWN')
})

test('a question that the history does not answer in time is OVERLOADED', async () => {
  const never = new Promise<never>(() => {})
  linked = await startLinkedEngine({ history: { recentTrades: () => never } as unknown as HistoryPort })
  const link = await linked.link({ answerTimeoutMs: 20 })
  expect(await faultKindOf(link.history.recentTrades(SYMBOL, 10, seq(0)))).toBe('OVERLOADED')
})
