/** A subscription on a connection, for bookkeeping: the common part of public and private channels. */
import type { StreamError } from './messages.ts'

/**
 * Whether the received data is current. `stale`: nothing has arrived yet, or the connection, the delivery of
 * messages or the exchange's engine is interrupted, or the server's answers are late; the known data counts
 * as old until the next whole state. `closed`: nothing more will arrive.
 */
export type SubscriptionState = 'stale' | 'live' | 'closed'

/** How to react to a refusal: retry later, retry after a login, or give up. */
export type RefusalAnswer = 'later' | 'login' | 'stop'

export type Topic = {
  /** Equal for equal subscriptions, and different for different ones; `keyOf` computes it from a message. */
  readonly key: string
  /** Whether its first message is long: servers limit the number of such requests per second. */
  readonly isLong: boolean
  readonly needsLogin: boolean
  /** The current arguments of `subscribe`. */
  request(): object
  /** The arguments of `unsubscribe`. */
  name(): object
  /**
   * Called when the server begins to send its messages, beginning with the complete state or the missed
   * changes.
   */
  subscribed(): void
  /** The server refuses it, or ended it. After `stop` the topic never receives anything again. */
  refused(error: StreamError): RefusalAnswer
  take(payload: object): void
  /** Called when nothing more arrives until it is subscribed to again. */
  interrupted(): void
  /** Called when the server reports whether it is connected to the engine. */
  engineSeen(isSeen: boolean): void
  /** Whether the received data may be old, because answers are late. No data is missing. */
  behind(isBehind: boolean): void
}

type Named = {
  readonly symbol?: unknown
  readonly levels?: unknown
  readonly intervalMs?: unknown
}

/** The key of the subscription to which a message or an answer belongs. */
export function keyOf(channel: string, payload: object): string {
  const { symbol, levels, intervalMs } = payload as Named
  return [channel, symbol, levels, intervalMs].map((part) => part ?? '').join('|')
}

/** Reasons after which the same request may succeed later, besides those whose code already means this. */
const LATER: ReadonlySet<string> = new Set(['RATE_LIMITED', 'FLOODING', 'BANNED', 'TOO_SLOW', 'ENGINE_DOWN'])

/** docs/reference/errors.md#codes-and-statuses: the service is temporarily unavailable. */
const NOT_NOW = '0014'

export function answerTo({ reason, code }: StreamError): RefusalAnswer {
  if (reason === 'LOGIN_REQUIRED') return 'login'
  return code === NOT_NOW || LATER.has(reason) ? 'later' : 'stop'
}
