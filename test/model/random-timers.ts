/** Random mass cancels and countdowns, and the engine's own commands when nothing is due. */
import { ENGINE_KINDS, type EngineCommand } from '../../src/core/commands/command.ts'
import type { CancelAllOrders, SetCountdown } from '../../src/core/commands/timers.ts'
import type { AccountId, ListNumber, OrderNumber, SymbolId } from '../../src/units/ids.ts'
import { randomOwner } from './random-orders.ts'
import { randomSessionNumber } from './random-sessions.ts'
import type { RandomSource } from './random-source.ts'
import type { ReferenceState } from './reference-state.ts'

/** Mostly for an account with open orders, in one of their symbols. */
export function randomTimers(random: RandomSource, state: ReferenceState): CancelAllOrders | SetCountdown {
  const scope = randomScope(random, state)
  if (random.once(2)) return { kind: 'CancelAllOrders', ...scope }
  const countdownMs = random.once(20) ? 86_400_001 : random.once(5) ? 0 : random.between(1, 40)
  return { kind: 'SetCountdown', ...scope, countdownMs, keepsStops: random.once(2) }
}

/** Mostly a command that is not due. */
export function randomOwn(random: RandomSource, state: ReferenceState): EngineCommand {
  const kind = random.pick(ENGINE_KINDS)
  switch (kind) {
    case 'TriggerOrder':
    case 'ExpireOrder':
      return { kind, orderNumber: random.between(0, state.orderCount + 1) as OrderNumber }
    case 'PlacePending':
      return { kind, listNumber: random.between(0, state.orderCount + 1) as ListNumber }
    case 'ContinueCancelAll':
      return { kind, accountId: randomOwner(random, state) }
    case 'EndSession':
      return { kind, sessionNumber: randomSessionNumber(random, state) }
    case 'DisconnectSessions':
    case 'EnterPhase':
      return { kind }
    case 'BeginEpoch':
      return { kind, epoch: random.below(9) }
    case 'FireCountdown':
      return { kind, ...randomScope(random, state) }
  }
}

function randomScope(
  random: RandomSource,
  state: ReferenceState,
): { readonly accountId: AccountId; readonly symbolId: SymbolId | undefined } {
  const { all } = state
  const order = all.length === 0 || random.once(5) ? undefined : random.pick(all)
  const symbolId = random.once(2) ? undefined : (order?.symbol.id ?? (random.between(0, 6) as SymbolId))
  return { accountId: order?.accountId ?? randomOwner(random, state), symbolId }
}
