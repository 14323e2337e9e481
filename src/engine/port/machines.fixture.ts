/** Exchanges for tests whose journals do not begin with a choice of rules. */
import { Exchange } from '../../core/exchange/exchange.ts'
import type { StateMachineFactory } from './state-machine.ts'

export const ANY_EXCHANGES: StateMachineFactory = {
  empty: () => new Exchange(),
  fromSnapshot: (payload) => Exchange.decodeSnapshot(payload),
}
