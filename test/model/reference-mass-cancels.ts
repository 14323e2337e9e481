/**
 * Cancels of many orders of an account in the reference exchange, from docs/reference/timers.md#mass-cancel
 * and docs/reference/timers.md#countdown: each has a list of the orders that are still to be examined.
 */
import type { EngineCommand } from '../../src/core/commands/command.ts'
import type {
  CancelAllOrders,
  ContinueCancelAll,
  FireCountdown,
  SetCountdown,
} from '../../src/core/commands/timers.ts'
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { AccountId, OrderNumber, SymbolId } from '../../src/units/ids.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import { canceled, type Emit, endOthers, leaveBook } from './reference-ends.ts'
import { sessionsOver } from './reference-sessions.ts'
import type { ReferenceCountdown, ReferenceMassCancel, ReferenceState } from './reference-state.ts'
import { causeOfEnd, expiring, isMeant } from './reference-timers.ts'

/** Small, so that random orders need many commands. */
export const MASS_CANCEL_STEPS = { first: 2, next: 1 } as const
const DAY_MS = 86_400_000

/** Ends as many orders as one command may, the newest first, and leaves the rest to engine commands. */
export function cancelAll(
  state: ReferenceState,
  { accountId, symbolId }: CancelAllOrders,
  emit: Emit,
): Reply {
  const reason = scopeRefusal(state, accountId, symbolId)
  if (reason !== undefined) return refused(reason)
  const meant = () =>
    state.all.filter(
      (order) => order.accountId === accountId && (symbolId === undefined || order.symbol.id === symbolId),
    )
  const before = meant().length
  const kind = { accountId, symbolId, cause: 'USER', keepsStops: false, since: state.time } as const
  const running = begin(state, kind, (state.orderCount + 1) as OrderNumber)
  goOn(state, running, MASS_CANCEL_STEPS.first, emit)
  const left = meant().length
  if (left === 0) state.massCancels = state.massCancels.filter((one) => one !== running)
  return { kind: 'OrdersCanceled', canceled: before - left, left }
}

export function continueCancel(state: ReferenceState, { accountId }: ContinueCancelAll, emit: Emit): Reply {
  const running = nextOf(state, accountId)
  if (running === undefined) return refused('UNKNOWN_ORDER')
  goOn(state, running, MASS_CANCEL_STEPS.next, emit)
  return DONE
}

/** Each request sets the countdown again; 0 switches it off. */
export function setCountdown(state: ReferenceState, command: SetCountdown): Reply {
  const { accountId, symbolId, countdownMs, keepsStops } = command
  const reason = scopeRefusal(state, accountId, symbolId)
  if (reason !== undefined) return refused(reason)
  if (countdownMs > DAY_MS) return refused('INVALID_COMMAND')
  const known = countdownOf(state, accountId, symbolId)
  // A countdown that has already ended is carried out anyway.
  if (known !== undefined && known.triggerAt <= state.time) fire(state, known)
  state.countdowns = state.countdowns.filter((one) => one !== known)
  if (countdownMs === 0) return { kind: 'CountdownSet', triggerAt: undefined }
  const triggerAt = (state.time + countdownMs) as typeof state.time
  state.countdowns.push({ accountId, symbolId, keepsStops, triggerAt })
  return { kind: 'CountdownSet', triggerAt }
}

export function fireCountdown(state: ReferenceState, command: FireCountdown, emit: Emit): Reply {
  const known = countdownOf(state, command.accountId, command.symbolId)
  if (known === undefined || known.triggerAt > state.time) return refused('UNKNOWN_ORDER')
  goOn(state, fire(state, known), MASS_CANCEL_STEPS.next, emit)
  return DONE
}

/** A countdown that ended before its account's new order does not cancel that order. */
export function fireBefore(state: ReferenceState, accountId: AccountId, number: OrderNumber): void {
  const over = state.countdowns.filter((one) => one.accountId === accountId && one.triggerAt <= state.time)
  for (const countdown of over) fire(state, countdown, number)
}

