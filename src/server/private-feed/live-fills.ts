/**
 * The fills of accounts, from the engine's batches: a fill's event contains all its fields, so followers of
 * fills need not wait for the history. A follower that has fallen behind reads missed fills from the history;
 * in the meantime the newest fills of its account are kept, up to a bound, so that it can continue from where
 * it has read.
 */
import type { EventBatch, ExchangeEvent, OrdersMatched } from '../../core/events/event.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import { tradeRecord } from '../../engine/history/trade-records.ts'
import type { AccountUpdate, TradeRecord } from '../../engine/port/ports.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import type { WorkLane } from '../trading/work-lane.ts'
import type { LiveReader } from './live-reader.ts'

/**
 * Maximum number of fills of one account that are kept until all its readers have them, and of all accounts
 * together. Fills above it are read from history.
 */
export const KEPT_FILLS_MAX = 4_096
export const ALL_KEPT_FILLS_MAX = 65_536

/**
 * The number of kept fills given to a new follower in one turn of the event loop: about 5 ms. With more, it
 * continues reading.
 */
export const JOIN_FILLS_MAX = 512

/** Fills are delivered for this long in one turn of the event loop. */
const TURN_MS = 5

type FollowedFills = {
  /** Number of readers, including those that are catching up. */
  readers: number
  /** Readers that have all fills before `given`. */
  readonly live: Set<LiveReader>
  /** All updates after command `from`, oldest first. */
  kept: AccountUpdate[]
  from: Seq
  /** The index of the first update that is still to be delivered. */
  given: number
  /** Number of fills in all kept updates. */
  fills: number
  isGiving: boolean
}

export type LiveFillsOptions = {
  readonly symbolOf: (id: SymbolId) => TradingSymbol
  /** Runs long work in pieces. */
  readonly lane: WorkLane
  /** Calls back after all messages of this turn of the event loop, once their answers have been sent. */
  readonly soon: (task: () => void) => void
  /** Called after a bug: the live readers get no more fills. */
  readonly onCrash: (cause: unknown, live: readonly LiveReader[]) => void
}

export class LiveFills {
  readonly #options: LiveFillsOptions
  readonly #followedById = new Map<AccountId, FollowedFills>()
  /** The command of the newest batch. */
  #seq = 0 as Seq
  /** Number of kept fills of all accounts. */
  #fills = 0
  /** The fills of the batches of this turn of the event loop. */
  readonly #concerned = new Set<FollowedFills>()
  /** By the clock of this process: after that, other accounts have their turn. */
  #turnEndsMs = 0
  /** The reader that is being given the kept fills, and has not fallen behind. */
  #joining: LiveReader | undefined

  constructor(options: LiveFillsOptions) {
    this.#options = options
  }

