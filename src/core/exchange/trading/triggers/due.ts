/**
 * What the engine is to order by itself now, from the state alone: the orders whose trigger was reached, in turn over the symbols, so that
 * a long queue of one symbol does not keep another waiting (docs/reference/waiting-orders.md#triggering).
 */
import type { OrderNumber } from '../../../../units/ids.ts'
import type { EngineCommand } from '../../command.ts'
import type { Market } from '../../market.ts'
import type { ExchangeState } from '../../state.ts'

/** At most `max` commands, each to be applied next after the one before it. */
export function dueCommands(state: ExchangeState, max: number): EngineCommand[] {
  const queues = queuesOf(state)
  const commands: EngineCommand[] = []
  for (let round = 0; queues.length > 0 && commands.length < max; round++) {
    const at = (state.seq + round) % queues.length
    const queue = queues[at] as Queue
    const next = queue.next()
    if (next.done) queues.splice(at, 1)
    else commands.push({ kind: 'TriggerOrder', orderNumber: next.value })
  }
  return commands
}

/** Whether a symbol's due orders are carried out now: while it does not trade they stay due. */
export function isCarryingOut(state: ExchangeState, market: Market): boolean {
  return market.symbol.state === 'TRADING' && state.isTradable(market)
}

type Queue = Generator<OrderNumber, void>

function queuesOf(state: ExchangeState): Queue[] {
  const { marketsDue } = state
  if (marketsDue.size === 0) return []
  for (const market of marketsDue) if (!market.triggers.hasDue) marketsDue.delete(market)
  return [...marketsDue]
    .filter((market) => isCarryingOut(state, market))
    .sort((a, b) => a.symbol.id - b.symbol.id)
    .map(({ triggers }) => triggers.dueOrders())
}
