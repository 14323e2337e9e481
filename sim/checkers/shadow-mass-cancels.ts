/**
 * Cancels of many orders of an account, as the second bookkeeper records them
 * (docs/reference/timers.md#mass-cancel).
 */
import type { EngineCommand } from '../../src/core/commands/command.ts'
import type {
  CancelAllOrders,
  ContinueCancelAll,
  FireCountdown,
  SetCountdown,
} from '../../src/core/commands/timers.ts'
import { Caused, checkLevelsOf, endNext } from './shadow-ends.ts'
import {
  type Applied,
  demand,
  type ShadowCountdown,
  type ShadowMassCancel,
  type ShadowOrder,
  type ShadowState,
} from './shadow-state.ts'
import { causeOfEnd, isMeant } from './shadow-timers.ts'

/**
 * Number of orders that one command of a mass cancel examines: so few in a simulation that a mass cancel
 * takes many commands.
 */
export const MASS_CANCEL_STEPS = { first: 3, next: 2 } as const
const DAY_MS = 86_400_000

export function checkCancelAll(state: ShadowState, applied: Applied, command: CancelAllOrders): void {
  const { accountId, symbolId } = command
  if (isRefused(state, applied, command)) return
  const before = state.openOrders(accountId, symbolId).length
  const kind = {
    account: accountId,
    symbol: symbolId,
    cause: 'USER',
    keepsStops: false,
    since: state.time,
  } as const
  const running = begin(state, kind, state.lastOrder + 1)
  goOn(state, running, MASS_CANCEL_STEPS.first, applied.events)
  const left = state.openOrders(accountId, symbolId).length
  if (left === 0) state.massCancels = state.massCancels.filter((one) => one !== running)
  const { reply } = applied
  const isSaid = reply.kind === 'OrdersCanceled' && reply.canceled === before - left && reply.left === left
  demand(isSaid, () => `of ${before} orders ${left} are left, found ${JSON.stringify(reply)}`)
}

export function checkSetCountdown(state: ShadowState, applied: Applied, command: SetCountdown): void {
  const { accountId, symbolId, countdownMs, keepsStops } = command
  if (isRefused(state, applied, command)) return
  const { reply, events, time } = applied
  demand(events.length === 0, 'a countdown that is set causes nothing')
  const known = countdownOf(state, command)
  if (known !== undefined && known.triggerAt <= time) fire(state, known)
  state.countdowns = state.countdowns.filter((one) => one !== known)
  const triggerAt = countdownMs === 0 ? undefined : time + countdownMs
  if (triggerAt !== undefined)
    state.countdowns.push({ account: accountId, symbol: symbolId, keepsStops, triggerAt })
  const isSaid = reply.kind === 'CountdownSet' && reply.triggerAt === triggerAt
  demand(isSaid, () => `the countdown ends at ${triggerAt}, found ${JSON.stringify(reply)}`)
}

/**
 * Checks that the engine continues a mass cancel in progress and carries out countdowns that ended; nothing
 * else.
 */
export function checkOwnCancel(
  state: ShadowState,
  { reply, events }: Applied,
  command: ContinueCancelAll | FireCountdown,
): void {
  const running = runningOf(state, command)
  demand(reply.kind === 'Done', () => `${command.kind} is done, found ${reply.kind}`)
  goOn(state, running, MASS_CANCEL_STEPS.next, events)
}

export function setCancelAside(state: ShadowState, command: ContinueCancelAll | FireCountdown): void {
  runningOf(state, command).isAside = true
}

/** Whether the engine still has mass cancels or countdowns to carry out. */
export function isCancelDue(state: ShadowState): boolean {
  prune(state)
  const isRunning = state.massCancels.some(({ isAside }) => !isAside)
  return isRunning || state.countdowns.some(({ triggerAt }) => triggerAt <= state.time)
}

/** Called when an order is opened: countdowns of its account that ended earlier do not end it. */
export function openedBehind(state: ShadowState, order: ShadowOrder): void {
  const over = state.countdowns.filter((one) => one.account === order.account && one.triggerAt <= state.time)
  for (const countdown of over) fire(state, countdown, order.number)
}

