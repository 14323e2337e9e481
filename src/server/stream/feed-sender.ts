/**
 * Sends messages of the private feed from order entry to a connection: each message completely or not at all,
 * and without gaps.
 */
import { errorBody } from '../../contract/error-body.ts'
import type { Language } from '../../contract/language.ts'
import type { Reason, ReasonArguments } from '../../contract/reasons/catalogue.ts'
import { feedEndedJson, type PrivateChannel } from '../../contract/stream/private-feed.ts'
import { eventJson } from '../../contract/stream/stream.ts'
import type { Refusal } from '../common/refusal.ts'
import type { FeedOutput } from '../private-feed/feed-reader.ts'
import type { StreamConfig } from './config.ts'
import type { ConnectionBudget } from './intake/limits.ts'
import { Frame, type Link } from './link.ts'

export type FeedSenderOptions = {
  readonly link: Link
  readonly config: Pick<StreamConfig, 'sendBufferBytesMax' | 'drainedBytesMax' | 'stuckMsMax'>
  readonly budget: ConnectionBudget
  readonly language: Language
  /**
   * Sends a message that needs `bytes` of memory while it waits, after `pendingBytes`; false if there is no
   * memory for it.
   */
  readonly send: (frames: readonly Frame[], bytes: number, pendingBytes: number) => boolean
  /** Sends a message that must not be skipped; if that is not possible, the connection ends. */
  readonly deliver: (frames: readonly Frame[]) => void
  /** Milliseconds. */
  readonly now: () => number
}

export class FeedSender implements FeedOutput {
  readonly #options: FeedSenderOptions
  /** The first check that found data waiting for the connection, with nothing read since. */
  #waitsSince: number | undefined
  /** Whether its subscriptions were ended because data waited. */
  #isWarned = false

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
    this.#hasTaken()
    return true
  }

  ended(channel: PrivateChannel, { reason, args }: Refusal): void {
    const { budget, language, deliver } = this.#options
    budget.subscriptions--
    const error = errorBody(reason, args as ReasonArguments<Reason>, language)
    deliver([new Frame(eventJson('unsubscribed', feedEndedJson(channel, error)))])
  }

  left(subscriptions: number): void {
    this.#options.budget.subscriptions -= subscriptions
  }

  /**
   * Whether the client has read nothing for longer than allowed although data waits for it; called
   * periodically. The first time it calls `warn`, and the client has the same time again to read the warning:
   * a client that was only slow learns why it receives no more.
   */
  isStuck(isWaiting: boolean, warn: () => void): boolean {
    const { now, config, link } = this.#options
    if (link.pendingBytes() <= config.drainedBytesMax || !(isWaiting || this.#isWarned)) {
      this.#hasTaken()
      return false
    }
    this.#waitsSince ??= now()
    if (now() - this.#waitsSince <= config.stuckMsMax) return false
    if (this.#isWarned) return true
    this.#isWarned = true
    this.#waitsSince = now()
    warn()
    return false
  }

  #hasTaken(): void {
    this.#waitsSince = undefined
    this.#isWarned = false
  }
}
