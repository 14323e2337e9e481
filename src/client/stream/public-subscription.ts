/**
 * A public channel of one symbol (docs/reference/stream-extensions.md): its messages in order and without a
 * gap, and whether they are current. After a gap the whole state is requested again.
 */
import type { BookMessage } from '../interface/messages.ts'
import { callHandler } from './handlers.ts'
import { LocalBook } from './local-book.ts'
import type { MessageOf, PublicChannel, PublicTopic, StreamError } from './messages.ts'
import type { StreamPorts } from './stream-ports.ts'
import type { Subscriptions } from './subscriptions.ts'
import { answerTo, keyOf, type RefusalAnswer, type SubscriptionState, type Topic } from './topic.ts'

/**
 * Half of the pause before the second of consecutive repairs; each further pause is twice as long as the
 * previous one.
 */
const REPAIR_MS_MIN = 500
const REPAIR_MS_MAX = 30_000

export type SubscriptionHandlers<Message> = {
  /** A message without `prevSeq` is the whole state: the previous state must be discarded. */
  readonly onMessage?: ((message: Message) => void) | undefined
  /** `error`: the reason for the refusal that closed the channel. */
  readonly onState?: ((state: SubscriptionState, error?: StreamError) => void) | undefined
}

export type PublicSubscriptionOptions<C extends PublicChannel> = {
  readonly topic: PublicTopic & { readonly channel: C }
  readonly handlers: SubscriptionHandlers<MessageOf<C>>
  readonly subscriptions: Subscriptions
  readonly ports: StreamPorts
}

abstract class ChannelSubscription<Message> implements Topic {
  readonly key: string
  readonly isLong: boolean
  readonly needsLogin = false
  readonly #topic: PublicTopic
  readonly #handlers: SubscriptionHandlers<Message>
  readonly #subscriptions: Subscriptions
  readonly #ports: StreamPorts
  #state: SubscriptionState = 'stale'
  /** Whether the complete state has arrived, and every change since. */
  #isWhole = false
  #isEngineSeen = true
  #isBehind = false
  #repairs = 0

  constructor(
    topic: PublicTopic,
    handlers: SubscriptionHandlers<Message>,
    { subscriptions, ports }: { readonly subscriptions: Subscriptions; readonly ports: StreamPorts },
  ) {
    this.key = keyOf(topic.channel, topic)
    this.isLong =
      topic.channel.startsWith('kline_') || (topic.channel === 'book' && topic.levels === undefined)
    this.#topic = topic
    this.#handlers = handlers
    this.#subscriptions = subscriptions
    this.#ports = ports
  }

  get topic(): PublicTopic {
    return this.#topic
  }

  get state(): SubscriptionState {
    return this.#state
  }

  /** Ends the delivery of messages. */
  close(): void {
    if (this.#state === 'closed') return
    this.#become('closed')
    this.#subscriptions.remove(this)
  }

  request(): object {
    return this.#topic
  }

  name(): object {
    return this.#topic
  }

  subscribed(): void {}

  refused(error: StreamError): RefusalAnswer {
    const answer = answerTo(error)
    if (answer === 'later') return answer
    this.#become('closed', error)
    return 'stop'
  }

  interrupted(): void {
    this.#lose()
    this.#settle()
  }

  engineSeen(isSeen: boolean): void {
    // The next message is the complete state; nothing else can follow the previous one.
    if (isSeen && !this.#isEngineSeen) this.#lose()
    this.#isEngineSeen = isSeen
    this.#settle()
  }

  behind(isBehind: boolean): void {
    this.#isBehind = isBehind
    this.#settle()
  }

  take(payload: object): void {
    const message = payload as Message
    const outcome = this.follow(message)
    if (outcome === 'broken') {
      this.#repair()
      return
    }
    if (outcome === 'changed') this.#repairs = 0
    if (outcome === 'whole') this.#isWhole = true
    // The state is updated first: the message's handler may read it.
    this.#settle()
    callHandler(this.#ports, () => this.#handlers.onMessage?.(message))
  }

  /** After this message only a complete state can follow. */
  protected abstract forget(): void
  protected abstract follow(message: Message): 'whole' | 'changed' | 'broken'

  #lose(): void {
    this.#isWhole = false
    this.forget()
  }

  #settle(): void {
    this.#become(this.#isWhole && this.#isEngineSeen && !this.#isBehind ? 'live' : 'stale')
  }

  #repair(): void {
    this.#lose()
    this.#settle()
    const delayMs = this.#repairs === 0 ? 0 : Math.min(REPAIR_MS_MAX, REPAIR_MS_MIN * 2 ** this.#repairs)
    this.#repairs = Math.min(this.#repairs + 1, 16)
    this.#subscriptions.again(this, delayMs)
  }

  #become(state: SubscriptionState, error?: StreamError): void {
    if (this.#state === state || this.#state === 'closed') return
    this.#state = state
    callHandler(this.#ports, () => this.#handlers.onState?.(state, error))
  }
}

/** Any channel, including a book with `levels`: every message must follow the previous one. */
export class PublicSubscription<C extends PublicChannel> extends ChannelSubscription<MessageOf<C>> {
  #seq: number | undefined

  constructor({ topic, handlers, ...parts }: PublicSubscriptionOptions<C>) {
    super(topic, handlers, parts)
  }

  protected forget(): void {
    this.#seq = undefined
  }

  protected follow({ seq, prevSeq }: MessageOf<C>): 'whole' | 'changed' | 'broken' {
    const before = this.#seq
    // The complete state comes first, and no state is older than an earlier one.
    if (prevSeq === undefined ? seq < (before ?? 0) : prevSeq !== before) return 'broken'
    this.#seq = seq
    return prevSeq === undefined ? 'whole' : 'changed'
  }
}

/** The complete book of a symbol, maintained and checked. */
export class BookSubscription extends ChannelSubscription<BookMessage> {
  readonly book = new LocalBook()

  constructor({ topic, handlers, ...parts }: PublicSubscriptionOptions<'book'>) {
    super(topic, handlers, parts)
  }

  protected forget(): void {
    this.book.forget()
  }

  protected follow(message: BookMessage): 'whole' | 'changed' | 'broken' {
    const outcome = this.book.take(message)
    return outcome === 'whole' || outcome === 'changed' ? outcome : 'broken'
  }
}
