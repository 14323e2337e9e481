/**
 * A private channel (docs/reference/private-feed.md): all events of the account, in order, without gaps or
 * duplicates, even across interruptions. This needs only a stored position in the journal, so a restarted
 * program can continue too.
 */
import { callHandler } from './handlers.ts'
import type { FeedMessage, FeedRows, PrivateChannel, StreamError } from './messages.ts'
import type { StreamPorts } from './stream-ports.ts'
import type { Subscriptions } from './subscriptions.ts'
import { answerTo, keyOf, type RefusalAnswer, type SubscriptionState, type Topic } from './topic.ts'

/** The position in the journal up to which a channel is known. */
export type FeedPlace = { readonly journal: string; readonly seq: number }

/**
 * The reason why the complete state follows, although the caller gave a position: the events in between are
 * not reported.
 */
export type FeedRestart = 'UNKNOWN_JOURNAL' | 'SINCE_TOO_OLD'

const RESTARTS: readonly FeedRestart[] = ['UNKNOWN_JOURNAL', 'SINCE_TOO_OLD']

/** The changes of one command, or the complete state of the channel. */
export type FeedUpdate<C extends PrivateChannel> =
  | (FeedPlace & {
      readonly kind: 'change'
      readonly time: number | undefined
      readonly rows: readonly FeedRows[C][]
    })
  | (FeedPlace & {
      /** The previous state of the channel must be discarded. */
      readonly kind: 'state'
      readonly rows: readonly FeedRows[C][]
      readonly restart?: FeedRestart | undefined
    })

export type FeedHandlers<C extends PrivateChannel> = {
  /**
   * Called for one update at a time: the next one follows when the promise that it returns, if any, is
   * settled.
   */
  readonly onUpdate: (update: FeedUpdate<C>) => unknown
  /**
   * `live`: everything missed has arrived, and new events follow. `error`: the reason for the refusal that
   * closed the channel.
   */
  readonly onState?: ((state: SubscriptionState, error?: StreamError) => void) | undefined
}

export type FeedOptions<C extends PrivateChannel> = {
  readonly channel: C
  readonly handlers: FeedHandlers<C>
  /** The changes after this position come first; without it, the state does. */
  readonly from?: FeedPlace | undefined
  readonly subscriptions: Subscriptions
  readonly ports: StreamPorts
  /** Maximum number of updates that wait for the handler; further updates are requested later. */
  readonly waitingMax?: number | undefined
  /** Maximum number of rows in one update; an update with more is refused. */
  readonly rowsMax?: number | undefined
}

/** The received part of a command's changes, or of the state, whose last message is still missing. */
type Pending = { readonly seq: number; readonly isState: boolean; readonly rows: unknown[] }

const WAITING_MAX = 1_000
/** Maximum number of rows of one update: far above the possible number of open orders of an account. */
const ROWS_MAX = 5_000_000
/**
 * How many times a request is repeated before this answer is accepted: a gateway may be behind the gateway
 * from which the position came.
 */
const UNKNOWN_JOURNAL_TRIES = 3

export class FeedSubscription<C extends PrivateChannel> implements Topic {
  readonly key: string
  readonly isLong = true
  readonly needsLogin = true
  readonly #options: FeedOptions<C>
  #state: SubscriptionState = 'stale'
  /**
   * The position up to which everything has arrived; undefined if nothing is known, or the known data is
   * invalid.
   */
  #received: FeedPlace | undefined
  /** The position up to which the handler has finished. */
  #handled: FeedPlace | undefined
  #restart: FeedRestart | undefined
  #pending: Pending | undefined
  #unknownJournals = 0
  #isEngineSeen = true
  #isBehind = false
  /** Whether the server has confirmed that the messages will follow. */
  #isFollowing = false
  readonly #waiting: FeedUpdate<C>[] = []
  #isHandling = false
  /** Whether no further message is accepted until the handler has caught up. */
  #isFull = false

  constructor(options: FeedOptions<C>) {
    this.#options = options
    this.key = keyOf(options.channel, {})
    this.#received = options.from
    this.#handled = options.from
  }

  get state(): SubscriptionState {
    return this.#state
  }

  /**
   * The position up to which the handler has finished: `from` of a later subscription, also in another run of
   * the program.
   */
  get place(): FeedPlace | undefined {
    return this.#handled
  }

