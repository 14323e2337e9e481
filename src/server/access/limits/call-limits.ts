/** What one call is counted against: its address's weight and its account's orders, whichever transport it came over. */
import type { AccountId } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { AccountLimits } from '../../../wire/account-limits.ts'
import { type Refusal, refuse } from '../../common/refusal.ts'
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

/** When whoever has too many answers under way may ask again: clients that read have long taken them by then. */
export const ANSWERS_RETRY_SECONDS = 1

/** Who is counted, and when. */
export type Caller = { readonly limitKey: string; readonly use: AddressUse; readonly now: TimeMs }

/** Takes weight beyond the operation's own. */
export function charge(
  limits: CallLimits,
  { limitKey, use, now }: Caller,
  weight: number,
): Refusal | undefined {
  return limits.addresses.charge(limitKey, use, weight, now)
}

/** Takes the weight of what the answer turns out to hold. */
export function chargeRows(
  limits: CallLimits,
  { limitKey, use, now }: Caller,
  weight: number,
): Refusal | undefined {
  return limits.addresses.chargeRows(limitKey, use, weight, now)
}

/** Reads when it is the address's turn; refused where too much waits already. */
export function readInTurn<T>(
  { readings }: CallLimits,
  { limitKey }: Caller,
  read: () => Promise<T>,
): Promise<T> | Refusal {
  return readings.take(limitKey, read) ?? refuse('ANSWERS_UNDER_WAY', { seconds: ANSWERS_RETRY_SECONDS })
}

/** Counts so many orders in the windows of their account; refused ones count as one answer with 429 to its address. */
export function takeOrders(
  { addresses, orders }: CallLimits,
  { limitKey, use, now }: Caller,
  accountId: AccountId,
  count: number,
): Refusal | undefined {
  const refusal = orders.take(accountId, now, count)
  return refusal && (addresses.noteRefusal(limitKey, use, now) ?? refusal)
}

/** As `takeOrders` refuses, for orders that were counted elsewhere and found to be too many. */
export function refuseOrders(
  { addresses, orders }: CallLimits,
  { limitKey, use, now }: Caller,
  accountId: AccountId,
  count: number,
): Refusal {
  return addresses.noteRefusal(limitKey, use, now) ?? orders.refusalOf(accountId, now, count)
}

/** Counts an order no more that turned out to be none. */
export function giveBackOrder(
  { orders }: CallLimits,
  { now }: Caller,
  accountId: AccountId,
): readonly OrderCount[] {
  return orders.giveBack(accountId, now)
}

/** What is used of all of them. */
export function limitUses(
  { addresses, orders, answers }: CallLimits,
  { limitKey, use, now }: Caller,
  accountId: AccountId,
): Omit<AccountLimits, 'openOrders'> {
  const rateLimits = [...addresses.uses(use, now), ...orders.uses(accountId, now)]
  return { rateLimits, answerBytes: answers.use(limitKey) }
}