  /**
   * Called when a follower is about to begin. `seq`: the last command of the newest batch in the market
   * views.
   */
  enter(accountId: AccountId, seq: Seq): void {
    const followed = this.#followedById.get(accountId)
    if (followed !== undefined) followed.readers++
    else {
      const live = new Set<LiveReader>()
      this.#followedById.set(accountId, {
        ...{ readers: 1, live, kept: [], from: seq, given: 0, fills: 0, isGiving: false },
      })
    }
  }

  leave(accountId: AccountId, reader: LiveReader): void {
    const followed = this.#followedById.get(accountId)
    if (followed === undefined) return
    followed.live.delete(reader)
    followed.readers--
    if (followed.readers > 0) return
    this.#keepNone(followed)
    this.#followedById.delete(accountId)
  }

  /**
   * Delivers to the reader, which has everything up to `position`, everything after it. False if it must
   * continue reading.
   */
  join(accountId: AccountId, reader: LiveReader, position: Seq): boolean {
    const followed = this.#followedById.get(accountId)
    if (followed === undefined || position < followed.from) return false
    const missed = followed.kept.slice(0, followed.given).filter(({ seq }) => seq > position)
    if (fillsOf(missed) > JOIN_FILLS_MAX) return false
    this.#joining = reader
    for (const update of missed) if (this.#joining !== undefined) reader.take(update)
    if (this.#joining !== undefined) followed.live.add(reader)
    this.#joining = undefined
    this.#begin(followed)
    return true
  }

  /**
   * Marks the reader as behind. Returns a position up to which it has at least everything; undefined if it
   * was behind before.
   */
  fallBehind(accountId: AccountId, reader: LiveReader): Seq | undefined {
    if (this.#joining === reader) this.#joining = undefined
    const followed = this.#followedById.get(accountId)
    return followed?.live.delete(reader) === true ? this.#positionOf(followed) : undefined
  }

  /** Must be called with every batch, once the views have applied it. */
  publish(batch: EventBatch): void {
    if (this.#followedById.size > 0) {
      if (batch.ends === undefined) this.#unknown(batch)
      else for (const followed of this.#keepAll(batch, batch.ends)) this.#beginSoon(followed)
    }
    this.#seq = batch.seq
  }

  /** Events up to command `seq` did not arrive as batches: all followers must read them. */
  restarted(seq: Seq): void {
    for (const followed of this.#followedById.values()) this.#sendBack(followed, seq)
    this.#seq = seq
  }

  /** Keeps the fills of followed accounts. Returns the affected accounts. */
  #keepAll({ seq, time, events }: EventBatch, ends: readonly number[]): ReadonlySet<FollowedFills> {
    const concerned = new Set<FollowedFills>()
    let command = seq - ends.length
    let at = 0
    for (const end of ends) {
      command++
      for (; at < end; at++) {
        const event = events[at] as ExchangeEvent
        if (event.kind !== 'OrdersMatched') continue
        for (const role of ['maker', 'taker'] as const) {
          const { accountId } = event[role]
          const followed = this.#followedById.get(accountId)
          if (followed === undefined) continue
          concerned.add(followed)
          addFill(followed, { seq: command as Seq, time, accountId }, this.#recordOf(event, role))
          this.#fills++
        }
      }
    }
    for (const followed of concerned) this.#bound(followed, seq)
    return concerned
  }

  #recordOf(event: OrdersMatched, role: 'maker' | 'taker'): TradeRecord {
    return tradeRecord(event, role, this.#options.symbolOf(event.symbolId))
  }

  /**
   * The commands that caused these fills are not known: readers of the affected accounts read them from
   * history.
   */
  #unknown({ seq, events }: EventBatch): void {
    for (const event of events) {
      if (event.kind !== 'OrdersMatched') continue
      for (const { accountId } of [event.maker, event.taker]) {
        const followed = this.#followedById.get(accountId)
        if (followed !== undefined) this.#sendBack(followed, seq)
      }
    }
  }

  /** Keeps fills within the limit, up to command `seq`: drops first the delivered ones, then all. */
  #bound(followed: FollowedFills, seq: Seq): void {
    const isTooMuch = () => followed.fills > KEPT_FILLS_MAX || this.#fills > ALL_KEPT_FILLS_MAX
    if (isTooMuch()) this.#keepUngiven(followed)
    if (isTooMuch()) this.#sendBack(followed, seq)
  }

  /** Makes all readers of the account read the commands up to `seq`, from their positions. */
  #sendBack(followed: FollowedFills, seq: Seq): void {
    const position = this.#positionOf(followed)
    const behind = [...followed.live]
    followed.live.clear()
    this.#keepNone(followed)
    followed.from = seq
    for (const reader of behind) reader.fallBehind(position)
  }

  /** The position up to which the live readers have everything. */
  #positionOf({ kept, given }: FollowedFills): Seq {
    const next = kept[given]
    return next === undefined ? this.#seq : ((next.seq - 1) as Seq)
  }

  #beginSoon(followed: FollowedFills): void {
    this.#concerned.add(followed)
    if (this.#concerned.size > 1) return
    this.#options.soon(() => {
      const concerned = [...this.#concerned]
      this.#concerned.clear()
      this.#turnEndsMs = performance.now() + TURN_MS
      for (const each of concerned) this.#begin(each)
    })
  }

  #begin(followed: FollowedFills): void {
    if (followed.isGiving || followed.given === followed.kept.length) return
    followed.isGiving = true
    this.#giveAll(followed).then(
      () => {
        followed.isGiving = false
        this.#begin(followed)
      },
      (cause: unknown) => this.#options.onCrash(cause, [...followed.live]),
    )
  }

  /**
   * Delivers each update to all readers before the next one, with other work between them if it takes long.
   */
  async #giveAll(followed: FollowedFills): Promise<void> {
    const { live } = followed
    for (let next = followed.kept[followed.given]; next !== undefined; next = followed.kept[followed.given]) {
      for (const reader of live) {
        if (performance.now() > this.#turnEndsMs) {
          await this.#options.lane.further(() => {})
          this.#turnEndsMs = performance.now() + TURN_MS
        }
        const preparing = reader.prepare(next)
        if (preparing !== undefined) await preparing
        if (live.has(reader)) reader.take(next)
      }
      // Kept fills may have been dropped in the meantime.
      if (followed.kept[followed.given] === next) followed.given++
    }
    if (live.size === followed.readers) this.#keepUngiven(followed)
  }

  #keepUngiven(followed: FollowedFills): void {
    const { kept, given } = followed
    const last = kept[given - 1]
    if (last === undefined) return
    followed.from = given === kept.length ? this.#seq : last.seq
    followed.kept = kept.slice(given)
    followed.given = 0
    this.#count(followed)
  }

  #keepNone(followed: FollowedFills): void {
    followed.kept = []
    followed.given = 0
    this.#count(followed)
  }

  #count(followed: FollowedFills): void {
    this.#fills -= followed.fills
    followed.fills = fillsOf(followed.kept)
    this.#fills += followed.fills
  }
}

/** Adds a fill; the fills of one command are one update. */
function addFill(
  followed: FollowedFills,
  { seq, time, accountId }: Pick<AccountUpdate, 'seq' | 'time' | 'accountId'>,
  fill: TradeRecord,
): void {
  followed.fills++
  const last = followed.kept.at(-1)
  if (last?.seq === seq) (last.fills as TradeRecord[]).push(fill)
  else followed.kept.push({ seq, time, accountId, open: [], ended: [], fills: [fill], balances: [] })
}

function fillsOf(updates: readonly AccountUpdate[]): number {
  return updates.reduce((sum, { fills }) => sum + fills.length, 0)
}
