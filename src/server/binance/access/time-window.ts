/**
 * `timestamp` in milliseconds or microseconds and `recvWindow` in milliseconds with up to three decimals. The
 * messages are Binance's: clients correct their clocks when they receive them.
 */
import type { TimeMs } from '../../../units/quantities.ts'
import { AHEAD_MS } from '../../access/auth/time-window.ts'
import type { Parameters } from '../../common/parameters.ts'
import { refuse } from '../../common/refusal.ts'
import type { RequestWindow } from '../../trading/call.ts'
import { invalid } from '../endpoints/check.ts'
import { refused } from '../wire/refused.ts'
import { type WireError, wrongParameter } from '../wire/wire-error.ts'

const RECV_WINDOW_DEFAULT_MS = 5_000
const RECV_WINDOW_MAX_MS = 60_000
const RECV_WINDOW = /^\d{1,5}(?:\.\d{1,3})?$/
/** Timestamps from this value on are in microseconds: as milliseconds, it would be in the year 5138. */
const MICROSECONDS_FROM = 1e14
const MICROSECONDS = 1_000

type ServerTimes = { readonly now: TimeMs; readonly doubted: TimeMs | undefined }

/** The window of a request whose parameters were checked, or why it is not open. */
export function windowOf(parameters: Parameters, { now, doubted }: ServerTimes): RequestWindow | WireError {
  const text = parameters.get('recvWindow')
  if (text !== undefined && !RECV_WINDOW.test(text)) return invalid('recvWindow')
  const windowMs = text === undefined ? RECV_WINDOW_DEFAULT_MS : Number(text)
  if (windowMs > RECV_WINDOW_MAX_MS) {
    const msg = `recvWindow must be less than ${RECV_WINDOW_MAX_MS}.`
    return wrongParameter('recvWindow', -1131, msg, 'INVALID_PARAMETER')
  }
  const given = Number(parameters.get('timestamp'))
  const sentAt = given >= MICROSECONDS_FROM ? given / MICROSECONDS : given
  const isOpen = (at: TimeMs): boolean => sentAt < at + AHEAD_MS && at - sentAt <= windowMs
  if (!isOpen(now) && (doubted === undefined || !isOpen(doubted))) {
    const skewMs = Math.abs(Math.trunc(now - sentAt))
    return sentAt >= now + AHEAD_MS
      ? refused(refuse('TIMESTAMP_AHEAD', { skewMs, serverTimeMs: now }))
      : refused(refuse('TIMESTAMP_EXPIRED', { skewMs, serverTimeMs: now, recvWindowMs: windowMs }))
  }
  return { sentAt: Math.floor(sentAt) as TimeMs, until: Math.floor(sentAt + windowMs) as TimeMs }
}
