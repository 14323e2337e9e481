/**
 * `timestamp` and `recvWindow` (docs/reference/authentication.md#time-window).
 */

import { MILLISECONDS } from '../../../contract/expectations.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { Parameters } from '../../common/parameters.ts'
import { parseWholeNumber, readOptional, readRequired, wholeNumberRefusal } from '../../common/read.ts'
import { Refusal, refuse } from '../../common/refusal.ts'

const RECV_WINDOW_DEFAULT_MS = 5_000
const RECV_WINDOW_MAX_MS = 60_000
/** Limit for a timestamp ahead of the server's time: it must be less than this. */
export const AHEAD_MS = 1_000

/** Checks that `timestamp` is present and a whole number of milliseconds; its age does not matter. */
export function checkTimestamp(parameters: Parameters): Refusal | undefined {
  const timestamp = readTimestamp(parameters)
  return timestamp instanceof Refusal ? timestamp : undefined
}

/**
 * Checks `timestamp` and `recvWindow`: by the server's time, the request must be neither too old nor from the
 * future. While the clock is doubted, either of the two times may be correct, and a request that fits one of
 * them is accepted: it can cancel and read, but not place orders.
 */
export function checkTimeWindow(
  parameters: Parameters,
  { now, doubted }: { readonly now: TimeMs; readonly doubted?: TimeMs | undefined },
): Refusal | undefined {
  const timestamp = readTimestamp(parameters)
  if (timestamp instanceof Refusal) return timestamp
  const recvWindowMs = readRecvWindow(parameters)
  if (recvWindowMs instanceof Refusal) return recvWindowMs
  const refusal = outsideWindow(timestamp, recvWindowMs, now)
  if (refusal === undefined || doubted === undefined) return refusal
  return outsideWindow(timestamp, recvWindowMs, doubted) === undefined ? undefined : refusal
}

function outsideWindow(timestamp: number, recvWindowMs: number, now: TimeMs): Refusal | undefined {
  if (timestamp >= now + AHEAD_MS) {
    return refuse('TIMESTAMP_AHEAD', { skewMs: timestamp - now, serverTimeMs: now })
  }
  if (now - timestamp > recvWindowMs) {
    return refuse('TIMESTAMP_EXPIRED', { skewMs: now - timestamp, serverTimeMs: now, recvWindowMs })
  }
  return undefined
}

/** The last time at which a request is acceptable, given parameters that `checkTimeWindow` has accepted. */
export function lastAcceptable(parameters: Parameters): TimeMs {
  const recvWindow = parameters.get('recvWindow')
  const windowMs = recvWindow === undefined ? RECV_WINDOW_DEFAULT_MS : Number(recvWindow)
  return (Number(parameters.get('timestamp')) + windowMs) as TimeMs
}

/**
 * The time at which a request was sent, and the last time at which it is acceptable; parameters as for
 * `lastAcceptable`.
 */
export function windowOf(parameters: Parameters): { readonly sentAt: TimeMs; readonly until: TimeMs } {
  return { sentAt: Number(parameters.get('timestamp')) as TimeMs, until: lastAcceptable(parameters) }
}

function readTimestamp(parameters: Parameters): number | Refusal {
  const text = readRequired(parameters, 'timestamp')
  if (text instanceof Refusal) return text
  return (
    parseWholeNumber(text, 0, Number.MAX_SAFE_INTEGER) ??
    refuse('INVALID_PARAMETER', { name: 'timestamp', expected: MILLISECONDS })
  )
}

function readRecvWindow(parameters: Parameters): number | Refusal {
  const text = readOptional(parameters, 'recvWindow')
  if (text instanceof Refusal) return text
  if (text === undefined) return RECV_WINDOW_DEFAULT_MS
  return (
    parseWholeNumber(text, 0, RECV_WINDOW_MAX_MS) ??
    wholeNumberRefusal(text, 'recvWindow', 0, RECV_WINDOW_MAX_MS)
  )
}
