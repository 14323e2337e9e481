/**
 * An admin server with an in-memory engine, for tests: opened once for each test file, and used as any client
 * would.
 */

import { type MemoryEngine, startMemoryEngine } from '../../../sim/memory/engine.ts'
import { followedHistory } from '../../../sim/memory/followed-history.fixture.ts'
import type { AdminAnswer, AdminOperation } from '../../contract/admin/admin.ts'
import type { Command } from '../../core/commands/command.ts'
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import { ClockBoard } from '../../engine/writer/clock-board.ts'
import { DEFAULT_CLOCK_LIMITS } from '../../engine/writer/journal-clock.ts'
import { ServerClock } from '../../engine/writer/server-clock.ts'
import { type TimeMs, timeMs } from '../../units/quantities.ts'
import { Accounts } from '../../views/accounts.ts'
import { LiveBackOffice } from '../../views/back-office.ts'
import { MarketData } from '../../views/market-data.ts'
import { openAdminServer } from './admin-server.ts'
import type { AdminContext, CustomerControl, WebhookPlace } from './context.ts'
import type { StartReport } from './records/report-request.ts'
import { ReportRunner } from './records/report-runner.ts'
import { ReferenceTurns } from './reference-turns.ts'
import { TokenUse } from './roles/token-use.ts'

/** The node's own token. */
export const TOKEN = 'a token for tests'
/** The token of the customers' process, if there is one. */
export const CUSTOMERS_TOKEN = 'the token of customers for tests'
/** The journal's name. */
export const JOURNAL = 'a journal for tests'
/** The server's time. */
export const NOW = 1_800_000_000_000

const NOTHING_DONE = { commands: 0, commits: 0, commitSeconds: 0, requests: 0, trades: 0, cpuSeconds: 0 }

/** The part of the context of operations that webhooks need. */
export type WebhookContext = Omit<AdminContext, 'caller' | 'asker' | 'news' | 'webhooks' | 'reports'>

export type HeldEngine = {
  /** Resolves when a command of this kind waits. */
  arrived(kind: Command['kind']): Promise<void>
  release(): void
}

export type AdminFixture = {
  readonly url: string
  readonly engine: MemoryEngine
  readonly logged: readonly unknown[]
  /** Bans of the node's own limits. */
  readonly limitBans: Map<string, TimeMs>
  /** The function that creates reports: tests pass their own. */
  readonly reports: { start: StartReport }
  /** Holds commands before the engine, in their order, until they are released. */
  holdEngine(): HeldEngine
  raw(path: string, init: RequestInit): Promise<{ status: number; body: AdminAnswer }>
  ask(
    operation: AdminOperation,
    body?: object,
    token?: string,
  ): Promise<{ status: number; body: AdminAnswer }>
  /** The result of a request that must succeed. */
  done(operation: AdminOperation, body?: object, token?: string): Promise<unknown>
  /** Status, reason and field of a request that must be refused. */
  error(operation: AdminOperation, body?: object, token?: string): Promise<object>
  stop(): Promise<void>
}

/** Clocks that a test can move: the node's clock and monotonic time, and their steps from batch to batch. */
export type Hands = { wall: number; elapsed: number; readonly step?: number }