/** Engine commands at `time`, except triggers, in their order. */
export function timersDue(state: ReferenceState, time: number): EngineCommand[] {
  const over = state.countdowns.filter(({ triggerAt }) => triggerAt <= time)
  const inTurn = over.sort(
    (a, b) =>
      a.triggerAt - b.triggerAt || a.accountId - b.accountId || (a.symbolId ?? -1) - (b.symbolId ?? -1),
  )
  const sessions = sessionsOver(state, time)
  const expired = expiring(state, time)
  if (over.length + state.massCancelAccounts.length + sessions.length + expired.length === 0) return []
  const firing = new Set(inTurn.map(({ accountId }) => accountId))
  const running = state.massCancelAccounts.filter(
    (accountId) => !firing.has(accountId) && nextOf(state, accountId) !== undefined,
  )
  // Orders of an account with a mass cancel, or with a session that ends, do not expire one by one in the
  // meantime.
  const canceling = new Set([...firing, ...running, ...sessions.map(({ accountId }) => accountId)])
  const owners = new Map(state.all.map(({ number, accountId }) => [number, accountId]))
  const ending = expired.filter((number) => !canceling.has(owners.get(number) as AccountId))
  return [
    ...inTurn.map(({ accountId, symbolId }) => ({ kind: 'FireCountdown', accountId, symbolId }) as const),
    ...running.map((accountId) => ({ kind: 'ContinueCancelAll', accountId }) as const),
    ...sessions.map(({ number: sessionNumber }) => ({ kind: 'EndSession', sessionNumber }) as const),
    ...ending.map((orderNumber) => ({ kind: 'ExpireOrder', orderNumber }) as const),
  ]
}

/**
 * Sets aside a quarantined command: the orders to be canceled do not trade, and their cancel is not tried
 * again.
 */
export function setCancelAside(state: ReferenceState, command: ContinueCancelAll | FireCountdown): void {
  if (command.kind === 'ContinueCancelAll') {
    const running = nextOf(state, command.accountId)
    if (running !== undefined) running.isAside = true
    return
  }
  const known = countdownOf(state, command.accountId, command.symbolId)
  if (known !== undefined && known.triggerAt <= state.time) fire(state, known).isAside = true
}

function nextOf(state: ReferenceState, accountId: AccountId): ReferenceMassCancel | undefined {
  return state.massCancels.find((one) => one.accountId === accountId && !one.isAside)
}

function countdownOf(
  { countdowns }: ReferenceState,
  accountId: AccountId,
  symbolId: SymbolId | undefined,
): ReferenceCountdown | undefined {
  return countdowns.find((one) => one.accountId === accountId && one.symbolId === symbolId)
}

function fire(
  state: ReferenceState,
  countdown: ReferenceCountdown,
  before = (state.orderCount + 1) as OrderNumber,
): ReferenceMassCancel {
  state.countdowns = state.countdowns.filter((one) => one !== countdown)
  const { accountId, symbolId, keepsStops, triggerAt } = countdown
  return begin(state, { accountId, symbolId, cause: 'DEAD_MAN', keepsStops, since: triggerAt }, before)
}

type Kind = Pick<ReferenceMassCancel, 'accountId' | 'symbolId' | 'cause' | 'keepsStops' | 'since'>

function begin(state: ReferenceState, kind: Kind, before: OrderNumber): ReferenceMassCancel {
  const left = state.all
    .filter(({ accountId, number }) => accountId === kind.accountId && number < before)
    .reverse()
  const running = { ...kind, before, left, isAside: false }
  if (left.length === 0) return running
  const isSame = (one: ReferenceMassCancel) =>
    one.accountId === kind.accountId &&
    one.symbolId === kind.symbolId &&
    one.cause === kind.cause &&
    one.keepsStops === kind.keepsStops
  state.startMassCancel(running, isSame)
  return running
}

function goOn(state: ReferenceState, running: ReferenceMassCancel, steps: number, emit: Emit): void {
  for (let step = 0; step < steps; step++) {
    const open = running.left.filter((order) => state.all.includes(order))
    const [order, ...others] = open
    if (order === undefined) break
    if (isMeant(state, running, order)) {
      const cause = causeOfEnd(state, order) ?? running.cause
      endOthers(state, order, emit)
      leaveBook(state, order)
      emit(canceled(order, order.remaining, cause))
    }
    running.left = others
  }
}

function scopeRefusal(
  state: ReferenceState,
  accountId: AccountId,
  symbolId: SymbolId | undefined,
): CoreReason | undefined {
  if (symbolId !== undefined && state.symbols[symbolId] === undefined) return 'UNKNOWN_SYMBOL'
  return state.accounts[accountId]?.role === 'trader' ? undefined : 'UNKNOWN_ACCOUNT'
}
