/**
 * Whether a signed request is fresh: its time window is open, and the nonce of a strict signature was never
 * used (docs/reference/http.md#order-of-checks).
 */
import type { ApiKey } from '../../../core/registry/records.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { Clock } from '../../common/clock.ts'
import type { Parameters } from '../../common/parameters.ts'
import { type Refusal, refuse } from '../../common/refusal.ts'
import type { Claim, StrictClaim } from './claim.ts'
import type { NonceStore, NonceVerdict } from './nonces.ts'
import { checkTimeWindow, lastAcceptable } from './time-window.ts'

/**
 * The window is checked now, when the request is complete: a request withheld until its window closed is
 * refused.
 */
export function checkTimes(
  parameters: Parameters,
  claim: Claim | undefined,
  clock: Clock,
): Refusal | undefined {
  const fault = checkTimeWindow(parameters, { now: clock.now(), doubted: clock.doubted() })
  if (fault !== undefined) return fault
  return claim?.kind === 'STRICT' && claim.timestamp !== parameters.get('timestamp')
    ? refuse('TIMESTAMP_MISMATCH', {})
    : undefined
}

/**
 * Uses the nonce of a request; returns a refusal unless the request is the first with this nonce. Returns a
 * promise if the store answers later.
 */
export function takeNonce(
  parameters: Parameters,
  { apiKey, accountId }: Pick<ApiKey, 'apiKey' | 'accountId'>,
  { nonce, timestamp }: StrictClaim,
  nonces: NonceStore,
  clock: Clock,
): Refusal | undefined | Promise<Refusal | undefined> {
  const now = clock.now()
  const acceptableUntil = lastAcceptable(parameters)
  const sentAt = Number(timestamp)
  const verdict = nonces.take({ apiKey, accountId, nonce, timestamp: sentAt, acceptableUntil, now })
  return verdict instanceof Promise
    ? verdict.then((later) => nonceRefusal(later, sentAt, acceptableUntil, now))
    : nonceRefusal(verdict, sentAt, acceptableUntil, now)
}

/** The refusal of a request because of its nonce; undefined if the nonce may be used. */
export function nonceRefusal(
  verdict: NonceVerdict,
  sentAt: number,
  acceptableUntil: number,
  now: TimeMs,
): Refusal | undefined {
  switch (verdict.kind) {
    case 'FRESH':
      return undefined
    case 'REPEATED':
      return refuse('NONCE_REPEATED', {})
    case 'FULL':
      return refuse('NONCES_FULL', {})
    case 'EXPIRED': {
      const { serverTime } = verdict
      const times = { skewMs: serverTime - sentAt, recvWindowMs: acceptableUntil - sentAt }
      return refuse('TIMESTAMP_EXPIRED', { ...times, serverTimeMs: serverTime })
    }
    case 'UNKNOWABLE':
      return refuse('NONCES_UNKNOWN', {
        afterMs: verdict.after,
        waitMs: Math.max(0, verdict.after - now) + 1,
      })
  }
}
