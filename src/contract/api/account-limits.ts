/**
 * The use of the limits of an account and of its address, and what is left of each
 * (docs/reference/extensions.md#limits-of-an-account).
 */
import type { TimeMs } from '../../units/quantities.ts'
import {
  component,
  listOf,
  object,
  openWord,
  optional,
  symbolName,
  timeMs,
  whole,
  word,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { successBody, successHeads } from '../envelope.ts'
import type { Language } from '../language.ts'

/** The usage of a limit. */
export type LimitUse = {
  readonly used: number
  /** Undefined if there is no limit; usage is counted nevertheless. */
  readonly max: number | undefined
}

/** A limit that starts over with each fixed window of the clock. */
export type RateLimitUse = LimitUse & {
  /** `REQUEST_WEIGHT` and `ORDERS` are Binance's. */
  readonly type: 'REQUEST_WEIGHT' | 'RATE_LIMITED' | 'MALFORMED_REQUESTS' | 'STREAM_OPENINGS' | 'ORDERS'
  readonly windowMs: number
  /** The end of the window. */
  readonly resetAt: TimeMs
  /** The time at which the account's own limit ends; undefined if it has none, or the limit has no end. */
  readonly limitUntil?: TimeMs | undefined
}

export type AccountLimits = {
  readonly rateLimits: readonly RateLimitUse[]
  /** Bytes held by long answers in progress. */
  readonly answerBytes: LimitUse
  /** Undefined if no symbol was named. */
  readonly openOrders: OpenOrdersUse | undefined
}

const USE = {
  limit: optional(whole('Absent if there is no limit.')),
  used: whole(),
  left: optional(whole()),
}
const limitUntil = optional(timeMs('The end of the account’s own limit; absent if it has no end.'))

export const ACCOUNT_LIMITS = component('AccountLimits', 'Usage and remainder of the limits.', {
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

/** `limitUntil`: the end of the account's own limit; undefined if it has none, or the limit has no end. */
export type OpenOrdersUse = LimitUse & { readonly symbol: string; readonly limitUntil: TimeMs | undefined }

/** The units of a window, longest first. */
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

/** A limit may have been lowered below its usage. */
function figuresOf({ used, max }: LimitUse) {
  return max === undefined ? { used } : { limit: max, used, left: Math.max(0, max - used) }
}

/** A window in the largest unit that divides it. */
function intervalOf(windowMs: number) {
  const [interval, unitMs] = INTERVALS.find(([, ms]) => windowMs % ms === 0) ?? (['MILLISECOND', 1] as const)
  return { interval, intervalNum: windowMs / unitMs }
}
