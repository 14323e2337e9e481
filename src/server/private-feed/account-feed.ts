/** What one conversation follows of its account: at most one subscription to each private channel. */

import { UPDATES_KEPT_COMMANDS } from '../../engine/history/account-updates.ts'
import type { AccountId } from '../../units/ids.ts'
import type { Permission } from '../../units/order-words.ts'
import { type Seq, UNITS_MAX } from '../../units/quantities.ts'
import { wholeNumber } from '../../wire/expectations.ts'
import { FEED_PARAMETERS, type PrivateChannel } from '../../wire/private-feed.ts'
import type { Parameters } from '../common/parameters.ts'
import { parseWholeNumber, readOptional } from '../common/read.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import { foreignName } from '../trading/fields.ts'
import type { Services } from '../trading/services.ts'
import { type FeedOutput, FeedReader } from './feed-reader.ts'
import type { Feeds } from './feeds.ts'

/** What a key must be permitted for a channel. */
export const FEED_PERMISSIONS: Readonly<Record<PrivateChannel, Permission>> = {
  orders: 'TRADE',
  fills: 'TRADE',
  balances: 'WALLET',
}

/** As the endpoints that show the same weigh: open orders of all symbols, the wallet. */
const STATE_WEIGHTS: Readonly<Record<PrivateChannel, number>> = { orders: 80, fills: 20, balances: 20 }
const REPLAY_WEIGHT = 20

const TAKES = new Set<string>(FEED_PARAMETERS)
const UNFOLLOW_TAKES = new Set<string>(['channel'])

/** Undefined: it begins from the state as it is. */
export type FeedStart = { readonly since: Seq | undefined }

export function weightOf(channel: PrivateChannel, parameters: Parameters): number {
  return parameters.has('since') ? REPLAY_WEIGHT : STATE_WEIGHTS[channel]
}

export function readFeedStart(parameters: Parameters, { market, journal }: Services): FeedStart | Refusal {
  const foreign = foreignName(parameters, TAKES)
  if (foreign !== undefined) return foreign
  const named = readOptional(parameters, 'journal')
  if (named instanceof Refusal) return named
  const text = readOptional(parameters, 'since')
  if (text === undefined || text instanceof Refusal) return text ?? { since: undefined }
  const since = parseWholeNumber(text, 0, UNITS_MAX)
  if (since === undefined)
    return refuse('INVALID_PARAMETER', { name: 'since', expected: wholeNumber(0, UNITS_MAX) })
  if ((named !== undefined && named !== journal) || since > market.seq) return refuse('UNKNOWN_JOURNAL', {})
  if (since < market.seq - UPDATES_KEPT_COMMANDS) return refuse('SINCE_TOO_OLD', {})
  return { since: since as Seq }
}

export function checkUnfollow(parameters: Parameters): Refusal | undefined {
  return foreignName(parameters, UNFOLLOW_TAKES)
}

export type AccountFeedOptions = {
  readonly feeds: Feeds
  readonly output: FeedOutput
  /** A bug has ended a subscription. */
  readonly onCrash: (error: unknown) => Refusal
}

export class AccountFeed {
  readonly #options: AccountFeedOptions
  readonly #readerByChannel = new Map<PrivateChannel, FeedReader>()

  constructor(options: AccountFeedOptions) {
    this.#options = options
  }

  /** Something is to be sent that the connection does not take. */
  get isWaiting(): boolean {
    for (const reader of this.#readerByChannel.values()) if (reader.isWaiting) return true
    return false
  }

  has(channel: PrivateChannel): boolean {
    return this.#readerByChannel.has(channel)
  }

  /** A subscription in place of one to the same channel; nothing is sent before it is told to begin. */
  follow(channel: PrivateChannel, accountId: AccountId, { since }: FeedStart): FeedReader {
    this.unfollow(channel)
    const { feeds, output, onCrash } = this.#options
    const reader = new FeedReader({
      ...{ feeds, channel, accountId, since, onCrash },
      output: {
        offer: (...messages) => output.offer(...messages),
        ended: (ended, refusal) => {
          this.#readerByChannel.delete(ended)
          output.ended(ended, refusal)
        },
        left: (subscriptions) => output.left(subscriptions),
      },
    })
    this.#readerByChannel.set(channel, reader)
    return reader
  }

  /** False: there is no such subscription. */
  unfollow(channel: PrivateChannel): boolean {
    this.#readerByChannel.get(channel)?.close()
    return this.#readerByChannel.delete(channel)
  }

  /** Ends those to which the key is not permitted any more. */
  check(permissions: readonly Permission[]): void {
    for (const [channel, reader] of [...this.#readerByChannel]) {
      const permission = FEED_PERMISSIONS[channel]
      if (!permissions.includes(permission)) reader.end(refuse('PERMISSION_DENIED', { permission }))
    }
  }

  /** Ends all of them, each with a word. */
  endAll(refusal: Refusal): void {
    for (const reader of [...this.#readerByChannel.values()]) reader.end(refusal)
  }

  drained(): void {
    for (const reader of this.#readerByChannel.values()) reader.drained()
  }

  /** Ends all of them without a word. */
  close(): void {
    for (const reader of this.#readerByChannel.values()) reader.close()
    this.#options.output.left(this.#readerByChannel.size)
    this.#readerByChannel.clear()
  }
}
