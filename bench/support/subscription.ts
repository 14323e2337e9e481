/** The requests to subscribers and their reports, as messages to and from their process. */
import type { Topic } from '../../src/contract/stream/stream-channels.ts'

export type Transport = 'plain' | 'socket.io'

export type SubscriptionPlan = {
  readonly port: number
  readonly transport: Transport
  readonly symbol: string
  /** The channel that the subscribers receive; without it they join the symbol. */
  readonly topic?: Topic
  readonly count: number
  /** Number of subscribers that stop reading once they have joined; these are the last ones. */
  readonly slow: number
  /** Number of subscribers, before the slow ones, that alternately read and pause. */
  readonly lagging: number
}

/** The data received since the last request. */
export type Arrivals = {
  /** Number of messages at all readers together. */
  readonly messages: number
  /** A digest of what the first reader received, in order, without the transport's own framing. */
  readonly digest: string
}

/** Milliseconds from an order's acknowledgement to its match. */
export type Delays = {
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** From the parent; each request is answered by the report of its kind. */
export type SubscriberOrder =
  | ({ readonly kind: 'join' } & SubscriptionPlan)
  | { readonly kind: 'arrivals' }
  /** The time at which each taking order was acknowledged: `[id, moment]`, see `moment`. */
  | { readonly kind: 'delays'; readonly acknowledged: readonly (readonly [string, number])[] }

export type SubscriberReport =
  | { readonly kind: 'joined' }
  | { readonly kind: 'arrivals'; readonly arrivals: Arrivals }
  | { readonly kind: 'delays'; readonly delays: Delays }
  | { readonly kind: 'problem'; readonly problem: string }

/** Milliseconds on a clock that all processes of the machine share. */
export function moment(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
