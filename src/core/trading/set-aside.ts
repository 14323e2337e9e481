/**
 * Handles work of the engine's own when carrying it out is a known bug: it is never retried, and its order,
 * list, session or mass cancel stays open. Without effect if it was not its turn. Only the jump of numbers
 * happens nevertheless, since it must.
 */
import { unreachable } from '../../units/invariant.ts'
import type { EngineCommand } from '../commands/command.ts'
import type { PlacePending } from '../commands/order-lists.ts'
import type { TriggerOrder } from '../commands/orders.ts'
import { beginEpoch } from '../exchange/epoch.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { setPhaseAside } from '../operators/phases.ts'
import { setCancelAside } from './timers/cancel-all.ts'
import { setSessionAside, setSessionsAside } from './timers/session-commands.ts'

export function setAside(state: ExchangeState, command: EngineCommand): void {
  switch (command.kind) {
    case 'TriggerOrder':
      setTriggerAside(state, command)
      break
    case 'ExpireOrder':
      if (state.expiries.isOver(command.orderNumber, state.time)) state.expiries.setAside(command.orderNumber)
      break
    case 'ContinueCancelAll':
    case 'FireCountdown':
      setCancelAside(state, command)
      break
    case 'EndSession':
      setSessionAside(state, command)
      break
    case 'DisconnectSessions':
      setSessionsAside(state)
      break
    case 'PlacePending':
      setListAside(state, command)
      break
    case 'EnterPhase':
      setPhaseAside(state, state.time)
      break
    case 'BeginEpoch':
      beginEpoch(state, command)
      break
    default:
      unreachable(command)
  }
}

function setTriggerAside(state: ExchangeState, { orderNumber }: TriggerOrder): void {
  const order = state.orders.get(orderNumber)
  const triggers = order === undefined ? undefined : state.market(order.symbolId)?.triggers
  if (triggers?.firstDue === orderNumber) triggers.setAside(orderNumber)
}

function setListAside({ lists }: ExchangeState, { listNumber }: PlacePending): void {
  const list = lists.get(listNumber)
  if (list !== undefined && lists.firstDue(list.symbolId) === listNumber) lists.setAside(list)
}