/** Removes mass cancels with no orders left to examine. */
function prune(state: ShadowState): void {
  const isOpen = ({ number }: ShadowOrder) => state.orders.has(number)
  state.massCancels = state.massCancels.filter(({ left }) => left.some(isOpen))
}

function runningOf(
  state: ShadowState,
  command: Extract<EngineCommand, ContinueCancelAll | FireCountdown>,
): ShadowMassCancel {
  prune(state)
  if (command.kind === 'ContinueCancelAll') {
    const running = state.massCancels.find((one) => one.account === command.accountId && !one.isAside)
    demand(running !== undefined, () => `account ${command.accountId} cancels nothing`)
    return running
  }
  const known = countdownOf(state, command)
  demand(known !== undefined, () => `account ${command.accountId} has no such countdown`)
  demand(known.triggerAt <= state.time, () => `a countdown ends at ${known.triggerAt}, not yet`)
  return fire(state, known)
}

function countdownOf(
  { countdowns }: ShadowState,
  { accountId, symbolId }: Pick<SetCountdown, 'accountId' | 'symbolId'>,
): ShadowCountdown | undefined {
  return countdowns.find((one) => one.account === accountId && one.symbol === symbolId)
}

function fire(
  state: ShadowState,
  countdown: ShadowCountdown,
  before = state.lastOrder + 1,
): ShadowMassCancel {
  state.countdowns = state.countdowns.filter((one) => one !== countdown)
  const { triggerAt: since, ...scope } = countdown
  return begin(state, { ...scope, cause: 'DEAD_MAN', since }, before)
}

function begin(
  state: ShadowState,
  kind: Omit<ShadowMassCancel, 'before' | 'left' | 'isAside'>,
  before: number,
): ShadowMassCancel {
  const left = state.openOrders(kind.account).filter(({ number }) => number < before)
  const running = { ...kind, before, left, isAside: false }
  if (left.length === 0) return running
  const keyOf = ({ account, symbol, cause, keepsStops }: typeof kind) =>
    [account, symbol, cause, keepsStops].join()
  const others = state.massCancels.filter((one) => keyOf(one) !== keyOf(kind))
  state.massCancels = [...others, running]
  return running
}

function goOn(state: ShadowState, running: ShadowMassCancel, steps: number, events: Applied['events']): void {
  const isOpen = ({ number }: ShadowOrder) => state.orders.has(number)
  const rested: ShadowOrder[] = []
  const caused = new Caused(events)
  for (let step = 0; step < steps; step++) {
    const [order, ...others] = running.left.filter(isOpen)
    if (order === undefined) break
    running.left = others
    if (isMeant(running, order))
      rested.push(...endNext(state, order, causeOfEnd(state, order) ?? running.cause, caused))
  }
  caused.demandNoMore()
  checkLevelsOf(state, rested, caused.levels)
  prune(state)
}

/** Checks a refusal; returns false if there is no reason for one. */
function isRefused(
  state: ShadowState,
  { reply, events }: Applied,
  command: CancelAllOrders | SetCountdown,
): boolean {
  const { accountId, symbolId } = command
  const reasons = new Set<string>()
  if (symbolId !== undefined && state.symbols[symbolId] === undefined) reasons.add('UNKNOWN_SYMBOL')
  if (state.accounts[accountId]?.role !== 'trader') reasons.add('UNKNOWN_ACCOUNT')
  if (command.kind === 'SetCountdown' && command.countdownMs > DAY_MS) reasons.add('INVALID_COMMAND')
  if (reply.kind !== 'Refused') {
    demand(reasons.size === 0, () => `${command.kind} is to be refused: ${[...reasons].join(', ')}`)
    return false
  }
  demand(reasons.has(reply.reason), () => `${command.kind} is not to be refused with ${reply.reason}`)
  demand(events.length === 0, 'a refusal leaves no trace')
  return true
}
