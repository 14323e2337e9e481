/**
 * The private feeds of all accounts. Whoever follows what happens now is given the updates of each batch, which one question to the
 * history asks for all accounts that the batch concerns; fills are given without a question (`live-fills.ts`). Whoever has something to catch
 * up on reads it from history when it has its turn (`reading-turns.ts`).
 */
import type { EventBatch } from '../../core/exchange/event.ts'
import { accountsOf, UPDATE_ACCOUNTS_MAX } from '../../engine/history/account-updates.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import type { AccountUpdate, UpdatesAnswer } from '../../engine/port/ports.ts'
import type { AccountId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import type { PrivateChannel } from '../../wire/private-feed.ts'
import type { Logger } from '../common/logger.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import type { Services } from '../trading/services.ts'
import type { WorkLane } from '../trading/work-lane.ts'
import { FeedWords } from './feed-words.ts'
import { HeldMemory } from './held-memory.ts'
import { LiveFills } from './live-fills.ts'
import type { LiveReader } from './live-reader.ts'
import { CatchUpTurns, isPassing, RETRY_MS, wait } from './reading-turns.ts'
import { SharedReadings } from './shared-readings.ts'

export type FeedsOptions = {
  readonly services: () => Services | Refusal
  /** Where long work is done in pieces. */
  readonly lane: WorkLane
  readonly logger: Logger
  /** What readers whose connections take nothing may keep together. */
  readonly heldBytesMax?: number
}

const HELD_BYTES_MAX = 64 * 1024 * 1024

/** So long updates are given in one turn of the event loop: one may have thousands of fills, and hundreds may follow it. */
export const TURN_MS = 5

/** An account that somebody follows, or is about to. */
type Followed = {
  readonly accountId: AccountId
  /** Of those who are about to, too. */
  readers: number
  /** Those who have everything up to `position`, or further; of fills they are elsewhere. */
  readonly live: Set<LiveReader>
  position: Seq
  /** Of the newest batch that concerned it. */
  changedAt: Seq
  /** An answer is being given to those who are live; it is not asked for again before all have it. */
  isGiving: boolean
}

export class Feeds {
  readonly #options: FeedsOptions
  readonly #followedById = new Map<AccountId, Followed>()
  /** Those that a batch has concerned since they were asked for. */
  readonly #changed = new Set<Followed>()
  #isAsking = false
  readonly #turns = new CatchUpTurns()
  /** What readers keep while their connections take nothing. */
  readonly held: HeldMemory
  readonly #shared = new SharedReadings((accountId, after) => this.#read(accountId, after))
  readonly #fills: LiveFills
  /** Of the newest batch of all. */
  #seq = 0 as Seq
  #words: FeedWords | undefined

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

  /** Accounts that somebody follows. */
  get accounts(): number {
    return this.#followedById.size
  }

  get lane(): WorkLane {
    return this.#options.lane
  }

  /** To be called with every batch, once the views have taken it in. */
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
        // Nothing has concerned it for a while: that need not be read, and may not be kept any more.
        if (followed.changedAt <= followed.position && followed.position < before) followed.position = before
        followed.changedAt = seq
        this.#ifBehind(followed)
      })
    }
    this.#askSoon()
  }

  /**
   * What happened up to command `seq` has come as no batch: it may have concerned every account that is followed, and is asked for as what a batch has
   * done is.
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

  /** Somebody is about to follow the account: from here on it is noted what concerns it. */
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

  /** Gives the reader, who has everything up to `position`, all that comes after it. False: there is more to catch up on. */
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

  /** The reader has to catch up. What it has everything up to, or further; undefined: it followed nothing. */
  fallBehind(accountId: AccountId, reader: LiveReader): Seq | undefined {
    if (reader.channel === 'fills') return this.#fills.fallBehind(accountId, reader)
    const followed = this.#followedById.get(accountId)
    return followed?.live.delete(reader) === true ? followed.position : undefined
  }

  /** As `CatchUpTurns.inTurn`. */
  inTurn<Value>(accountId: AccountId, read: () => Promise<Value>): Promise<Value> {
    return this.#turns.inTurn(accountId, read)
  }

  /** What trading works with. Rejects with `EngineFault`. */
  services(): Services {
    const services = this.#options.services()
    if (services instanceof Refusal) throw new EngineFault('STOPPING', 'the service is not open')
    return services
  }

  words(): FeedWords {
    this.#words ??= new FeedWords(this.services().market.registry)
    return this.#words
  }

  /** The updates of one account up to the newest that the market knows of, or the first of them. */
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
        // Others' answers do not wait for a long one.
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

  /** `after`: what was asked for. */
  async #give(followed: Followed, after: Seq, answer: UpdatesAnswer): Promise<void> {
    // Those for whom it was asked have left, and who came since needs more.
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

  /** Each update to all before the next one, with others' work between them where it takes long. Who joins meanwhile has all before it. */
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

  /** Has it asked for, unless those who are live have everything, or are being given it. */
  #ifBehind(followed: Followed): void {
    const { live, isGiving, changedAt, position } = followed
    if (live.size > 0 && !isGiving && changedAt > position) this.#changed.add(followed)
  }

  /** The readers are given nothing any more, and end with what they have. */
  #failed(cause: unknown, readers = this.#live()): void {
    if (!isDown(cause)) this.#options.logger.error({ err: cause }, 'the private feed failed')
    for (const reader of readers) reader.end(refuse('ENGINE_DOWN', {}))
  }

  /** Those who are given what history answers. */
  #live(): readonly LiveReader[] {
    return [...this.#followedById.values()].flatMap(({ live }) => [...live])
  }
}

export function isDown(cause: unknown): boolean {
  return cause instanceof EngineFault || cause instanceof JournalFault
}
