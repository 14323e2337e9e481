/**
 * What becomes of the engine's own work when carrying it out is a known bug: it is set aside, so that the engine does not try again, and
 * all else goes on.
 */
import type { EngineCommand } from '../../command.ts'
import type { ExchangeState } from '../../state.ts'
import { setTriggerAside } from '../triggers/trigger-order.ts'
import { setCancelAside } from './cancel-all.ts'

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
  }
}
