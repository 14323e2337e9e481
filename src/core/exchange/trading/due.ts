/**
 * What the engine is to order by itself, from the state and a time alone: the orders whose time is over, then those whose trigger was
 * reached, in turn over the symbols, so that a long queue of one symbol does not keep another waiting
 * (docs/reference/waiting-orders.md#triggering, docs/reference/timers.md#good-till-date).
 */
import type { OrderNumber } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { EngineCommand } from '../command.ts'
import type { Market } from '../market.ts'
import type { ExchangeState } from '../state.ts'

/** At most `max` commands, each to be applied at `time`, next after the one before it. */
export function dueCommands(state: ExchangeState, max: number, time: TimeMs): EngineCommand[] {
  const commands: EngineCommand[] = state.expiries
    .due(time, max)
    .map((orderNumber) => ({ kind: 'ExpireOrder', orderNumber }))
  const ending = new Set(commands.map(({ orderNumber }) => orderNumber))
  const queues = queuesOf(state)
  for (let round = 0; queues.length > 0 && commands.length < max; round++) {
    const at = (state.seq + round) % queues.length
    const queue = queues[at] as Queue
    const next = queue.next()
    if (next.done) queues.splice(at, 1)
    else if (!ending.has(next.value)) commands.push({ kind: 'TriggerOrder', orderNumber: next.value })
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
