/**
 * The private channels of the stream (docs/reference/private-feed.md): the messages of an account's feed.
 * Orders and fills have the same form as over HTTP.
 */

import { plainDecimal } from '../../units/decimal.ts'
import type { Amount, Decimals, Seq, TimeMs } from '../../units/quantities.ts'
import {
  assetCode,
  component,
  constant,
  decimal,
  listOf,
  matching,
  object,
  optional,
  seq,
  timeMs,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { FILL } from '../api/fills.ts'
import { ORDER } from '../api/order-object.ts'
import type { ChannelRow } from './channel-row.ts'

export const BALANCE = component('Balance', 'The balances of an account in an asset.', {
  asset: assetCode(),
  free: decimal(),
  locked: decimal(),
  freeze: decimal(),
  savings: decimal(),
})

/** Members of every message of a private channel around its rows; written by hand. */
const HEAD = {
  journal: matching(/^[0-9a-f]{32}$/, 'The name of the journal.'),
  seq: seq(),
  prevSeq: optional(seq('Absent if the message has the whole state.')),
  time: optional(timeMs()),
  more: optional(constant(true, 'Another message about the same command follows.')),
}

const FEED = { takes: ['since', 'journal'], page: 'private-feed.md#messages' } as const

/** Rows of the private channels. The whole state has the weight of the endpoint with the same data. */
export const PRIVATE_CHANNEL_ROWS = {
  orders: {
    ...FEED,
    security: 'READ',
    weight: 80,
    summary: 'Orders of the account',
    message: object({ ...HEAD, orders: listOf(ORDER) }),
  },
  fills: {
    ...FEED,
    security: 'READ',
    weight: 20,
    summary: 'Fills of the account',
    message: object({ ...HEAD, fills: listOf(FILL) }),
  },
  balances: {
    ...FEED,
    security: 'WALLET',
    weight: 20,
    summary: 'Balances of the account',
    message: object({ ...HEAD, balances: listOf(BALANCE) }),
  },
} as const satisfies Readonly<Record<string, ChannelRow>>

export type PrivateChannel = keyof typeof PRIVATE_CHANNEL_ROWS
export const PRIVATE_CHANNELS = Object.keys(PRIVATE_CHANNEL_ROWS) as readonly PrivateChannel[]

export function isPrivateChannel(name: unknown): name is PrivateChannel {
  return PRIVATE_CHANNELS.some((channel) => channel === name)
}

export type FeedPlace = {
  readonly journal: string
  readonly seq: Seq
  /** Undefined if the message begins the whole state. */
  readonly prevSeq: Seq | undefined
  /** Undefined for the whole state. */
  readonly time: TimeMs | undefined
  /** More effects of the same command follow in further messages. */
  readonly isMore: boolean
}

/** `rows`: separated by commas. */
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

/** The end of a subscription by the server: an error preceded by the channel. */
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
  return jsonOf(BALANCE, {
    asset: asset.code,
    free: text(free),
    locked: text(locked),
    freeze: text(freeze),
    savings: text(savings),
  })
}
