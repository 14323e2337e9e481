/**
 * Starts a mass cancel: at an account's request, or when a countdown has ended. No order is ended in this
 * file.
 */
import type { AccountId, OrderNumber } from '../../../units/ids.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import type { Countdown } from './countdowns.ts'
import type { MassCancel } from './mass-cancels.ts'

/**
 * Carries out an account's countdowns that have ended, before its order `before` is placed: they do not end
 * that order or later ones.
 */
export function fireOverdue(state: ExchangeState, accountId: AccountId, before: OrderNumber): void {
  const { countdowns, time } = state
  if (!countdowns.hasAnyAt(time)) return
  for (const countdown of countdowns.of(accountId)) {
    if (countdown.triggerAt <= time) fire(state, countdown, before)
  }
}

/**
 * Removes a countdown that has ended; the orders that its account placed before `before` are to be canceled.
 */
export function fire(
  state: ExchangeState,
  countdown: Countdown,
  before: OrderNumber,
): MassCancel | undefined {
  const { accountId, symbolId, keepsStops, triggerAt } = countdown
  state.countdowns.remove(accountId, symbolId)
  return begin(state, { accountId, symbolId, cause: 'DEAD_MAN', keepsStops, time: triggerAt }, before)
}

type Kind = Pick<MassCancel, 'accountId' | 'symbolId' | 'cause' | 'keepsStops' | 'time'>

/** Returns undefined if the account has no open order. */
export function begin(state: ExchangeState, kind: Kind, before: OrderNumber): MassCancel | undefined {
  const next = state.orders.newestOf(kind.accountId)
  if (next === undefined) return undefined
  const massCancel = { ...kind, before, next, isAside: false }
  state.massCancels.add(massCancel)
  return massCancel
}
