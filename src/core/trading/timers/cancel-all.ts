/**
 * Canceling all orders of an account, in a symbol or everywhere (docs/reference/timers.md#mass-cancel). A
 * command examines a bounded number of orders; from the first command on, none of the affected orders
 * trades.
 */
import type { AccountId, OrderNumber } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import {
  COUNTDOWN_MAX_MS,
  COUNTDOWNS_PER_ACCOUNT_MAX,
  MASS_CANCELS_PER_ACCOUNT_MAX,
} from '../../../units/limits.ts'
import { timeMs } from '../../../units/quantities.ts'
import type {
  CancelAllOrders,
  ContinueCancelAll,
  FireCountdown,
  SetCountdown,
} from '../../commands/timers.ts'
import type { EventSink } from '../../events/event.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import { NO_SLOT } from '../../market/order-book.ts'
import {
  type CountdownSet,
  DONE,
  type Done,
  type OrdersCanceled,
  type Refused,
  refused,
} from '../../questions/reply.ts'
import { ChangedLevels } from '../changed-levels.ts'
import { endOrder } from '../end-order.ts'
import { begin, fire } from './begin-cancel.ts'
import { causeOfEnd } from './ended.ts'
import type { MassCancel } from './mass-cancels.ts'
import { ends } from './meant.ts'

/**
 * Cancels an account's orders at its own request. Examines a bounded number of orders, and leaves the rest to
 * the engine's own commands.
 */
export function cancelAllOrders(
  state: ExchangeState,
  { accountId, symbolId }: CancelAllOrders,
  emit: EventSink,
): OrdersCanceled | Refused {
  const refusal = scopeRefusal(state, accountId, symbolId)
  if (refusal !== undefined) return refusal
  const { orders, massCancels } = state
  const kind = { accountId, symbolId, cause: 'USER', keepsStops: false, time: state.time } as const
  const isFull = massCancels.askedOf(accountId) >= MASS_CANCELS_PER_ACCOUNT_MAX
  if (isFull && !massCancels.has(kind)) return refused('TOO_MANY_MASS_CANCELS')
  const open = orders.count(accountId, symbolId)
  const massCancel = begin(state, kind, state.nextOrder as OrderNumber)
  if (massCancel !== undefined) goOn(state, massCancel, state.massCancelSteps.first, emit)
  const left = orders.count(accountId, symbolId)
  if (left === 0 && massCancel !== undefined) massCancels.remove(massCancel)
  return { kind: 'OrdersCanceled', canceled: open - left, left }
}

/** Continues the oldest mass cancel of an account. Refused, without an effect, if there is none. */
export function continueCancelAll(
  state: ExchangeState,
  { accountId }: ContinueCancelAll,
  emit: EventSink,
): Done | Refused {
  const massCancel = state.massCancels.of(accountId).find(({ isAside }) => !isAside)
  if (massCancel === undefined) return refused('UNKNOWN_ORDER')
  goOn(state, massCancel, state.massCancelSteps.next, emit)
  return DONE
}

/**
 * Sets a countdown, replacing the previous one, or switches it off with 0. A countdown that has already ended
 * is still carried out.
 */
export function setCountdown(
  state: ExchangeState,
  { accountId, symbolId, countdownMs, keepsStops }: SetCountdown,
): CountdownSet | Refused {
  const refusal = scopeRefusal(state, accountId, symbolId)
  if (refusal !== undefined) return refusal
  const isInRange = Number.isSafeInteger(countdownMs) && countdownMs >= 0 && countdownMs <= COUNTDOWN_MAX_MS
  if (!isInRange) return refused('INVALID_COMMAND')
  const { countdowns, time } = state
  const known = countdowns.get(accountId, symbolId)
  const isNew = known === undefined && countdownMs > 0
  if (isNew && countdowns.of(accountId).length >= COUNTDOWNS_PER_ACCOUNT_MAX)
    return refused('TOO_MANY_COUNTDOWNS')
  if (known !== undefined && known.triggerAt <= time) fire(state, known, state.nextOrder as OrderNumber)
  if (countdownMs === 0) {
    countdowns.remove(accountId, symbolId)
    return { kind: 'CountdownSet', triggerAt: undefined }
  }
  const triggerAt = timeMs(time + countdownMs)
  countdowns.set({ accountId, symbolId, keepsStops, triggerAt })
  return { kind: 'CountdownSet', triggerAt }
}

/** Carries out a countdown that has ended: removes it, and cancels its orders. */
export function fireCountdown(
  state: ExchangeState,
  { accountId, symbolId }: FireCountdown,
  emit: EventSink,
): Done | Refused {
  const countdown = state.countdowns.get(accountId, symbolId)
  if (countdown === undefined || countdown.triggerAt > state.time) return refused('UNKNOWN_ORDER')
  const massCancel = fire(state, countdown, state.nextOrder as OrderNumber)
  if (massCancel !== undefined) goOn(state, massCancel, state.massCancelSteps.next, emit)
  return DONE
}

/**
 * For when carrying out the engine's command is a known bug: the affected orders do not trade, and the engine
 * does not try again.
 */
export function setCancelAside(state: ExchangeState, command: ContinueCancelAll | FireCountdown): void {
  if (command.kind === 'ContinueCancelAll') {
    const massCancel = state.massCancels.of(command.accountId).find(({ isAside }) => !isAside)
    if (massCancel !== undefined) massCancel.isAside = true
    return
  }
  const countdown = state.countdowns.get(command.accountId, command.symbolId)
  if (countdown === undefined || countdown.triggerAt > state.time) return
  const massCancel = fire(state, countdown, state.nextOrder as OrderNumber)
  if (massCancel !== undefined) massCancel.isAside = true
}

/**
 * Examines `steps` more orders of the account, ends those that the mass cancel affects, and publishes the
 * levels that changed.
 */
function goOn(state: ExchangeState, massCancel: MassCancel, steps: number, emit: EventSink): void {
  const levels = new ChangedLevels()
  for (let left = steps; left > 0; left--) {
    const order = state.orders.get(massCancel.next)
    invariant(order !== undefined, () => `order ${massCancel.next} must be open to be examined`)
    const older = state.orders.olderThan(order.number)
    if (ends(state, massCancel, order)) {
      const market = state.market(order.symbolId)
      invariant(
        market !== undefined,
        () => `symbol ${order.symbolId} of open order ${order.number} must exist`,
      )
      const isResting = order.slot !== NO_SLOT
      // When an order ends, every mass cancel that would examine it next continues with the next older one.
      endOrder(
        state,
        market,
        order,
        causeOfEnd(state, order) ?? massCancel.cause,
        levels.collectedFrom(emit, market),
      )
      if (isResting) levels.add(market, order.side, order.price)
    } else if (older === undefined) state.massCancels.remove(massCancel)
    else massCancel.next = older
    // Other orders of the order's list have ended with it, perhaps all remaining ones.
    if (older === undefined || !state.orders.has(massCancel.next)) break
  }
  levels.publish(emit)
}

function scopeRefusal(
  state: ExchangeState,
  accountId: AccountId,
  symbolId: CancelAllOrders['symbolId'],
): Refused | undefined {
  if (symbolId !== undefined && state.market(symbolId) === undefined) return refused('UNKNOWN_SYMBOL')
  return state.isTrader(accountId) ? undefined : refused('UNKNOWN_ACCOUNT')
}
