/**
 * Orders that have ended although they are still open: from its time on an order does not trade, however long it takes to end all whose
 * time is over (docs/reference/timers.md#from-that-moment-on).
 */
import type { OrderNumber } from '../../../../units/ids.ts'
import type { CancelCause } from '../../event.ts'
import type { ExchangeState } from '../../state.ts'
import type { Order } from '../open-orders.ts'

/** Why an open order has ended; undefined: it has not. */
export function causeOfEnd({ expiries, time }: ExchangeState, { number }: Order): CancelCause | undefined {
  return expiries.isOver(number, time) ? 'EXPIRED' : undefined
}

/** Whether a resting order has ended; undefined: none can have. */
export function endedMakers({
  expiries,
  time,
}: ExchangeState): ((number: OrderNumber) => boolean) | undefined {
  return expiries.hasAnyAt(time) ? (number) => expiries.isOver(number, time) : undefined
}
