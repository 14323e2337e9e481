/**
 * One subscription to a private channel: first the missed messages, or the current state, then the new ones.
 * No message is skipped or sent twice: the reader keeps the command up to which everything was sent, and
 * continues from there whenever its connection was too slow.
 */

import { feedJson, type PrivateChannel } from '../../contract/stream/private-feed.ts'
import type { AccountUpdate } from '../../engine/port/ports.ts'
import type { AccountId } from '../../units/ids.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { type Refusal, refuse } from '../common/refusal.ts'
import { balancesSnapshot, ordersSnapshot } from './feed-snapshot.ts'
import { type Feeds, isDown } from './feeds.ts'
import type { Holder } from './held-memory.ts'
import type { LiveReader } from './live-reader.ts'

/** Number of updates formatted in one piece of work. */
const SLICE_UPDATES = 64

/** Number of messages of one command that are sent in one turn of the event loop. */
const MESSAGES_AT_ONCE = 8

/** Approximate memory of a row of an update. */
const ROW_BYTES = 500

/** The way to the client. No method throws. */
export interface FeedOutput {
  /**
   * Sends messages of a channel, each with its payload as JSON, all of them or none; false if too much is
   * queued for the connection. Missed messages are sent only after the connection has sent all previous ones.
   */
  offer(channel: PrivateChannel, payloads: readonly string[], isMissed: boolean): boolean
  /** Called when the subscription is over. */
  ended(channel: PrivateChannel, refusal: Refusal): void
  /** Called when this number of subscriptions ended together with the login or the conversation. */
  left(subscriptions: number): void
}

export type FeedReaderOptions = {
  readonly feeds: Feeds
  readonly channel: PrivateChannel
  readonly accountId: AccountId
  /** If undefined, the feed begins from the current state. */
  readonly since: Seq | undefined
  readonly output: FeedOutput
  /** Called when a bug has ended the subscription. */
  readonly onCrash: (error: unknown) => Refusal
}

export class FeedReader implements LiveReader, Holder {
  readonly #options: FeedReaderOptions
  readonly #journal: string
  /** Everything up to this command was sent; undefined if the state has not been sent yet. */
  #position: Seq | undefined
  /** The command of the last message. */
  #prevSeq: Seq | undefined
  #isEnded = false
  /** Continues; set while the reader waits for its connection. */
  #goOn: (() => void) | undefined
  #isWaiting = false
  /** Updates that were read and are about to be sent. */
  #heldBytes = 0

  constructor(options: FeedReaderOptions) {
    this.#options = options
    this.#journal = options.feeds.services().journal
    this.#position = options.since
    this.#prevSeq = options.since
    options.feeds.enter(options.accountId, options.channel)
  }

  get channel(): PrivateChannel {
    return this.#options.channel
  }

  /** The position after which the client asked to begin; undefined if it begins from the current state. */
  get since(): Seq | undefined {
    return this.#options.since
  }

  /** Whether the reader has data to send that its connection does not accept. */
  get isWaiting(): boolean {
    return this.#isWaiting
  }

  /** Sends the missed messages, and continues from there. */
  begin(): void {
    void this.#catchUp().catch((error: unknown) => this.#crash(error))
  }

  prepare(update: AccountUpdate): Promise<void> | undefined {
    const { feeds, channel } = this.#options
    return this.#isEnded ? undefined : feeds.words().prepare(channel, update, feeds.lane)
  }

