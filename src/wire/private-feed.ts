/**
 * The private channels of the stream (docs/reference/private-feed.md): what a message of the feed of an account
 * looks like. Orders and fills are written as HTTP writes them.
 */
import { plainDecimal } from '../units/decimal.ts'
import type { Amount, Decimals, Seq, TimeMs } from '../units/quantities.ts'

export const PRIVATE_CHANNELS = ['orders', 'fills', 'balances'] as const
export type PrivateChannel = (typeof PRIVATE_CHANNELS)[number]

export function isPrivateChannel(name: unknown): name is PrivateChannel {
  return PRIVATE_CHANNELS.some((channel) => channel === name)
}

/** Parameters of `subscribe`; `unsubscribe` has the first alone. */
export const FEED_PARAMETERS = ['channel', 'since', 'journal'] as const

export type FeedPlace = {
  readonly journal: string
  readonly seq: Seq
  /** Undefined: the message begins the whole state. */
  readonly prevSeq: Seq | undefined
  /** Undefined: of the whole state. */
  readonly time: TimeMs | undefined
  /** What came of the same command is in further messages. */
  readonly isMore: boolean
}

/** `rows`: with commas between them. */
export function feedJson(channel: PrivateChannel, place: FeedPlace, rows: string): string {
  const { journal, seq, prevSeq, time, isMore } = place
  return (
    `{"journal":"${journal}","seq":${seq}${prevSeq === undefined ? '' : `,"prevSeq":${prevSeq}`}` +
    `${time === undefined ? '' : `,"time":${time}`},"${channel}":[${rows}]${isMore ? ',"more":true' : ''}}`
  )
}

/** The answer to `subscribe` and `unsubscribe`. */
export function feedSubscriptionJson(channel: PrivateChannel, since: Seq | undefined): string {
  return `{"channel":"${channel}"${since === undefined ? '' : `,"since":${since}`}}`
}

/** What ends a subscription from the server's side: an error with the channel before it. */
export function feedEndedJson(channel: PrivateChannel, errorJson: string): string {
  return `{"channel":"${channel}",${errorJson.slice(1)}`
}

export type FeedBalance = {
  readonly asset: { readonly code: string; readonly fraction: Decimals }
  readonly free: Amount
  readonly locked: Amount
  readonly freeze: Amount
  readonly savings: Amount
}

/** An element of `balances`. */
export function balanceJson({ asset, free, locked, freeze, savings }: FeedBalance): string {
  const text = (units: Amount): string => plainDecimal(units, asset.fraction)
  return (
    `{"asset":${JSON.stringify(asset.code)},"free":"${text(free)}","locked":"${text(locked)}",` +
    `"freeze":"${text(freeze)}","savings":"${text(savings)}"}`
  )
}
