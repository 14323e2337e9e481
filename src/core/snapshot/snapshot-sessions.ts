/** Sessions as bytes, by number, each with its open orders. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { AccountId, ListNumber, OrderNumber, SessionNumber } from '../../units/ids.ts'
import { SESSION_GRACE_MAX_MS } from '../../units/limits.ts'
import { type TimeMs, timeMs } from '../../units/quantities.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { isOverAt, type TradingSession } from '../trading/timers/sessions.ts'

/** In place of a session's end time while it has a connection. */
const CONNECTED = 0

export function writeSessions(w: ByteWriter, { sessions }: ExchangeState): void {
  w.uint(sessions.count)
  for (const session of sessions.all()) {
    w.uint(session.number)
    w.uint(session.time)
    w.uint(session.accountId)
    w.text(session.apiKey)
    w.uint(session.graceMs)
    w.uint(session.attachment)
    w.uint(session.endsAt ?? CONNECTED)
    w.bool(session.isAside)
    const orders = sessions.ordersOf(session.number)
    w.uint(orders.size)
    let last: number = session.number
    for (const number of orders) {
      w.uint(number - last)
      last = number
    }
  }
}

/** Throws `BytesFault`. */
export function readSessions(r: ByteReader, state: ExchangeState): void {
  const { sessions } = state
  let last = 0
  for (let left = r.uint(); left > 0; left--) {
    const session = readSession(r)
    const orderCount = r.uint()
    const isAhead = session.number > last && sessions.hasRoom(session.accountId)
    if (!isAhead || !isPossible(state, session, orderCount)) throw impossible(r, session.number)
    last = session.number
    sessions.put(session)
    readOrdersOf(r, state, session, orderCount)
  }
}

function readSession(r: ByteReader): TradingSession {
  return {
    number: r.uint() as SessionNumber,
    time: r.uint() as TimeMs,
    accountId: r.uint() as AccountId,
    apiKey: r.text(),
    graceMs: r.uint(),
    attachment: r.uint(),
    endsAt: readEnd(r),
    isAside: r.bool(),
  }
}

function readEnd(r: ByteReader): TimeMs | undefined {
  const time = r.uint()
  return time === CONNECTED ? undefined : timeMs(time)
}

function readOrdersOf(
  r: ByteReader,
  { orders, sessions }: ExchangeState,
  { number: sessionNumber, accountId }: TradingSession,
  count: number,
): void {
  let last: number = sessionNumber
  for (let left = count; left > 0; left--) {
    const number = (last + r.uint()) as OrderNumber
    const isOwn = orders.get(number)?.accountId === accountId && sessions.of(number) === undefined
    if (number <= last || !isOwn) throw impossible(r, sessionNumber)
    sessions.join(sessionNumber, number)
    last = number
  }
}

/**
 * Whether the session's number is unique and its times are past, it ends no later than its grace period
 * allows, and it is set aside only if it has ended and has orders.
 */
function isPossible(state: ExchangeState, session: TradingSession, orderCount: number): boolean {
  const { number, time, accountId, graceMs, attachment, endsAt, isAside } = session
  const isOwn = state.isTrader(accountId) && isKeyOf(state, session)
  const any: number = number
  const isTaken = state.orders.has(any as OrderNumber) || state.lists.get(any as ListNumber) !== undefined
  const isPlaced = number < state.nextOrder && !isTaken && time <= state.time
  const isInTime =
    graceMs <= SESSION_GRACE_MAX_MS &&
    (endsAt === undefined || (endsAt >= time && endsAt <= state.time + graceMs))
  const canBeAside = !isAside || (isOverAt(session, state.time) && orderCount > 0)
  return isOwn && isPlaced && isInTime && attachment >= 1 && canBeAside
}

/**
 * Whether the key belongs to the account, or was removed from it: then no key has the text, or a key that was
 * created later.
 */
function isKeyOf({ registry }: ExchangeState, { accountId, apiKey, time }: TradingSession): boolean {
  const key = registry.apiKey(apiKey)
  if (key?.accountId === accountId) return true
  return registry.hasLostApiKeys(accountId) && (key === undefined || key.createdAt >= time)
}

function impossible(r: ByteReader, number: number): BytesFault {
  return new BytesFault(`session ${number} before byte ${r.at} is not valid`)
}
