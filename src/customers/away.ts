/** Faults of the services on which the customers process depends. */
import { ExchangeFault } from './ports.ts'
import { StoreAwayFault } from './store/sql.ts'

/**
 * Whether the fault is that the exchange or the store does not answer, or that the exchange refuses what it
 * should accept: a later request may succeed, and a change in progress may have been carried out.
 */
export function isAway(cause: unknown): cause is ExchangeFault | StoreAwayFault {
  return cause instanceof ExchangeFault || cause instanceof StoreAwayFault
}

/** The message for the log: the exchange or the store did not answer. */
export function awayMessage(cause: ExchangeFault | StoreAwayFault): string {
  return cause instanceof ExchangeFault
    ? 'the exchange did not answer the customers process'
    : 'the customer store did not answer'
}
