/** The subscriptions of one conversation to its account: at most one to each private channel. */

import { wholeNumber } from '../../contract/expectations.ts'
import { PRIVATE_CHANNEL_ROWS, type PrivateChannel } from '../../contract/stream/private-feed.ts'
import { UPDATES_KEPT_COMMANDS } from '../../engine/history/account-updates.ts'
import type { AccountId } from '../../units/ids.ts'
import { mayUse, type Permission } from '../../units/order-enums.ts'
import { type Seq, UNITS_MAX } from '../../units/quantities.ts'
import type { Parameters } from '../common/parameters.ts'
import { parseWholeNumber, readOptional } from '../common/read.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import { foreignName } from '../trading/fields.ts'
import type { Services } from '../trading/services.ts'
import { type FeedOutput, FeedReader } from './feed-reader.ts'
import type { Feeds } from './feeds.ts'

const REPLAY_WEIGHT = 20

const UNFOLLOW_TAKES = new Set<string>(['channel'])

/** If undefined, the feed begins from the current state. */
export type FeedStart = { readonly since: Seq | undefined }

export function weightOf(channel: PrivateChannel, parameters: Parameters): number {
  return parameters.has('since') ? REPLAY_WEIGHT : PRIVATE_CHANNEL_ROWS[channel].weight
}

export function readFeedStart(
  channel: PrivateChannel,
  parameters: Parameters,
  { market, journal }: Services,
): FeedStart | Refusal {
  const foreign = foreignName(parameters, new Set(['channel', ...PRIVATE_CHANNEL_ROWS[channel].takes]))
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
  /** Called when a bug has ended a subscription. */
  readonly onCrash: (error: unknown) => Refusal
}

export class AccountFeed {
  readonly #options: AccountFeedOptions
  readonly #readerByChannel = new Map<PrivateChannel, FeedReader>()

  constructor(options: AccountFeedOptions) {
    this.#options = options
  }

  /** Whether there is data to send that the connection does not accept. */
  get isWaiting(): boolean {
    for (const reader of this.#readerByChannel.values()) if (reader.isWaiting) return true
    return false
  }

  has(channel: PrivateChannel): boolean {
    return this.#readerByChannel.has(channel)
  }

  /** Subscribes, replacing any subscription to the same channel; no message is sent before `begin`. */
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

  /** False if there is no such subscription. */
  unfollow(channel: PrivateChannel): boolean {
    this.#readerByChannel.get(channel)?.close()
    return this.#readerByChannel.delete(channel)
  }

  /** Ends the subscriptions that the key is no longer permitted to have. */
  check(permissions: readonly Permission[]): void {
    for (const [channel, reader] of [...this.#readerByChannel]) {
      const permission = PRIVATE_CHANNEL_ROWS[channel].security
      if (!mayUse(permissions, permission)) reader.end(refuse('PERMISSION_DENIED', { permission }))
    }
  }

  /** Ends all subscriptions with a message. */
  endAll(refusal: Refusal): void {
    for (const reader of [...this.#readerByChannel.values()]) reader.end(refusal)
  }

  drained(): void {
    for (const reader of this.#readerByChannel.values()) reader.drained()
  }

  /** Ends all subscriptions without a message. */
  close(): void {
    for (const reader of this.#readerByChannel.values()) reader.close()
    this.#options.output.left(this.#readerByChannel.size)
    this.#readerByChannel.clear()
  }
}