  /**
   * Ends the delivery of updates. Those that wait for the handler are dropped, and are sent again to a
   * subscription that begins at `place`.
   */
  close(): void {
    if (this.#state === 'closed') return
    this.#become('closed')
    this.#waiting.length = 0
    this.#options.subscriptions.remove(this)
  }

  request(): object {
    const { channel } = this.#options
    const at = this.#received
    return at === undefined ? { channel } : { channel, since: at.seq, journal: at.journal }
  }

  name(): object {
    return { channel: this.#options.channel }
  }

  subscribed(): void {
    this.#pending = undefined
    this.#isFollowing = true
    this.#unknownJournals = 0
    this.#settle()
  }

  refused(error: StreamError): RefusalAnswer {
    const { reason } = error
    const restart = RESTARTS.find((known) => known === reason)
    if (restart !== undefined) return this.#misplaced(restart)
    const answer = answerTo(error)
    if (answer === 'stop') this.#become('closed', error)
    return answer
  }

  interrupted(): void {
    this.#pending = undefined
    this.#isFollowing = false
    this.#settle()
  }

  /** Called when the server has lost or found its engine; the server sends missed changes by itself. */
  engineSeen(isSeen: boolean): void {
    this.#isEngineSeen = isSeen
    this.#settle()
  }

  behind(isBehind: boolean): void {
    this.#isBehind = isBehind
    this.#settle()
  }

  take(payload: object): void {
    if (this.#isFull) return
    if (this.#takeMessage(payload as FeedMessage<C>)) return
    // If a message does not follow the previous one, the channel is requested again from the last valid
    // position.
    this.interrupted()
    this.#options.subscriptions.again(this, REPAIR_MS)
  }

  /** False if it does not follow the previous message. */
  #takeMessage(message: FeedMessage<C>): boolean {
    const rows = message[this.#options.channel]
    if (!Array.isArray(rows) || !this.#follows(message)) return false
    const { seq, journal, time, prevSeq, more } = message
    const isState = this.#pending?.isState ?? prevSeq === undefined
    const all = this.#pending?.rows ?? []
    if (all.length + rows.length > (this.#options.rowsMax ?? ROWS_MAX)) return false
    for (const row of rows) all.push(row)
    this.#pending = more === true ? { seq, isState, rows: all } : undefined
    if (more === true) return true
    const place = { journal, seq }
    this.#received = place
    const known = all as FeedRows[C][]
    this.#settle()
    if (isState) this.#pass({ kind: 'state', ...place, rows: known, restart: this.#restart })
    else this.#pass({ kind: 'change', ...place, time, rows: known })
    if (isState) this.#restart = undefined
    return true
  }

  /** Whether this message directly follows the previous one. */
  #follows({ seq, prevSeq, journal }: FeedMessage<C>): boolean {
    if (!Number.isSafeInteger(seq) || typeof journal !== 'string') return false
    if (this.#pending !== undefined) return prevSeq === seq && seq === this.#pending.seq
    if (prevSeq === undefined) return true
    return this.#received?.journal === journal && this.#received.seq === prevSeq && seq > prevSeq
  }

  #misplaced(reason: FeedRestart): RefusalAnswer {
    this.#unknownJournals++
    const isBelieved = reason === 'SINCE_TOO_OLD' || this.#unknownJournals >= UNKNOWN_JOURNAL_TRIES
    if (isBelieved) {
      this.#received = undefined
      this.#restart = reason
    }
    return 'later'
  }

  #pass(update: FeedUpdate<C>): void {
    this.#waiting.push(update)
    void this.#handle()
    if (this.#waiting.length <= (this.#options.waitingMax ?? WAITING_MAX)) return
    this.#isFull = true
    this.interrupted()
  }

  async #handle(): Promise<void> {
    if (this.#isHandling) return
    this.#isHandling = true
    const { handlers, ports, subscriptions } = this.#options
    for (let update = this.#waiting.shift(); update !== undefined; update = this.#waiting.shift()) {
      const given = update
      let work: unknown
      callHandler(ports, () => {
        work = handlers.onUpdate(given)
      })
      // A handler that returns no promise has finished: no turn of the event loop is needed.
      if (isPromise(work)) await settled(work, ports)
      // `close` may have been called during the handler's work: the update was handled nevertheless.
      this.#handled = { journal: given.journal, seq: given.seq }
    }
    this.#isHandling = false
    if (!this.#isFull) return
    this.#isFull = false
    subscriptions.again(this)
  }

  #settle(): void {
    const isCurrent = this.#isFollowing && this.#received !== undefined
    this.#become(isCurrent && this.#isEngineSeen && !this.#isBehind ? 'live' : 'stale')
  }

  #become(state: SubscriptionState, error?: StreamError): void {
    if (this.#state === state || this.#state === 'closed') return
    this.#state = state
    const { ports, handlers } = this.#options
    callHandler(ports, () => handlers.onState?.(state, error))
  }
}

const REPAIR_MS = 1_000

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | undefined)?.then === 'function'
}

/** Reports an error of the handler to the runtime; later updates are still handled. */
async function settled(work: PromiseLike<unknown>, ports: StreamPorts): Promise<void> {
  try {
    await work
  } catch (error) {
    callHandler(ports, () => {
      throw error
    })
  }
}
