/** The time and reason of the warning that a session is about to end. */
import type { SessionEnds } from './page-session.ts'

/** Time before the end of an unused session: 2 minutes. */
export const UNUSED_WARNING_MS = 2 * 60_000
/** Time before the end of any session: 10 minutes. */
export const END_WARNING_MS = 10 * 60_000

export type SessionWarning = { readonly kind: 'unused' | 'end'; readonly secondsLeft: number }

export function warningOf({ endAt, unusedEndAt }: SessionEnds, nowMs: number): SessionWarning | undefined {
  const secondsUntil = (moment: number) => Math.max(0, Math.ceil((moment - nowMs) / 1_000))
  // Activity no longer extends the session.
  if (endAt - nowMs <= END_WARNING_MS) return { kind: 'end', secondsLeft: secondsUntil(endAt) }
  if (unusedEndAt - nowMs <= UNUSED_WARNING_MS)
    return { kind: 'unused', secondsLeft: secondsUntil(unusedEndAt) }
  return undefined
}
