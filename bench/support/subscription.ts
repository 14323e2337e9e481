/** What subscribers are asked for and what they report, as it crosses the border of their process. */
import type { Topic } from '../../src/wire/stream-channels.ts'

export type Transport = 'plain' | 'socket.io'

export type SubscriptionPlan = {
  readonly port: number
  readonly transport: Transport
  readonly symbol: string
  /** The channel that they subscribe to; without it they join the symbol. */
  readonly topic?: Topic
  readonly count: number
  /** The last so many of them stop reading once they have joined. */
  readonly slow: number
  /** So many before those read a little, pause, and read on. */
  readonly lagging: number
}

/** What has arrived since the last question. */
export type Arrivals = {
  /** Messages at all those that read. */
  readonly messages: number
  /** Of what the first of them received, in order, without the transport's own framing. */
  readonly digest: string
}

/** Milliseconds from an order's acknowledgement to the news of it. */
export type Delays = {
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** From the parent; each is answered by the report of its kind. */
export type SubscriberOrder =
  | ({ readonly kind: 'join' } & SubscriptionPlan)
  | { readonly kind: 'arrivals' }
  /** When each taking order was acknowledged: `[id, moment]`, see `moment`. */
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
