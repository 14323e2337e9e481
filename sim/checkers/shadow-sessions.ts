/**
 * Orders that end with a connection, as the second bookkeeper records them
 * (docs/reference/order-entry.md#cancel-on-disconnect).
 */
import type { DisconnectSession, EndSession, OpenSession } from '../../src/core/commands/sessions.ts'
import { Caused, checkLevelsOf, endNext } from './shadow-ends.ts'
import { MASS_CANCEL_STEPS } from './shadow-mass-cancels.ts'
import {
  type Applied,
  demand,
  type ShadowOrder,
  type ShadowSession,
  type ShadowState,
} from './shadow-state.ts'
import { causeOfEnd, isOverAt } from './shadow-timers.ts'

/** Small, so that a simulation often reaches the limits. */
export const SESSION_LIMITS = { perAccount: 3, inAll: 8 } as const
const MINUTE_MS = 60_000

export function checkOpenSession(state: ShadowState, applied: Applied, command: OpenSession): void {
  const { reply, events, time } = applied
  const { accountId, apiKey, graceMs, resumes } = command
  demand(events.length === 0, 'a session that is opened causes nothing')
  const reasons = new Set<string>()
  if (state.accounts[accountId]?.role !== 'trader') reasons.add('UNKNOWN_ACCOUNT')
  if (!state.apiKeys.some((key) => key.apiKey === apiKey && key.accountId === accountId))
    reasons.add('UNKNOWN_API_KEY')
  if (graceMs > MINUTE_MS) reasons.add('INVALID_COMMAND')
  const known = resumes && state.sessions.get(resumes.sessionNumber)
  if (resumes === undefined && isFull(state, accountId)) reasons.add('TOO_MANY_SESSIONS')
  const isOwn = known?.apiKey === apiKey && known.openedAt === resumes?.sessionTime
  if (resumes !== undefined && (known === undefined || !isOwn || isOverAt(known, time)))
    reasons.add('UNKNOWN_SESSION')
  if (reply.kind === 'Refused') {
    demand(reasons.has(reply.reason), () => `a session is not to be refused with ${reply.reason}`)
    return
  }
  demand(reasons.size === 0, () => `a session is to be refused: ${[...reasons].join(', ')}`)
  if (known === undefined) state.lastOrder++
  const number = known?.number ?? state.lastOrder
  const session: ShadowSession = {
    number,
    openedAt: known?.openedAt ?? time,
    account: accountId,
    apiKey,
    graceMs,
    attachment: (known?.attachment ?? 0) + 1,
    endsAt: undefined,
    isAside: false,
  }
  state.sessions.set(number, session)
  const isSaid =
    reply.kind === 'SessionOpened' &&
    reply.sessionNumber === number &&
    reply.time === session.openedAt &&
    reply.attachment === session.attachment
  demand(isSaid, () => `session ${number} is open, found ${JSON.stringify(reply)}`)
}

export function checkDisconnect(
  state: ShadowState,
  { reply, events, time }: Applied,
  { sessionNumber, attachment }: DisconnectSession,
): void {
  demand(events.length === 0, 'the end of a connection causes nothing by itself')
  const known = state.sessions.get(sessionNumber)
  const isLast = known !== undefined && known.attachment === attachment && known.endsAt === undefined
  if (reply.kind === 'Refused') {
    demand(reply.reason === 'UNKNOWN_SESSION' && !isLast, () => `refused with ${reply.reason}`)
    return
  }
  demand(isLast && reply.kind === 'Done', () => `session ${sessionNumber} has no such connection`)
  known.endsAt = time + known.graceMs
}

/** Checks the command of a node that has started: no connection is left. */
export function checkDisconnectAll(
  state: ShadowState,
  { reply, events, time }: Applied,
  before: number,
): void {
  demand(reply.kind === 'Done' && events.length === 0, 'the return of the service causes nothing by itself')
  demand(state.sessions.size > 0, 'where there is no session none is disconnected')
  for (const session of state.sessions.values())
    if (!isOverAt(session, before)) session.endsAt = time + session.graceMs
}

/**
 * The engine ends some orders of a session whose time is over, oldest first, and forgets the session at the
 * end.
 */
export function checkEndSession(
  state: ShadowState,
  { reply, events }: Applied,
  { sessionNumber }: EndSession,
): void {
  const session = state.sessions.get(sessionNumber)
  demand(session !== undefined, () => `session ${sessionNumber} is not there, and was to be ended`)
  demand(
    isOverAt(session, state.time) && !session.isAside,
    () => `session ${sessionNumber} is not to be ended`,
  )
  demand(reply.kind === 'Done', () => `session ${sessionNumber} is ended, found ${reply.kind}`)
  const caused = new Caused(events)
  const rested: ShadowOrder[] = []
  for (const order of ordersOf(state, sessionNumber).slice(0, MASS_CANCEL_STEPS.next)) {
    const cause = causeOfEnd(state, order)
    demand(cause !== undefined, () => `order ${order.number} is not to end`)
    rested.push(...endNext(state, order, cause, caused))
  }
  caused.demandNoMore()
  checkLevelsOf(state, rested, caused.levels)
  if (ordersOf(state, sessionNumber).length === 0) state.sessions.delete(sessionNumber)
}

/** Called when the command that ends the session was quarantined. */
export function setSessionAside(state: ShadowState, { sessionNumber }: EndSession): void {
  const session = state.sessions.get(sessionNumber)
  if (session !== undefined && isOverAt(session, state.time)) session.isAside = true
}

export function setSessionsAside(state: ShadowState): void {
  for (const session of state.sessions.values()) {
    session.endsAt = state.time
    session.isAside = true
  }
}

/** Forgets sessions that are set aside and have no orders. */
export function forgetAside(state: ShadowState): void {
  for (const [number, { isAside }] of state.sessions)
    if (isAside && ordersOf(state, number).length === 0) state.sessions.delete(number)
}

/** Whether the engine still has sessions to end. */
export function isSessionDue(state: ShadowState): boolean {
  return [...state.sessions.values()].some((session) => isOverAt(session, state.time) && !session.isAside)
}

function isFull({ sessions }: ShadowState, account: number): boolean {
  const own = [...sessions.values()].filter((session) => session.account === account)
  return own.length >= SESSION_LIMITS.perAccount || sessions.size >= SESSION_LIMITS.inAll
}

function ordersOf(state: ShadowState, session: number): ShadowOrder[] {
  const own = [...state.orders.values()].filter((order) => order.session === session)
  return own.sort((a, b) => a.number - b.number)
}
