/**
 * The read models of a node's servers: started from the engine's state, then kept by its batches.
 */

import type { EventBatch } from '../../core/exchange/event.ts'
import { type Bootstrap, type PublicTrade, RECENT_TRADES_MAX } from '../../core/exchange/view.ts'
import type { HistoryClient } from '../../drivers/thread/history-client.ts'
import { EngineFault } from '../../engine/fault.ts'
import type { EnginePort, HistoryPort } from '../../engine/ports.ts'
import type { SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { Accounts } from '../../views/accounts.ts'
import { BackOffice } from '../../views/back-office.ts'
import { MarketData } from '../../views/market-data.ts'
import { raceFailures } from './race-failures.ts'
import { Subscribers } from './subscribers.ts'

export type NodeViews = {
  readonly market: MarketData
  readonly accounts: Accounts
  readonly backOffice: BackOffice
  /** Each batch, once the views have taken it in. */
  readonly batches: Pick<Subscribers<EventBatch>, 'subscribe'>
}

/** A part that can fail while views start. */
type Fallible = { readonly ended: Promise<unknown> }

type StartingThread = {
  readonly follower: Fallible & { readonly started: Promise<unknown> }
  readonly history: Pick<HistoryClient, 'recentTrades' | 'trades' | 'operatorActions' | 'close'>
}

/** As `startViews`, once the follower has started. A thread that fails meanwhile ends it with that thread's own cause. */
export async function startNodeViews(
  engine: EnginePort & Fallible,
  { follower, history }: StartingThread,
): Promise<NodeViews> {
  const failures = [follower.ended, engine.ended]
  await raceFailures(follower.started, failures)
  // Nothing else would ever answer those who wait for the history of a thread that is gone.
  follower.ended.catch(() => history.close('ENGINE_DOWN'))
  return raceFailures(startViews(engine, history), failures)
}

/** Resolves with the state as the engine has it, and keeps it from then on. No command may be submitted before. */
export async function startViews(engine: EnginePort, history: HistoryPort): Promise<NodeViews> {
  const batches = new Subscribers<EventBatch>()
  const start = await engine.follow((batch) => {
    invariant(!batches.isEmpty, () => `commands up to ${batch.seq} came before the views had started`)
    batches.publish(batch)
  })
  const market = new MarketData(start, await recentTrades(history, start))
  const accounts = new Accounts(start)
  const backOffice = new BackOffice(start)
  batches.subscribe((batch) => {
    market.apply(batch)
    for (const event of batch.events) {
      accounts.apply(event)
      backOffice.apply(event)
    }
  })
  return { market, accounts, backOffice, batches }
}

async function recentTrades(
  history: HistoryPort,
  { symbols, seq }: Bootstrap,
): Promise<Map<SymbolId, readonly PublicTrade[]>> {
  const tradesBySymbol = new Map<SymbolId, readonly PublicTrade[]>()
  for (const { id } of symbols) {
    const trades = await untilCaughtUp(() => history.recentTrades(id, RECENT_TRADES_MAX, seq))
    tradesBySymbol.set(id, trades)
  }
  return tradesBySymbol
}

/** After a crash the history may be far behind: it says OVERLOADED until it has replayed what it lacks. */
async function untilCaughtUp<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof EngineFault && error.kind === 'OVERLOADED')) throw error
    }
  }
}
