/**
 * A private channel (docs/reference/private-feed.md): all that happens to the account, in its order, without a gap and without a double, over
 * interruptions too. A place in the journal is all that has to be kept for that, by a program that is restarted as well.
 */
import { callHandler } from './handlers.ts'
import type { FeedMessage, FeedRows, PrivateChannel, StreamError } from './messages.ts'
import type { StreamPorts } from './stream-ports.ts'
import type { Subscriptions } from './subscriptions.ts'
import { answerTo, keyOf, type RefusalAnswer, type SubscriptionState, type Topic } from './topic.ts'

/** Up to where a channel is known. */
export type FeedPlace = { readonly journal: string; readonly seq: number }

/** Why the state comes anew, although the place of the caller was named: what lies between is not told. */
export type FeedRestart = 'UNKNOWN_JOURNAL' | 'SINCE_TOO_OLD'

const RESTARTS: readonly FeedRestart[] = ['UNKNOWN_JOURNAL', 'SINCE_TOO_OLD']

/** What one command has changed, or the state of the channel, whole. */
export type FeedUpdate<C extends PrivateChannel> =
  | (FeedPlace & {
      readonly kind: 'change'
      readonly time: number | undefined
      readonly rows: readonly FeedRows[C][]
    })
  | (FeedPlace & {
      /** What was known of the channel before is to be thrown away. */
      readonly kind: 'state'
      readonly rows: readonly FeedRows[C][]
      readonly restart?: FeedRestart | undefined
    })

export type FeedHandlers<C extends PrivateChannel> = {
  /** One after the other: the next when the promise of the one before, if it gives any, is settled. */
  readonly onUpdate: (update: FeedUpdate<C>) => unknown
  /** `live`: what happens comes, behind what was missed. `error`: why the server refuses it, where it was closed by that. */
  readonly onState?: ((state: SubscriptionState, error?: StreamError) => void) | undefined
}

export type FeedOptions<C extends PrivateChannel> = {
  readonly channel: C
  readonly handlers: FeedHandlers<C>
  /** What came after it is told first; without it the state. */
  readonly from?: FeedPlace | undefined
  readonly subscriptions: Subscriptions
  readonly ports: StreamPorts
  /** Updates that may wait for the handler; where there would be more, they are asked for later. */
  readonly waitingMax?: number | undefined
  /** Rows of one update at most; more is not taken. */
  readonly rowsMax?: number | undefined
}

/** What has come of a command, or of the state, whose last message is still missing. */
type Pending = { readonly seq: number; readonly isState: boolean; readonly rows: unknown[] }

const WAITING_MAX = 1_000
/** Rows of one update: far above what an account can have open. */
const ROWS_MAX = 5_000_000
/** A gateway may be behind the one that named the place: so often it is asked again before its word is believed. */
const UNKNOWN_JOURNAL_TRIES = 3

export class FeedSubscription<C extends PrivateChannel> implements Topic {
  readonly key: string
  readonly isLong = true
  readonly needsLogin = true
  readonly #options: FeedOptions<C>
  #state: SubscriptionState = 'stale'
  /** Up to here all has come; undefined: nothing is known, or what is does not count. */
  #received: FeedPlace | undefined
  /** Up to here the handler is done. */
  #handled: FeedPlace | undefined
  #restart: FeedRestart | undefined
  #pending: Pending | undefined
  #unknownJournals = 0
  #isEngineSeen = true
  #isBehind = false
  /** The server has said that it sends what comes. */
  #isFollowing = false
  readonly #waiting: FeedUpdate<C>[] = []
  #isHandling = false
  /** Nothing more is taken in before the handler has caught up. */
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

  /** Up to where the handler is done: `from` of a later subscription, that of another run of the program too. */
  get place(): FeedPlace | undefined {
    return this.#handled
  }

  /** Nothing comes any more; what waits for the handler is dropped, and is behind `place`. */
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

  /** What was missed meanwhile comes by itself. */
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
    // What does not follow is asked for again, from where all was right.
    this.interrupted()
    this.#options.subscriptions.again(this, REPAIR_MS)
  }

  /** False: it does not follow what has come before. */
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

  /** Whether nothing lies between this message and what has come before it. */
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
      // One that gives no promise is done: nothing waits for a turn of the runtime.
      if (isPromise(work)) await settled(work, ports)
      // `close` may have come meanwhile: what is done is done all the same.
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

/** An error of the handler gets to the runtime; what comes next is handled all the same. */
async function settled(work: PromiseLike<unknown>, ports: StreamPorts): Promise<void> {
  try {
    await work
  } catch (error) {
    callHandler(ports, () => {
      throw error
    })
  }
}
