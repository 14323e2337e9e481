/**
 * The private feeds of all accounts. Followers that are up to date get the updates of each batch, which one
 * query to the history reads for all affected accounts; fills are sent without a query (`live-fills.ts`).
 * Followers that have missed events read them from history in turn (`reading-turns.ts`).
 */

import type { PrivateChannel } from '../../contract/stream/private-feed.ts'
import type { EventBatch } from '../../core/events/event.ts'
import { accountsOf, UPDATE_ACCOUNTS_MAX } from '../../engine/history/account-updates.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import type { AccountUpdate, UpdatesAnswer } from '../../engine/port/ports.ts'
import type { AccountId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import type { Logger } from '../common/logger.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import type { Services } from '../trading/services.ts'
import type { WorkLane } from '../trading/work-lane.ts'
import { FeedPayloads } from './feed-payloads.ts'
import { HeldMemory } from './held-memory.ts'
import { LiveFills } from './live-fills.ts'
import type { LiveReader } from './live-reader.ts'
import { CatchUpTurns, isPassing, RETRY_MS, wait } from './reading-turns.ts'
import { SharedReadings } from './shared-readings.ts'

export type FeedsOptions = {
  readonly services: () => Services | Refusal
  /** Runs long work in pieces. */
  readonly lane: WorkLane
  readonly logger: Logger
  /** Limit of what may be queued for all readers whose connections accept nothing. */
  readonly heldBytesMax?: number
}

const HELD_BYTES_MAX = 64 * 1024 * 1024

/**
 * Updates are delivered for this long in one turn of the event loop: one update may have thousands of fills,
 * and hundreds may follow it.
 */
export const TURN_MS = 5

/** An account with followers, or with one about to begin. */
type Followed = {
  readonly accountId: AccountId
  /** Number of readers, including those that are about to read. */
  readers: number
  /** Readers that have everything up to `position`, or further; readers of fills are kept elsewhere. */
  readonly live: Set<LiveReader>
  position: Seq
  /** The command of the newest batch that concerned the account. */
  changedAt: Seq
  /** An answer is being delivered to the live readers; it is not requested again before all have it. */
  isGiving: boolean
}

export class Feeds {
  readonly #options: FeedsOptions
  readonly #followedById = new Map<AccountId, Followed>()
  /** The accounts that a batch has changed since their updates were requested. */
  readonly #changed = new Set<Followed>()
  #isAsking = false
  readonly #turns = new CatchUpTurns()
  /** Data queued for readers while their connections accept nothing. */
  readonly held: HeldMemory
  readonly #shared = new SharedReadings((accountId, after) => this.#read(accountId, after))
  readonly #fills: LiveFills
  /** The command of the newest of all batches. */
  #seq = 0 as Seq
  #words: FeedPayloads | undefined

  constructor(options: FeedsOptions) {
    this.#options = options
    this.held = new HeldMemory(options.heldBytesMax ?? HELD_BYTES_MAX)
    this.#fills = new LiveFills({
      symbolOf: (id) => this.words().symbol(id),
      lane: options.lane,
      soon: (task) => void setImmediate(task),
      onCrash: (cause, live) => this.#failed(cause, live),
    })
  }

  /** Number of accounts with followers. */
  get accounts(): number {
    return this.#followedById.size
  }

  get lane(): WorkLane {
    return this.#options.lane
  }

  /** Must be called with every batch, once the views have applied it. */
  publish(batch: EventBatch): void {
    const { events, seq } = batch
    this.#fills.publish(batch)
    const before = this.#seq
    this.#seq = seq
    if (this.#followedById.size === 0) return
    for (const event of events) {
      accountsOf(event, (accountId) => {
        const followed = this.#followedById.get(accountId)
        if (followed === undefined) return
        // No batch from `position` to `before` concerned the account: nothing there needs to be read, and it
        // may no longer be stored.
        if (followed.changedAt <= followed.position && followed.position < before) followed.position = before
        followed.changedAt = seq
        this.#ifBehind(followed)
      })
    }
    this.#askSoon()
  }

  /**
   * Events up to command `seq` did not arrive as batches: they may have affected every followed account, and
   * are queried like those of a batch.
   */
  restarted(seq: Seq): void {
    this.#seq = seq
    this.#fills.restarted(seq)
    for (const followed of this.#followedById.values()) {
      followed.changedAt = seq
      this.#ifBehind(followed)
    }
    this.#askSoon()
  }

  /** Called when a follower is about to begin: from here on, events of the account are recorded. */
  enter(accountId: AccountId, channel: PrivateChannel): void {
    if (channel === 'fills') this.#fills.enter(accountId, this.services().market.seq)
    const followed = this.#followedById.get(accountId)
    if (followed !== undefined) followed.readers++
    else {
      const start = 0 as Seq
      const entered = {
        accountId,
        readers: 1,
        live: new Set<LiveReader>(),
        position: start,
        changedAt: start,
        isGiving: false,
      }
      this.#followedById.set(accountId, entered)
    }
  }

  leave(accountId: AccountId, reader: LiveReader): void {
    const followed = this.#followedById.get(accountId)
    if (followed === undefined) return
    if (reader.channel === 'fills') this.#fills.leave(accountId, reader)
    followed.live.delete(reader)
    followed.readers--
    if (followed.live.size === 0) this.#changed.delete(followed)
    if (followed.readers > 0) return
    this.#followedById.delete(accountId)
    this.#shared.forget(accountId)
  }

  /**
   * Delivers to the reader, which has everything up to `position`, everything after it. False if it must
   * catch up further.
   */
  join(accountId: AccountId, reader: LiveReader, position: Seq): boolean {
    if (reader.channel === 'fills') return this.#fills.join(accountId, reader, position)
    const followed = this.#followedById.get(accountId)
    if (followed === undefined) return false
    if (followed.live.size === 0 && !followed.isGiving) followed.position = position
    else if (followed.position > position) return false
    followed.live.add(reader)
    this.#ifBehind(followed)
    this.#askSoon()
    return true
  }

  /**
   * Marks the reader as behind. Returns a position up to which it has at least everything; undefined if it
   * followed nothing.
   */
  fallBehind(accountId: AccountId, reader: LiveReader): Seq | undefined {
    if (reader.channel === 'fills') return this.#fills.fallBehind(accountId, reader)
    const followed = this.#followedById.get(accountId)
    return followed?.live.delete(reader) === true ? followed.position : undefined
  }

  /** Like `CatchUpTurns.inTurn`. */
  inTurn<Value>(accountId: AccountId, read: () => Promise<Value>): Promise<Value> {
    return this.#turns.inTurn(accountId, read)
  }

  /** The trading services. Rejects with `EngineFault`. */
  services(): Services {
    const services = this.#options.services()
    if (services instanceof Refusal) throw new EngineFault('STOPPING', 'the service is not open')
    return services
  }

  words(): FeedPayloads {
    this.#words ??= new FeedPayloads(this.services().market.registry)
    return this.#words
  }

  /** The updates of one account up to the newest command of the market, or the first of them. */
  updatesAfter(accountId: AccountId, after: Seq): Promise<UpdatesAnswer> {
    return this.#shared.after(accountId, after)
  }

  async #read(accountId: AccountId, after: Seq): Promise<UpdatesAnswer> {
    const { history, market } = this.services()
    const [answer] = await history.updates({ accounts: [{ accountId, after }], atLeast: market.seq })
    return answer ?? 'TOO_OLD'
  }

  #askSoon(): void {
    if (this.#isAsking || this.#changed.size === 0) return
    this.#isAsking = true
    void this.#ask().finally(() => {
      this.#isAsking = false
      this.#askSoon()
    })
  }

  async #ask(): Promise<void> {
    const asked = [...this.#changed].slice(0, UPDATE_ACCOUNTS_MAX)
    let atLeast = 0 as Seq
    for (const followed of asked) {
      if (followed.changedAt > atLeast) atLeast = followed.changedAt
      this.#changed.delete(followed)
    }
    const accounts = asked.map(({ accountId, position }) => ({ accountId, after: position }))
    try {
      const answers = await this.services().history.updates({ accounts, atLeast })
      for (const [i, followed] of asked.entries()) {
        // Answers to others do not wait for a long one.
        void this.#give(followed, accounts[i]?.after ?? followed.position, answers[i] ?? 'TOO_OLD').catch(
          (cause: unknown) => this.#failed(cause),
        )
      }
    } catch (cause) {
      for (const followed of asked) if (followed.live.size > 0) this.#changed.add(followed)
      if (!isPassing(cause)) this.#failed(cause)
      await wait(RETRY_MS)
    }
  }

  /** `after`: the position of the request. */
  async #give(followed: Followed, after: Seq, answer: UpdatesAnswer): Promise<void> {
    // The readers for which this was requested have left, and a later reader needs more.
    if (followed.position < after) {
      if (followed.live.size > 0) this.#changed.add(followed)
      return
    }
    if (answer === 'TOO_OLD') {
      for (const reader of [...followed.live]) reader.end(refuse('SINCE_TOO_OLD', {}))
      return
    }
    followed.isGiving = true
    try {
      await this.#giveAll(followed, answer.updates)
      if (answer.upTo > followed.position) followed.position = answer.upTo
    } finally {
      followed.isGiving = false
      this.#ifBehind(followed)
      this.#askSoon()
    }
  }

  /**
   * Delivers each update to all readers before the next one, with other work between them if it takes long. A
   * reader that joins in the meantime already has all before it.
   */
  async #giveAll(followed: Followed, updates: readonly AccountUpdate[]): Promise<void> {
    let startMs = performance.now()
    for (const update of updates) {
      for (const reader of followed.live) {
        await reader.prepare(update)
        reader.take(update)
        if (performance.now() - startMs <= TURN_MS) continue
        await this.lane.further(() => {})
        startMs = performance.now()
      }
      if (update.seq > followed.position) followed.position = update.seq
    }
  }

  /** Requests updates, unless the live readers have everything, or are receiving it. */
  #ifBehind(followed: Followed): void {
    const { live, isGiving, changedAt, position } = followed
    if (live.size > 0 && !isGiving && changedAt > position) this.#changed.add(followed)
  }

  /** Ends the readers, which get no more updates than those that they have. */
  #failed(cause: unknown, readers = this.#live()): void {
    if (!isDown(cause)) this.#options.logger.error({ err: cause }, 'the private feed failed')
    for (const reader of readers) reader.end(refuse('ENGINE_DOWN', {}))
  }

  /** The readers that receive answers of history. */
  #live(): readonly LiveReader[] {
    return [...this.#followedById.values()].flatMap(({ live }) => [...live])
  }
}

export function isDown(cause: unknown): boolean {
  return cause instanceof EngineFault || cause instanceof JournalFault
}
