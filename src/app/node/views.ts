/**
 * The read models of a node's servers: started from the engine's state, then kept by its batches.
 */

import type { EventBatch } from '../../core/events/event.ts'
import { type Bootstrap, type PublicTrade, RECENT_TRADES_MAX } from '../../core/questions/view.ts'
import { storedCandles } from '../../engine/history/candles/read-candles.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import type { HistoryPort } from '../../engine/port/history-questions.ts'
import type { CandleQuery, EnginePort } from '../../engine/port/ports.ts'
import type { HistoryClient } from '../../transport/thread/history-client.ts'
import type { Candle } from '../../units/candle.ts'
import type { SymbolId } from '../../units/ids.ts'
import { type Price, type Seq, type TimeMs, timeMs, UNITS_MAX } from '../../units/quantities.ts'
import { Accounts } from '../../views/accounts.ts'
import { LiveBackOffice } from '../../views/back-office.ts'
import { type DayHistory, dayStart } from '../../views/day-window.ts'
import { MarketData } from '../../views/market-data.ts'
import { raceFailures } from './race-failures.ts'
import { Subscribers } from './subscribers.ts'
import { ViewIntake } from './view-intake.ts'

export type NodeViews = {
  readonly market: MarketData
  readonly accounts: Accounts
  readonly backOffice: LiveBackOffice
  /** Called with each batch, once the views have applied it. */
  readonly batches: Pick<Subscribers<EventBatch>, 'subscribe'>
  /**
   * Called, once the views have received it, with a time before which no later command is dated. The times of
   * batches are not reported this way.
   */
  readonly passed: Pick<Subscribers<TimeMs>, 'subscribe'>
  /**
   * The views were rebuilt from a later state, after command `seq`: the batches in between are not
   * delivered.
   */
  readonly restarts: Pick<Subscribers<Seq>, 'subscribe'>
  /**
   * Connects the same views to the engine over another link: they keep their data until they restart from its
   * state, in one step. Rejects like `startViews` does, and with `EngineFault` if the state is an earlier
   * one; the views are then unchanged.
   */
  restart(engine: EnginePort, history: HistoryPort): Promise<void>
}

/** The state that views begin from. */
type ViewStart = {
  readonly start: Bootstrap
  readonly recent: Map<SymbolId, readonly PublicTrade[]>
  readonly dayBySymbol: Map<SymbolId, DayHistory>
}

/** A part that can fail while views start. */
type Fallible = { readonly ended: Promise<unknown> }

type StartingThreads = {
  readonly engine: Fallible & { readonly port: EnginePort }
  readonly follower: Fallible & { readonly started: Promise<unknown> }
  readonly history: HistoryPort & Pick<HistoryClient, 'close'>
}

/**
 * Like `startViews`, once the follower has started. If a thread fails in the meantime, rejects with that
 * thread's own cause.
 */
export async function startNodeViews({ engine, follower, history }: StartingThreads): Promise<NodeViews> {
  const failures = [follower.ended, engine.ended]
  await raceFailures(follower.started, failures)
  // Callers that wait for the history of an ended thread would otherwise never get an answer.
  follower.ended.catch(() => history.close('ENGINE_DOWN'))
  return raceFailures(startViews(engine.port, history), failures)
}

/**
 * Resolves with the engine's current state, and keeps it up to date from then on. Other gateways may submit
 * commands in the meantime: their effects wait until the views are complete. Rejects with `EngineFault` if
 * too many arrive.
 */
export async function startViews(engine: EnginePort, history: HistoryPort): Promise<NodeViews> {
  const batches = new Subscribers<EventBatch>()
  const passed = new Subscribers<TimeMs>()
  const restarts = new Subscribers<Seq>()
  const intake = new ViewIntake(batches, passed)
  const state = await readStart(engine, history, intake)
  const { start, recent, dayBySymbol } = state
  const market = new MarketData(start, recent, dayBySymbol)
  const accounts = new Accounts(start)
  const backOffice = new LiveBackOffice(start)
  batches.subscribe((batch) => {
    market.apply(batch)
    for (const event of batch.events) {
      accounts.apply(event)
      backOffice.apply(event)
    }
  })
  passed.subscribe((time) => market.pass(time))
  await intake.open(...reachOf(state))
  const restart = async (from: EnginePort, itsHistory: HistoryPort): Promise<void> => {
    const next = new ViewIntake(batches, passed)
    const later = await readStart(from, itsHistory, next)
    if (later.start.seq < market.seq) {
      throw new EngineFault(
        'ENGINE_DOWN',
        `its state is that of command ${later.start.seq}, older than the known command ${market.seq}`,
      )
    }
    await next.untilReady(...reachOf(later))
    market.restart(later.start, later.recent, later.dayBySymbol)
    accounts.restart(later.start)
    backOffice.restart(later.start)
    restarts.publish(later.start.seq)
    next.give()
  }
  return { market, accounts, backOffice, batches, passed, restarts, restart }
}

async function readStart(engine: EnginePort, history: HistoryPort, intake: ViewIntake): Promise<ViewStart> {
  const start = await engine.follow(
    (batch) => intake.batch(batch),
    (time) => intake.passed(time),
  )
  return { start, recent: await recentTrades(history, start), dayBySymbol: await days(history, start) }
}

/**
 * The position of its history and of its state: history may contain commands whose events have not arrived
 * yet.
 */
function reachOf({ start, dayBySymbol }: ViewStart): [upTo: Seq, from: Seq] {
  const seqs = [...dayBySymbol.values()].map(({ upTo }) => upTo)
  return [Math.max(start.seq, ...seqs) as Seq, start.seq]
}

async function recentTrades(
  history: HistoryPort,
  { symbols, seq }: Bootstrap,
): Promise<Map<SymbolId, readonly PublicTrade[]>> {
  const tradesBySymbol = new Map<SymbolId, readonly PublicTrade[]>()
  for (const { id } of symbols) {
    const trades = await untilCaughtUp(() =>
      history.recentTrades({ symbolId: id, limit: RECENT_TRADES_MAX, upTo: seq }),
    )
    tradesBySymbol.set(id, trades)
  }
  return tradesBySymbol
}

/** The last 24 hours of each symbol, as of the state that the views begin from. */
async function days(
  history: HistoryPort,
  { symbols, seq, time }: Bootstrap,
): Promise<Map<SymbolId, DayHistory>> {
  const dayBySymbol = new Map<SymbolId, DayHistory>()
  const range = { width: '1m', from: dayStart(time), before: timeMs(UNITS_MAX), atLeast: seq } as const
  for (const { id } of symbols) {
    dayBySymbol.set(id, await untilCaughtUp(() => day(history, { ...range, symbolId: id })))
  }
  return dayBySymbol
}

async function day(history: HistoryPort, range: Omit<CandleQuery, 'limit'>): Promise<DayHistory> {
  const minutes: Candle[] = []
  let previousClose: Price | undefined
  // Only the newest minute of the newest page can still change; older pages are read later and show no more.
  let upTo: Seq | undefined
  for await (const page of storedCandles(history, range)) {
    minutes.push(...page.candles)
    previousClose = page.earlier?.close
    upTo ??= page.seq
  }
  return { minutes: minutes.reverse(), previousClose, upTo: upTo ?? range.atLeast }
}

/**
 * After a crash the history may be far behind: it answers OVERLOADED until it has replayed the missing
 * commands.
 */
async function untilCaughtUp<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof EngineFault && error.kind === 'OVERLOADED')) throw error
    }
  }
}
