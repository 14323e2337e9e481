/**
 * Logs failures in the background: each kind at once, and then at most once a minute, however often it
 * occurs.
 */
import type { OnFault } from '../../units/guarded.ts'
import type { Logger } from './logger.ts'

/** The shortest time between two log lines about the same problem. */
const QUIET_MS = 60_000

/** `what` precedes "failed in the background"; `nowMs`: monotonic milliseconds. */
export function faultLog(log: Pick<Logger, 'error'>, what: string, nowMs: () => number): OnFault {
  let loggedMs = Number.NEGATIVE_INFINITY
  let failures = 0
  return (err) => {
    failures++
    if (nowMs() - loggedMs < QUIET_MS) return
    loggedMs = nowMs()
    log.error(
      { alarm: 'BACKGROUND_FAILED', err, failures },
      `${what} failed in the background; everything else keeps running`,
    )
  }
}
