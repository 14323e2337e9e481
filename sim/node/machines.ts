/**
 * The machines of a run: production machines whose books start small, because a run makes thousands of them,
 * and because the growth of a book should be tested.
 */
import { Exchange } from '../../src/core/exchange/exchange.ts'
import { FastBook } from '../../src/core/market/fast-book.ts'
import type { OrderBook } from '../../src/core/market/order-book.ts'
import type { StateMachineFactory } from '../../src/engine/port/state-machine.ts'
import { FEW_KEYS } from '../../test/oracle/api-keys.ts'
import { IDS_LIMITS } from '../checkers/shadow-ids.ts'
import { MASS_CANCEL_STEPS } from '../checkers/shadow-mass-cancels.ts'
import { SESSION_LIMITS } from '../checkers/shadow-sessions.ts'
import { STEPS_MOST } from '../checkers/shadow-state.ts'

const FIRST_ORDERS = 16
const FIRST_LEVELS = 4

/** Machines whose books are small and changed by `change`. */
export function machinesWith(change: (book: OrderBook) => OrderBook): StateMachineFactory {
  const createBook = () => change(new FastBook(FIRST_ORDERS, FIRST_LEVELS))
  const options = {
    createBook,
    matchStepsMax: STEPS_MOST,
    clientOrderIdLimits: IDS_LIMITS,
    massCancelSteps: MASS_CANCEL_STEPS,
    sessionLimits: SESSION_LIMITS,
    registryLimits: FEW_KEYS,
  }
  return {
    empty: () => new Exchange(options),
    fromSnapshot: (payload) => Exchange.decodeSnapshot(payload, options),
  }
}

export const MACHINES = machinesWith((book) => book)
