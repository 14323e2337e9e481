/**
 * What is used of the limits of an account and its address, and what is left (docs/reference/extensions.md#limits-of-an-account).
 */
import type { TimeMs } from '../units/quantities.ts'
import {
  component,
  jsonOf,
  listOf,
  object,
  openWord,
  optional,
  symbolName,
  timeMs,
  whole,
  word,
} from '../units/shape.ts'
import { successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'

/** How much of a limit is used. */
export type LimitUse = {
  readonly used: number
  /** Undefined: there is no limit, it is counted all the same. */
  readonly max: number | undefined
}

/** A limit that starts over with each fixed window of the clock. */
export type RateLimitUse = LimitUse & {
  /** `REQUEST_WEIGHT` and `ORDERS` are Binance's. */
  readonly type: 'REQUEST_WEIGHT' | 'RATE_LIMITED' | 'MALFORMED_REQUESTS' | 'STREAM_OPENINGS' | 'ORDERS'
  readonly windowMs: number
  /** When the window is over. */
  readonly resetAt: TimeMs
  /** When a limit of the account's own ends; undefined: it has none, or it has no end. */
  readonly limitUntil?: TimeMs | undefined
}

export type AccountLimits = {
  readonly rateLimits: readonly RateLimitUse[]
  /** Bytes that long answers under way hold. */
  readonly answerBytes: LimitUse
  /** Undefined: no symbol was named. */
  readonly openOrders: OpenOrdersUse | undefined
}

const USE = {
  limit: optional(whole('Absent: there is no limit.')),
  used: whole(),
  left: optional(whole()),
}
const limitUntil = optional(timeMs('When the limit, which is the account’s own, ends; absent: it does not.'))

export const ACCOUNT_LIMITS = component('AccountLimits', 'What is used of the limits, and what is left.', {
  rateLimits: listOf(
    object({
      rateLimitType: openWord(
        ['REQUEST_WEIGHT', 'RATE_LIMITED', 'MALFORMED_REQUESTS', 'STREAM_OPENINGS', 'ORDERS'],
        'What is counted.',
      ),
      interval: word(['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY']),
      intervalNum: whole(),
      ...USE,
      resetAt: timeMs(),
      limitUntil,
    }),
  ),
  answerBytes: object(USE),
  openOrders: optional(object({ symbol: symbolName(), ...USE, limitUntil })),
})

const LIMITS_READ = successHeads({ en: 'The limits have been read.', tr: 'Sınırlar getirildi.' })

/** `limitUntil`: when a limit of the account's own ends; undefined: it has none, or it has no end. */
export type OpenOrdersUse = LimitUse & { readonly symbol: string; readonly limitUntil: TimeMs | undefined }

/** Longest first. */
const INTERVALS = [
  ['DAY', 86_400_000],
  ['HOUR', 3_600_000],
  ['MINUTE', 60_000],
  ['SECOND', 1_000],
] as const

export function accountLimitsBody(limits: AccountLimits, language: Language): string {
  const { rateLimits, answerBytes, openOrders } = limits
  const data = {
    rateLimits: rateLimits.map((use) => ({
      rateLimitType: use.type,
      ...intervalOf(use.windowMs),
      ...figuresOf(use),
      resetAt: use.resetAt,
      limitUntil: use.limitUntil,
    })),
    answerBytes: figuresOf(answerBytes),
    openOrders:
      openOrders === undefined
        ? undefined
        : { symbol: openOrders.symbol, ...figuresOf(openOrders), limitUntil: openOrders.limitUntil },
  }
  return successBody(LIMITS_READ, language, jsonOf(ACCOUNT_LIMITS, data))
}

/** A limit may have been lowered below what is used. */
function figuresOf({ used, max }: LimitUse) {
  return max === undefined ? { used } : { limit: max, used, left: Math.max(0, max - used) }
}

/** A window in the largest unit that it is a multiple of. */
function intervalOf(windowMs: number) {
  const [interval, unitMs] = INTERVALS.find(([, ms]) => windowMs % ms === 0) ?? (['MILLISECOND', 1] as const)
  return { interval, intervalNum: windowMs / unitMs }
}
