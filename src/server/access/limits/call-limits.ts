/** The counters for one call: weight of the address and orders of the account, for every transport. */

import type { AccountLimits } from '../../../contract/api/account-limits.ts'
import type { AccountId } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { type Refusal, refuse } from '../../common/refusal.ts'
import type { KeyOrders } from '../auth/session-keys.ts'
import type { AddressLimits, AddressUse } from './address-limits.ts'
import type { AnswersUnderWay } from './answers-under-way.ts'
import type { OrderCount, OrderCounter } from './order-limits.ts'
import type { ReadingTurns } from './reading-turns.ts'

export type CallLimits = {
  readonly addresses: AddressLimits
  readonly orders: OrderCounter
  readonly answers: AnswersUnderWay
  readonly readings: ReadingTurns
}

/**
 * Time after which a client with too many pending answers may retry: clients that read have received them
 * long before.
 */
export const ANSWERS_RETRY_SECONDS = 1

/** The counted address and account, and the time. */
export type Caller = { readonly limitKey: string; readonly use: AddressUse; readonly now: TimeMs }

/** Charges weight beyond the operation's own. */
export function charge(
  limits: CallLimits,
  { limitKey, use, now }: Caller,
  weight: number,
): Refusal | undefined {
  return limits.addresses.charge(limitKey, use, weight, now)
}

/** Charges the weight of the actual content of the answer. */
export function chargeRows(
  limits: CallLimits,
  { limitKey, use, now }: Caller,
  weight: number,
): Refusal | undefined {
  return limits.addresses.chargeRows(limitKey, use, weight, now)
}

/** Reads when it is the address's turn; refused if too many reads are waiting already. */
export function readInTurn<T>(
  { readings }: CallLimits,
  { limitKey }: Caller,
  read: () => Promise<T>,
): Promise<T> | Refusal {
  return readings.take(limitKey, read) ?? refuse('ANSWERS_UNDER_WAY', { seconds: ANSWERS_RETRY_SECONDS })
}

/**
 * Counts the orders in the windows of their account, and orders with a session's key also in those of the
 * key; refused orders count as one answer with 429 to the address.
 */
export function takeOrders(
  { addresses, orders }: CallLimits,
  { limitKey, use, now }: Caller,
  accountId: AccountId,
  count: number,
  keyOrders?: KeyOrders | undefined,
): Refusal | undefined {
  const isTaken = keyOrders?.take(count) !== false
  const refusal = isTaken ? orders.take(accountId, now, count) : refuse('ORDER_RATE_LIMITED', { seconds: 1 })
  return refusal && (addresses.noteRefusal(limitKey, use, now) ?? refusal)
}

/** The refusal of `takeOrders`, for orders that were counted elsewhere and exceeded the limit. */
export function refuseOrders(
  { addresses, orders }: CallLimits,
  { limitKey, use, now }: Caller,
  accountId: AccountId,
  count: number,
): Refusal {
  return addresses.noteRefusal(limitKey, use, now) ?? orders.refusalOf(accountId, now, count)
}

/** Undoes the counting of an order that turned out not to be a new one. */
export function giveBackOrder(
  { orders }: CallLimits,
  { now }: Caller,
  accountId: AccountId,
): readonly OrderCount[] {
  return orders.giveBack(accountId, now)
}

/** Usage of all limits. */
export function limitUses(
  { addresses, orders, answers }: CallLimits,
  { limitKey, use, now }: Caller,
  accountId: AccountId,
): Omit<AccountLimits, 'openOrders'> {
  const rateLimits = [...addresses.uses(use, now), ...orders.uses(accountId, now)]
  return { rateLimits, answerBytes: answers.use(limitKey) }
}
