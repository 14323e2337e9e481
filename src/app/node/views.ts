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
import { unlessDead } from './unless-dead.ts'

export type NodeViews = {
  readonly market: MarketData
  readonly accounts: Accounts
  readonly backOffice: BackOffice
}

/** What can die while views start. */
type Mortal = { readonly ended: Promise<unknown> }

type StartingThread = {
  readonly follower: Mortal & { readonly started: Promise<unknown> }
  readonly history: Pick<HistoryClient, 'recentTrades' | 'trades' | 'operatorActions' | 'close'>
}

/** As `startViews`, once the follower has started. A thread that dies meanwhile ends it with that thread's own cause. */
export async function startNodeViews(
  engine: EnginePort & Mortal,
  { follower, history }: StartingThread,
  onBatch: (batch: EventBatch) => void,
): Promise<NodeViews> {
  const deaths = [follower.ended, engine.ended]
  await unlessDead(follower.started, deaths)
  // Nothing else would ever answer those who wait for the history of a thread that is gone.
  follower.ended.catch(() => history.close('ENGINE_DOWN'))
  return unlessDead(startViews(engine, history, onBatch), deaths)
}

/**
 * Resolves with the state as the engine has it; from then on each batch is taken in, then given to `onBatch`. No
 * command may be submitted before.
 */
export async function startViews(
  engine: EnginePort,
  history: HistoryPort,
  onBatch: (batch: EventBatch) => void,
): Promise<NodeViews> {
  let views: NodeViews | undefined
  const start = await engine.follow((batch) => {
    invariant(views !== undefined, () => `commands up to ${batch.seq} came before the views had started`)
    views.market.apply(batch)
    for (const event of batch.events) {
      views.accounts.apply(event)
      views.backOffice.apply(event)
    }
    onBatch(batch)
  })
  const market = new MarketData(start, await recentTrades(history, start))
  views = { market, accounts: new Accounts(start), backOffice: new BackOffice(start) }
  return views
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
