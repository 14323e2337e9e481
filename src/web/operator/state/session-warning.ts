/** When a page says that its session is about to end, and why. */
import type { SessionEnds } from './page-session.ts'

/** So long before it ends because nobody used it: 2 minutes. */
export const UNUSED_WARNING_MS = 2 * 60_000
/** So long before it ends in any case: 10 minutes. */
export const END_WARNING_MS = 10 * 60_000

export type SessionWarning = { readonly kind: 'unused' | 'end'; readonly secondsLeft: number }

export function warningOf({ endAt, unusedEndAt }: SessionEnds, nowMs: number): SessionWarning | undefined {
  const secondsUntil = (moment: number) => Math.max(0, Math.ceil((moment - nowMs) / 1_000))
  // Using it does not help any more.
  if (endAt - nowMs <= END_WARNING_MS) return { kind: 'end', secondsLeft: secondsUntil(endAt) }
  if (unusedEndAt - nowMs <= UNUSED_WARNING_MS)
    return { kind: 'unused', secondsLeft: secondsUntil(unusedEndAt) }
  return undefined
}
