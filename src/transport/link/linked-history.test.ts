import { afterEach, expect, test } from 'bun:test'
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import { faultKindOf } from '../../engine/port/engine-port.contract.ts'
import {
  HISTORY_NAMES,
  type HistoryFields,
  type HistoryName,
  type HistoryPort,
} from '../../engine/port/history-questions.ts'
import { limit, market } from '../../engine/writer/commands.fixture.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId } from '../../units/ids.ts'
import { type Seq, seq, timeMs, UNITS_MAX } from '../../units/quantities.ts'
import { type LinkedEngine, startLinkedEngine } from './linked-engine.fixture.ts'

let linked: LinkedEngine
afterEach(() => linked.stop())

const ACCOUNT = 3 as AccountId
const SYMBOL = 0 as SymbolId

const NUMBERED = { symbolId: SYMBOL, first: undefined, from: undefined, to: undefined, limit: 10 }

/** One query of each kind, for all records. */
const QUESTIONS: { readonly [Name in HistoryName]: (atLeast: Seq) => HistoryFields<Name> } = {
  trades: (atLeast) => ({
    ...{ accountId: ACCOUNT, symbolId: undefined, before: undefined },
    ...{ page: 0, size: 10, atLeast },
  }),
  fills: (atLeast) => ({
    ...{ accountId: ACCOUNT, symbolId: SYMBOL, orderNumber: undefined, before: undefined },
    ...{ from: undefined, to: undefined, limit: 10, atLeast },
  }),
  ledger: (atLeast) => ({
    ...{ accountId: ACCOUNT, assetId: 0 as AssetId, before: undefined },
    ...{ from: undefined, to: undefined, limit: 10, atLeast },
  }),
  positions: (atLeast) => ({ accountId: ACCOUNT, from: 0 as AssetId, limit: 10, atLeast }),
  orders: (atLeast) => ({
    ...{ accountId: ACCOUNT, symbolId: undefined, before: undefined },
    ...{ from: timeMs(0), to: undefined, limit: 10, atLeast },
  }),
  numberedOrders: (atLeast) => ({ orderNumbers: [1, 2].map((number) => number as OrderNumber), atLeast }),
  recentTrades: (upTo) => ({ symbolId: SYMBOL, limit: 10, upTo }),
  symbolTrades: (upTo) => ({ ...NUMBERED, upTo }),
  aggregateTrades: (upTo) => ({ ...NUMBERED, upTo }),
  candles: (atLeast) => ({
    ...{ symbolId: SYMBOL, width: '1m', from: timeMs(0), before: timeMs(UNITS_MAX) },
    ...{ limit: 10, atLeast },
  }),
  updates: (atLeast) => ({ accounts: [{ accountId: ACCOUNT, after: seq(0) }], atLeast }),
  operatorActions: (atLeast) => ({ before: undefined, limit: 100, actor: 'test', kind: undefined, atLeast }),
  events: (upTo) => ({ after: 0, limit: 100, kinds: undefined, accountId: undefined, upTo }),
  pastEvents: (atLeast) => ({
    ...{ before: undefined, kinds: ['CREDIT'], accountId: undefined, limit: 100, atLeast },
  }),
}

const ask = <Name extends HistoryName>(history: HistoryPort, name: Name, atLeast: Seq) =>
  history[name](QUESTIONS[name](atLeast))

test('each question to the history is answered over a link as the history itself answers it', async () => {
  linked = await startLinkedEngine()
  const { engine, history } = linked
  for (const command of market()) await engine.submit(command)
  const operator = { actor: 'test', note: '' }
  await engine.submit({ kind: 'SetRulesVersion', operator, version: RULES_VERSION })
  await engine.submit(limit(3, 'SELL', 100, 5_000_000))
  await engine.submit(limit(4, 'BUY', 100, 3_000_000))
  const last = seq(market().length + 3)
  const link = await linked.link()
  for (const name of HISTORY_NAMES) {
    const expected = await ask(history, name, last)
    expect([name, await ask(link.history, name, last)]).toStrictEqual([name, expected])
    expect([name, JSON.stringify(expected, plain).length > 2]).toEqual([name, true])
  }
})

const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value)

test('questions that wait when a link is lost, and all later ones, are ENGINE_DOWN', async () => {
  const never = new Promise<never>(() => {})
  linked = await startLinkedEngine({ history: { recentTrades: () => never } as unknown as HistoryPort })
  const link = await linked.link()
  const waits = faultKindOf(link.history.recentTrades({ symbolId: SYMBOL, limit: 10, upTo: seq(0) }))
  await linked.server.stop()
  expect(await waits).toBe('ENGINE_DOWN')
  expect(await faultKindOf(link.history.recentTrades({ symbolId: SYMBOL, limit: 10, upTo: seq(0) }))).toBe(
    'ENGINE_DOWN',
  )
})

test('a question that the history does not answer in time is OVERLOADED', async () => {
  const never = new Promise<never>(() => {})
  linked = await startLinkedEngine({ history: { recentTrades: () => never } as unknown as HistoryPort })
  const link = await linked.link({ answerTimeoutMs: 20 })
  expect(await faultKindOf(link.history.recentTrades({ symbolId: SYMBOL, limit: 10, upTo: seq(0) }))).toBe(
    'OVERLOADED',
  )
})
