/** What is subscribed to on a connection, as its bookkeeping sees it: public channels and private ones have this in common. */
import type { StreamError } from './messages.ts'

/**
 * Whether what was received is how things are. `stale`: nothing has come yet, or the connection, the way of messages or the
 * exchange's engine is interrupted, or the server's answers are late; what is known is shown as old until the next whole state. `closed`: nothing will come.
 */
export type SubscriptionState = 'stale' | 'live' | 'closed'

/** What is to be done about a refusal: ask again later, ask again once logged in, or leave it. */
export type RefusalAnswer = 'later' | 'login' | 'stop'

export type Topic = {
  /** Equal for equal subscriptions, and different for different ones; `keyOf` finds it in a message. */
  readonly key: string
  /** Its first message is long: servers limit how many of these a second are asked for. */
  readonly isLong: boolean
  readonly needsLogin: boolean
  /** What follows `subscribe`, at this moment. */
  request(): object
  /** What follows `unsubscribe`. */
  name(): object
  /** The server will send its messages from here on, the whole state or what was missed first. */
  subscribed(): void
  /** The server refuses it, or has ended it. After `stop` the topic is never given anything again. */
  refused(error: StreamError): RefusalAnswer
  take(payload: object): void
  /** Nothing comes any more until it has been subscribed to again. */
  interrupted(): void
  /** The server says whether it can see what happens. */
  engineSeen(isSeen: boolean): void
  /** Whether what has come may be old, since answers are late. Nothing of it is missing. */
  behind(isBehind: boolean): void
}

type Named = {
  readonly symbol?: unknown
  readonly levels?: unknown
  readonly intervalMs?: unknown
}

/** The key of what a message, or an answer, is about. */
export function keyOf(channel: string, payload: object): string {
  const { symbol, levels, intervalMs } = payload as Named
  return [channel, symbol, levels, intervalMs].map((part) => part ?? '').join('|')
}

/** Reasons after which the same may be asked again later, beside those whose code says so. */
const LATER: ReadonlySet<string> = new Set(['RATE_LIMITED', 'FLOODING', 'BANNED', 'TOO_SLOW', 'ENGINE_DOWN'])

/** docs/reference/errors.md#codes-and-statuses: the service cannot do it now. */
const NOT_NOW = '0014'

export function answerTo({ reason, code }: StreamError): RefusalAnswer {
  if (reason === 'LOGIN_REQUIRED') return 'login'
  return code === NOT_NOW || LATER.has(reason) ? 'later' : 'stop'
}