  take(update: AccountUpdate): void {
    if (this.#isEnded || this.#position === undefined || update.seq <= this.#position) return
    const { feeds, output, channel, accountId } = this.#options
    const payloads = this.#payloads(update.seq, update.time, feeds.words().partsOf(channel, update))
    if (output.offer(channel, payloads, false)) {
      this.#sent(update.seq, payloads.length)
      return
    }
    this.fallBehind(feeds.fallBehind(accountId, this) ?? this.#position)
  }

  fallBehind(position: Seq): void {
    if (this.#isEnded || this.#position === undefined) return
    if (position > this.#position) this.#position = position
    this.begin()
  }

  /** Must be called whenever the connection may have drained. */
  drained(): void {
    this.#goOn?.()
  }

  end(refusal: Refusal): void {
    if (this.#isEnded) return
    this.close()
    this.#options.output.ended(this.channel, refusal)
  }

  tooSlow(): void {
    this.end(refuse('TOO_SLOW', {}))
  }

  /** Stops sending. */
  close(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#options.feeds.leave(this.#options.accountId, this)
    this.#goOn?.()
  }

  async #catchUp(): Promise<void> {
    const { feeds, accountId } = this.#options
    if (this.#position === undefined) {
      await this.#sendState()
      if (this.#isEnded || feeds.join(accountId, this, this.#position as unknown as Seq)) return
    }
    while (!this.#isEnded) {
      const position = this.#position as unknown as Seq
      const known = feeds.services().market.seq
      const answer = await this.#inTurn(() => feeds.updatesAfter(accountId, position))
      if (answer === undefined) return
      if (answer === 'TOO_OLD') return this.end(refuse('SINCE_TOO_OLD', {}))
      await this.#sendMissed(answer.updates)
      if (this.#isEnded) return
      if (answer.upTo > position) this.#position = answer.upTo
      // The length of an answer is bounded: updates from before the request may be missing from it, in which
      // case the next answer has them.
      if (answer.upTo < known) continue
      if (feeds.join(accountId, this, this.#position as unknown as Seq)) return
    }
  }

  async #sendState(): Promise<void> {
    const { feeds, accountId, channel } = this.#options
    const { engine } = feeds.services()
    const state = await this.#inTurn(() =>
      channel === 'orders'
        ? ordersSnapshot(engine, accountId, (after) => feeds.updatesAfter(accountId, after))
        : balancesSnapshot(engine, accountId),
    )
    if (state === undefined) return
    const { seq, orders, balances } = state
    const words = feeds.words()
    const rows = await feeds.lane.further(() =>
      channel === 'orders' ? words.orders(orders) : channel === 'balances' ? words.balances(balances) : [],
    )
    this.#heldBytes = rows.reduce((sum, { length }) => sum + length, 0)
    await this.#send(seq, this.#payloads(seq, undefined, rows.length === 0 ? [''] : rows))
  }

  /** Undefined if the subscription ended before its turn. */
  #inTurn<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
    const { feeds, accountId } = this.#options
    return feeds.inTurn(accountId, async () => (this.#isEnded ? undefined : read()))
  }

  async #sendMissed(updates: readonly AccountUpdate[]): Promise<void> {
    const { feeds, channel } = this.#options
    this.#heldBytes = updates.reduce((sum, update) => sum + rowsOf(update) * ROW_BYTES, 0)
    for (let from = 0; from < updates.length; from += SLICE_UPDATES) {
      const slice = updates.slice(from, from + SLICE_UPDATES)
      for (const update of slice) await this.prepare(update)
      const parts = await feeds.lane.further(() =>
        slice.map((update) => feeds.words().partsOf(channel, update)),
      )
      for (const [i, { seq, time }] of slice.entries()) {
        if (this.#isEnded) return
        await this.#send(seq, this.#payloads(seq, time, parts[i] ?? []))
      }
    }
  }

  /** Sends one message after another, as the connection takes them. */
  async #send(seq: Seq, payloads: readonly string[]): Promise<void> {
    const { feeds, output, channel } = this.#options
    for (const [i, payload] of payloads.entries()) {
      if (i % MESSAGES_AT_ONCE === MESSAGES_AT_ONCE - 1) await feeds.lane.further(() => {})
      while (!this.#isEnded && !output.offer(channel, [payload], true)) await this.#untilDrained()
      if (this.#isEnded) return
    }
    this.#sent(seq, payloads.length)
  }

  /**
   * Ends if too much is queued for slow clients, and most of it for this one: a client that reconnects gets
   * the missed messages.
   */
  async #untilDrained(): Promise<void> {
    const { held } = this.#options.feeds
    if (!held.hold(this, this.#heldBytes)) return this.tooSlow()
    this.#isWaiting = true
    await new Promise<void>((resolve) => {
      this.#goOn = resolve
    })
    this.#goOn = undefined
    this.#isWaiting = false
    held.letGo(this)
  }

  #sent(seq: Seq, messages: number): void {
    this.#position = seq
    if (messages > 0) this.#prevSeq = seq
  }

  #payloads(seq: Seq, time: TimeMs | undefined, parts: readonly string[]): readonly string[] {
    const journal = this.#journal
    return parts.map((rows, i) => {
      const prevSeq = i === 0 ? this.#prevSeq : seq
      return feedJson(this.channel, { journal, seq, prevSeq, time, isMore: i < parts.length - 1 }, rows)
    })
  }

  #crash(error: unknown): void {
    this.end(isDown(error) ? refuse('ENGINE_DOWN', {}) : this.#options.onCrash(error))
  }
}

function rowsOf({ open, ended, fills, balances }: AccountUpdate): number {
  return 1 + open.length + ended.length + fills.length + balances.length
}