/** By default each batch has its own time, so that the order is visible. */
export async function openAdminFixture(
  hands: Hands = { wall: NOW, elapsed: 0, step: 1 },
  rulesVersion = RULES_VERSION,
  webhooksOf: (context: WebhookContext) => WebhookPlace | undefined = () => undefined,
  customers?: CustomerControl,
): Promise<AdminFixture> {
  const passing = () => {
    hands.elapsed += hands.step ?? 0
    hands.wall += hands.step ?? 0
    return timeMs(hands.wall)
  }
  const sources = { wall: () => timeMs(hands.wall), monotonicMs: () => hands.elapsed }
  const board = new ClockBoard()
  const engine = await startMemoryEngine({
    clock: passing,
    monotonicMs: sources.monotonicMs,
    clockLimits: DEFAULT_CLOCK_LIMITS,
    onClock: (reading) => board.write(reading),
  })
  const clock = new ServerClock(board, sources)
  const logged: unknown[] = []
  const note = (...parts: unknown[]) => logged.push(parts)
  const views: { market?: MarketData; accounts?: Accounts; backOffice?: LiveBackOffice } = {}
  const start = await engine.port.follow((batch) => {
    views.market?.apply(batch)
    for (const event of batch.events) {
      views.accounts?.apply(event)
      views.backOffice?.apply(event)
    }
  })
  const market = new MarketData(start)
  const accounts = new Accounts(start)
  const backOffice = new LiveBackOffice(start)
  Object.assign(views, { market, accounts, backOffice })
  const limitBans = new Map<string, TimeMs>()
  const reports: AdminFixture['reports'] = {
    start: () => Promise.reject(new Error('no test makes a report')),
  }
  const gate = engineGate(engine.port)
  const context = {
    engine: gate.port,
    feed: engine.feed,
    registry: market.registry,
    accounts,
    backOffice,
    history: followedHistory(engine.feed),
    limitBans: {
      list: () => [...limitBans].map(([address, until]) => ({ address, until })),
      lift: (address: string) => limitBans.delete(address),
    },
    now: () => timeMs(NOW),
    clock: () => clock.status(),
    seq: () => market.seq,
    journal: JOURNAL,
    lastUsed: () => undefined,
    tokenUse: new TokenUse(),
    referenceTurns: new ReferenceTurns(),
    measures: {
      read: () => Promise.reject(new Error('no test reads metrics')),
      load: (afterMs: number) => [{ ...NOTHING_DONE, atMs: NOW }].filter(({ atMs }) => atMs > afterMs),
      orderStops: [],
    },
    version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
    masterKeys: { begin: () => {}, reseal: () => undefined, retire: () => false },
    reports: new ReportRunner({ start: (request) => reports.start(request) }),
    sealSecret: (secret: string) => new TextEncoder().encode(`sealed ${secret.length}`),
  }
  const operator = { actor: 'test', note: '' }
  await engine.port.submit({ kind: 'SetRulesVersion', operator, version: rulesVersion })
  const log = { debug: note, info: note, warn: note, error: note }
  const server = openAdminServer({
    context: { ...context, webhooks: webhooksOf(context), customers },
    token: TOKEN,
    customersToken: customers === undefined ? undefined : CUSTOMERS_TOKEN,
    page: (_, path) => (path === '/page' ? Promise.resolve(new Response('the page')) : undefined),
    hostname: '127.0.0.1',
    port: 0,
    log,
  })
  return {
    engine,
    url: server.url,
    logged,
    limitBans,
    reports,
    holdEngine: () => gate.hold(),
    ...askers(server.url),
    stop: async () => {
      await server.stop()
      await engine.stop()
    },
  }
}

/** An engine before which commands can be held. */
function engineGate(port: EnginePort) {
  let held: PromiseWithResolvers<void> | undefined
  const waiting = new Set<Command['kind']>()
  const news = new Set<() => void>()
  const submit: EnginePort['submit'] = async (command, ...more) => {
    if (held !== undefined) {
      waiting.add(command.kind)
      for (const tell of news) tell()
      await held.promise
    }
    return port.submit(command, ...more)
  }
  const gated = new Proxy(port, {
    get: (target, name) => {
      if (name === 'submit') return submit
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const hold = (): HeldEngine => {
    const gate = Promise.withResolvers<void>()
    held = gate
    return {
      arrived: (kind) =>
        new Promise((resolve) => {
          const look = () => {
            if (waiting.has(kind)) resolve()
          }
          news.add(look)
          look()
        }),
      release: () => {
        held = undefined
        waiting.clear()
        gate.resolve()
      },
    }
  }
  return { port: gated, hold }
}

function askers(url: string): Pick<AdminFixture, 'raw' | 'ask' | 'done' | 'error'> {
  const raw: AdminFixture['raw'] = async (path, init) => {
    const response = await fetch(`${url}${path}`, init)
    return { status: response.status, body: (await response.json()) as AdminAnswer }
  }
  const ask: AdminFixture['ask'] = (operation, body = {}, token = TOKEN) =>
    raw(`/admin/v1/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    raw,
    ask,
    done: async (operation, body, token) => {
      const answer = await ask(operation, body, token)
      if (!answer.body.ok) throw new Error(`${operation}: ${answer.body.error.message}`)
      return answer.body.result
    },
    error: async (operation, body, token) => {
      const answer = await ask(operation, body, token)
      return { status: answer.status, ...(answer.body.ok ? {} : answer.body.error) }
    },
  }
}
