/**
 * Sessions of the reference exchange, written from docs/reference/order-entry.md#cancel-on-disconnect: a
 * plain list, searched when needed. The rule that a line follows is stated beside it.
 */
import type { Command } from '../../src/core/commands/command.ts'
import type { DisconnectSession, EndSession, OpenSession } from '../../src/core/commands/sessions.ts'
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { AccountId, SessionNumber } from '../../src/units/ids.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import { canceled, type Emit, endOthers, leaveBook } from './reference-ends.ts'
import type { ReferenceOrder, ReferenceSession, ReferenceState } from './reference-state.ts'
import { causeOfEnd } from './reference-timers.ts'

/** Small, so that random runs often reach the limits. */
export const SESSION_LIMITS = { perAccount: 2, inAll: 5 } as const
/** Number of orders that each command ends. */
const STEPS = 1
const MINUTE_MS = 60_000

export function openSession(state: ReferenceState, command: OpenSession): Reply {
  const { accountId, apiKey, graceMs, resumes } = command
  const { time } = state
  if (state.accounts[accountId]?.role !== 'trader') return refused('UNKNOWN_ACCOUNT')
  if (!state.apiKeys.some((key) => key.apiKey === apiKey && key.accountId === accountId))
    return refused('UNKNOWN_API_KEY')
  if (graceMs > MINUTE_MS) return refused('INVALID_COMMAND')
  if (resumes !== undefined) {
    const known = state.sessions.find(
      (one) => one.number === resumes.sessionNumber && one.time === resumes.sessionTime,
    )
    // Only the same key can resume a session, and only before its time is over.
    if (known?.apiKey !== apiKey || isOver(known, time)) return refused('UNKNOWN_SESSION')
    known.graceMs = graceMs
    known.attachment++
    known.endsAt = undefined
    return {
      kind: 'SessionOpened',
      sessionNumber: known.number,
      time: known.time,
      attachment: known.attachment,
    }
  }
  const own = state.sessions.filter((one) => one.accountId === accountId)
  const isFull = own.length >= SESSION_LIMITS.perAccount || state.sessions.length >= SESSION_LIMITS.inAll
  if (isFull) return refused('TOO_MANY_SESSIONS')
  const number = ++state.orderCount as SessionNumber
  const rest = { attachment: 1, endsAt: undefined, isAside: false }
  state.sessions.push({ number, time, accountId, apiKey, graceMs, ...rest })
  return { kind: 'SessionOpened', sessionNumber: number, time, attachment: 1 }
}

export function disconnectSession(state: ReferenceState, command: DisconnectSession): Reply {
  const known = state.sessions.find(({ number }) => number === command.sessionNumber)
  // If a connection has lost its session, its end has no effect.
  if (known === undefined || known.attachment !== command.attachment || known.endsAt !== undefined)
    return refused('UNKNOWN_SESSION')
  known.endsAt = state.time + known.graceMs
  return DONE
}

/** A restart disconnects all sessions; the grace period begins when the service is available again. */
export function disconnectSessions(state: ReferenceState): Reply {
  for (const session of state.sessions) {
    if (!isOver(session, state.timeBefore)) session.endsAt = state.time + session.graceMs
  }
  return DONE
}

/** The oldest orders are ended first. */
export function endSession(state: ReferenceState, { sessionNumber }: EndSession, emit: Emit): Reply {
  const session = sessionsOver(state, state.time).find(({ number }) => number === sessionNumber)
  if (session === undefined) return refused('UNKNOWN_SESSION')
  for (let step = 0; step < STEPS; step++) {
    const [order] = ordersOf(state, session)
    if (order === undefined) break
    const cause = causeOfEnd(state, order) ?? 'DISCONNECT'
    endOthers(state, order, emit)
    leaveBook(state, order)
    emit(canceled(order, order.remaining, cause))
  }
  if (ordersOf(state, session).length === 0) forget(state, session)
  return DONE
}

/**
 * Assigns the session to the orders that a command left open: an order belongs to the session over which it
 * was placed.
 */
export function joinSession(state: ReferenceState, command: Command, before: number): void {
  const asked = command.kind === 'ReplaceOrder' ? command.order : command
  if (asked.kind !== 'PlaceOrder' && asked.kind !== 'PlaceList') return
  if (asked.sessionNumber === undefined) return
  for (const order of state.all) if (order.number > before) order.session = asked.sessionNumber
}

/** The sessions that the engine must end at `time`, in the engine's order. */
export function sessionsOver({ sessions }: ReferenceState, time: number): ReferenceSession[] {
  return sessions
    .filter((session) => isOver(session, time) && !session.isAside)
    .sort((a, b) => (a.endsAt ?? 0) - (b.endsAt ?? 0) || a.number - b.number)
}

/** An order is accepted while its session has a connection. */
export function sessionRefusal(
  { sessions }: ReferenceState,
  {
    accountId,
    sessionNumber,
  }: { readonly accountId: AccountId; readonly sessionNumber?: SessionNumber | undefined },
): CoreReason | undefined {
  if (sessionNumber === undefined) return undefined
  const known = sessions.find((one) => one.number === sessionNumber && one.accountId === accountId)
  return known !== undefined && known.endsAt === undefined ? undefined : 'UNKNOWN_SESSION'
}

/** Sets aside a session whose end is quarantined: its orders do not trade, and can be canceled. */
export function setSessionAside(state: ReferenceState, { sessionNumber }: EndSession): void {
  const session = state.sessions.find(({ number }) => number === sessionNumber)
  if (session !== undefined && isOver(session, state.time)) session.isAside = true
  dropEmptyAside(state)
}

export function setSessionsAside(state: ReferenceState): void {
  for (const session of state.sessions) {
    session.endsAt = state.time
    session.isAside = true
  }
  dropEmptyAside(state)
}

/** Drops sessions that are set aside and have no orders. */
export function dropEmptyAside(state: ReferenceState): void {
  for (const session of state.sessions)
    if (session.isAside && ordersOf(state, session).length === 0) forget(state, session)
}

function ordersOf(state: ReferenceState, { number }: ReferenceSession): ReferenceOrder[] {
  return state.all.filter(({ session }) => session === number)
}

function forget(state: ReferenceState, session: ReferenceSession): void {
  state.sessions = state.sessions.filter((one) => one !== session)
}

function isOver({ endsAt }: ReferenceSession, time: number): boolean {
  return endsAt !== undefined && endsAt <= time
}
