/** The way of the private feed from order entry to a connection: messages that are sent whole or not at all, and never left out. */
import { errorBody } from '../../wire/error-body.ts'
import type { Language } from '../../wire/language.ts'
import { feedEndedJson, type PrivateChannel } from '../../wire/private-feed.ts'
import type { Reason, ReasonArguments } from '../../wire/reasons/catalogue.ts'
import { eventJson, type ServerEvent } from '../../wire/stream.ts'
import type { Refusal } from '../common/refusal.ts'
import type { FeedOutput } from '../entry/feed/feed-reader.ts'
import type { StreamConfig } from './config.ts'
import type { ConnectionBudget } from './limits.ts'
import { Frame, type Link } from './link.ts'

export type FeedSenderOptions = {
  readonly link: Link
  readonly config: Pick<StreamConfig, 'sendBufferBytesMax' | 'drainedBytesMax' | 'stuckMsMax'>
  readonly budget: ConnectionBudget
  readonly language: Language
  /** Sends what takes `bytes` where it waits, behind `pendingBytes`; false: there is no memory for it. */
  readonly send: (frames: readonly Frame[], bytes: number, pendingBytes: number) => boolean
  readonly answer: (event: ServerEvent, payloadJson: string) => void
  /** Milliseconds. */
  readonly now: () => number
}

export class FeedSender implements FeedOutput {
  readonly #options: FeedSenderOptions
  /** The first look at the connection that found something waiting for it, with nothing taken since. */
  #waitsSince: number | undefined

  constructor(options: FeedSenderOptions) {
    this.#options = options
  }

  offer(channel: PrivateChannel, payloads: readonly string[], isMissed: boolean): boolean {
    const { link, config, send } = this.#options
    if (payloads.length === 0) return true
    const pending = link.pendingBytes()
    if (pending > (isMissed ? config.drainedBytesMax : config.sendBufferBytesMax)) return false
    const frames = payloads.map((payload) => new Frame(eventJson(channel, payload)))
    const bytes = frames.reduce((sum, { length }) => sum + length + link.messageBytes, 0)
    if (!isMissed && pending + bytes > config.sendBufferBytesMax) return false
    if (!send(frames, bytes, pending)) return false
    this.#waitsSince = undefined
    return true
  }

  ended(channel: PrivateChannel, { reason, args }: Refusal): void {
    const { budget, language, answer } = this.#options
    budget.subscriptions--
    const error = errorBody(reason, args as ReasonArguments<Reason>, language)
    answer('unsubscribed', feedEndedJson(channel, error))
  }

  left(subscriptions: number): void {
    this.#options.budget.subscriptions -= subscriptions
  }

  /** True when something has waited for longer than a client may take, and the client has taken nothing; asked now and then. */
  isStuck(isWaiting: boolean): boolean {
    const { now, config, link } = this.#options
    if (!isWaiting || link.pendingBytes() <= config.drainedBytesMax) {
      this.#waitsSince = undefined
      return false
    }
    this.#waitsSince ??= now()
    return now() - this.#waitsSince > config.stuckMsMax
  }
}
