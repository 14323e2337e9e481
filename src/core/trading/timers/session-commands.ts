/**
 * Sessions: connections open, resume and end them, and the engine ends the orders of sessions that were not
 * resumed (docs/reference/order-entry.md#cancel-on-disconnect).
 */
import type { AccountId, SessionNumber } from '../../../units/ids.ts'
import { invariant } from '../../../units/invariant.ts'
import { SESSION_GRACE_MAX_MS } from '../../../units/limits.ts'
import { type TimeMs, timeMs } from '../../../units/quantities.ts'
import type { CoreReason } from '../../../units/reasons.ts'
import type { DisconnectSession, EndSession, OpenSession } from '../../commands/sessions.ts'
import type { EventSink } from '../../events/event.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import { NO_SLOT } from '../../market/order-book.ts'
import { DONE, type Done, type Refused, refused, type SessionOpened } from '../../questions/reply.ts'
import { ChangedLevels } from '../changed-levels.ts'
import { endOrder } from '../end-order.ts'
import { causeOfEnd } from './ended.ts'
import { isOverAt, type TradingSession } from './sessions.ts'

/** Opens a session, or resumes one: its previous connection loses it. */
export function openSession(state: ExchangeState, command: OpenSession): SessionOpened | Refused {
  const { accountId, apiKey, graceMs, resumes } = command
  if (!state.isTrader(accountId)) return refused('UNKNOWN_ACCOUNT')
  if (state.registry.apiKey(apiKey)?.accountId !== accountId) return refused('UNKNOWN_API_KEY')
  const isInRange = Number.isSafeInteger(graceMs) && graceMs >= 0 && graceMs <= SESSION_GRACE_MAX_MS
  if (!isInRange) return refused('INVALID_COMMAND')
  if (resumes !== undefined) return resumeSession(state, command, resumes)
  const { sessions, time } = state
  if (!sessions.hasRoom(accountId)) return refused('TOO_MANY_SESSIONS')
  const number = state.nextOrder++ as SessionNumber
  const connected = { attachment: 1, endsAt: undefined, isAside: false }
  return opened(state, { number, time, accountId, apiKey, graceMs, ...connected })
}

function resumeSession(
  state: ExchangeState,
  { accountId, apiKey, graceMs }: OpenSession,
  { sessionNumber, sessionTime }: NonNullable<OpenSession['resumes']>,
): SessionOpened | Refused {
  const known = state.sessions.get(sessionNumber)
  const isOwn = known?.accountId === accountId && known.apiKey === apiKey && known.time === sessionTime
  if (known === undefined || !isOwn || isOverAt(known, state.time)) return refused('UNKNOWN_SESSION')
  return opened(state, { ...known, graceMs, attachment: known.attachment + 1, endsAt: undefined })
}

function opened({ sessions }: ExchangeState, session: TradingSession): SessionOpened {
  sessions.put(session)
  const { number: sessionNumber, time, attachment } = session
  return { kind: 'SessionOpened', sessionNumber, time, attachment }
}

/** Refused, without an effect, unless the session belongs to this connection. */
export function disconnectSession(
  state: ExchangeState,
  { sessionNumber, attachment }: DisconnectSession,
): Done | Refused {
  const session = state.sessions.get(sessionNumber)
  if (session?.attachment !== attachment || session.endsAt !== undefined) return refused('UNKNOWN_SESSION')
  disconnect(state, session)
  return DONE
}

/**
 * After a restart of the engine: every session now waits for its next connection, even one that was already
 * waiting at the stop, unless it had ended by then, at `before`. Examines at most `SESSIONS_MAX` sessions.
 */
export function disconnectSessions(state: ExchangeState, before: TimeMs): Done {
  for (const session of state.sessions.all()) if (!isOverAt(session, before)) disconnect(state, session)
  return DONE
}

function disconnect({ sessions, time }: ExchangeState, session: TradingSession): void {
  sessions.put({ ...session, endsAt: timeMs(time + session.graceMs) })
}

/**
 * Ends some orders of a session that has ended, oldest first, and forgets the session when none is left.
 * Refused, without an effect, if there is no such session.
 */
export function endSession(
  state: ExchangeState,
  { sessionNumber }: EndSession,
  emit: EventSink,
): Done | Refused {
  const session = state.sessions.get(sessionNumber)
  const isDue = session !== undefined && isOverAt(session, state.time) && !session.isAside
  if (!isDue) return refused('UNKNOWN_SESSION')
  const levels = new ChangedLevels()
  let left = state.massCancelSteps.next
  for (const number of state.sessions.ordersOf(sessionNumber)) {
    if (left-- === 0) break
    const order = state.orders.get(number)
    const market = order && state.market(order.symbolId)
    invariant(
      order !== undefined && market !== undefined,
      () => `order ${number} of session ${sessionNumber} must be open`,
    )
    const isResting = order.slot !== NO_SLOT
    const cause = causeOfEnd(state, order) ?? 'DISCONNECT'
    endOrder(state, market, order, cause, levels.collectedFrom(emit, market))
    if (isResting) levels.add(market, order.side, order.price)
  }
  if (state.sessions.ordersOf(sessionNumber).size === 0) state.sessions.remove(sessionNumber)
  levels.publish(emit)
  return DONE
}

/**
 * For when ending a session's orders is a known bug: from now on they do not trade, and the engine does not
 * try again.
 */
export function setSessionAside(state: ExchangeState, { sessionNumber }: EndSession): void {
  const session = state.sessions.get(sessionNumber)
  if (session !== undefined && isOverAt(session, state.time)) putAside(state, session)
}

/**
 * For when disconnecting all sessions is a known bug: all of them have ended now, and the engine does not end
 * their orders.
 */
export function setSessionsAside(state: ExchangeState): void {
  for (const session of state.sessions.all()) putAside(state, { ...session, endsAt: state.time })
}

function putAside({ sessions }: ExchangeState, session: TradingSession): void {
  if (sessions.ordersOf(session.number).size === 0) sessions.remove(session.number)
  else sessions.put({ ...session, isAside: true })
}

/**
 * The reason why an order with a session is refused: the session has no connection, or belongs to another
 * account. Undefined if there is none.
 */
export function sessionRefusal(
  state: ExchangeState,
  accountId: AccountId,
  sessionNumber: SessionNumber | undefined,
): CoreReason | undefined {
  if (sessionNumber === undefined) return undefined
  const session = state.sessions.get(sessionNumber)
  const isConnected = session?.accountId === accountId && session.endsAt === undefined
  return isConnected ? undefined : 'UNKNOWN_SESSION'
}
