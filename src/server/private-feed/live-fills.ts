/**
 * The fills of accounts, as batches bring them: all that a fill shows stands in its event, so that whoever follows fills waits for no answer
 * of the history. Who has fallen behind reads there what it missed; meanwhile the newest fills of its account are kept, up to a bound, so that it
 * can go on from what it has read.
 */
import type { EventBatch, ExchangeEvent, OrdersMatched } from '../../core/exchange/event.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import { tradeRecord } from '../../engine/history/trade-records.ts'
import type { AccountUpdate, TradeRecord } from '../../engine/port/ports.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import type { WorkLane } from '../trading/work-lane.ts'
import type { LiveReader } from './live-reader.ts'

/** Fills of one account that are kept until all who follow it have them, and those of all accounts together. Above it they are read from history. */
export const KEPT_FILLS_MAX = 4_096
export const ALL_KEPT_FILLS_MAX = 65_536

/** Whoever joins is given so many of the fills that were kept, in one turn of the event loop: some 5 ms. With more it reads on. */
export const JOIN_FILLS_MAX = 512

/** So long fills are given in one turn of the event loop. */
const TURN_MS = 5

type FollowedFills = {
  /** Those who catch up, too. */
  readers: number
  /** Those who have all before `given`. */
  readonly live: Set<LiveReader>
  /** All after command `from`, oldest first. */
  kept: AccountUpdate[]
  from: Seq
  /** The place of the first that is still to be given. */
  given: number
  /** In all that is kept. */
  fills: number
  isGiving: boolean
}

export type LiveFillsOptions = {
  readonly symbolOf: (id: SymbolId) => TradingSymbol
  /** Where long work is done in pieces. */
  readonly lane: WorkLane
  /** Calls back behind what has come in this turn of the event loop, once its answers have left. */
  readonly soon: (task: () => void) => void
  /** A bug: those who were live are given nothing any more. */
  readonly onCrash: (cause: unknown, live: readonly LiveReader[]) => void
}

export class LiveFills {
  readonly #options: LiveFillsOptions
  readonly #followedById = new Map<AccountId, FollowedFills>()
  /** Of the newest batch. */
  #seq = 0 as Seq
  /** That are kept, of all accounts. */
  #fills = 0
  /** Of the batches of this turn of the event loop. */
  readonly #concerned = new Set<FollowedFills>()
  /** By the clock of this process: others have their turn then. */
  #turnEndsMs = 0
  /** It is being given what was kept, and has not fallen behind. */
  #joining: LiveReader | undefined

  constructor(options: LiveFillsOptions) {
    this.#options = options
  }

  /** Somebody is about to follow the account. `seq`: of the newest batch that the market shows. */
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

  /** Gives the reader, who has everything up to `position`, what comes after it. False: it has to read on. */
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

  /** The reader has to catch up. What it has everything up to, or further; undefined: it did so before. */
  fallBehind(accountId: AccountId, reader: LiveReader): Seq | undefined {
    if (this.#joining === reader) this.#joining = undefined
    const followed = this.#followedById.get(accountId)
    return followed?.live.delete(reader) === true ? this.#positionOf(followed) : undefined
  }

  /** To be called with every batch, once the views have taken it in. */
  publish(batch: EventBatch): void {
    if (this.#followedById.size > 0) {
      if (batch.ends === undefined) this.#unknown(batch)
      else for (const followed of this.#keepAll(batch, batch.ends)) this.#beginSoon(followed)
    }
    this.#seq = batch.seq
  }

  /** What happened up to command `seq` has come as no batch: all have to read it. */
  restarted(seq: Seq): void {
    for (const followed of this.#followedById.values()) this.#sendBack(followed, seq)
    this.#seq = seq
  }

  /** Keeps the fills of those accounts that somebody follows. The answer is whom they concern. */
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

  /** Which command caused what is not known: those of the accounts concerned read it. */
  #unknown({ seq, events }: EventBatch): void {
    for (const event of events) {
      if (event.kind !== 'OrdersMatched') continue
      for (const { accountId } of [event.maker, event.taker]) {
        const followed = this.#followedById.get(accountId)
        if (followed !== undefined) this.#sendBack(followed, seq)
      }
    }
  }

  /** Keeps no more than there is room for, up to command `seq`: first without what was given, then nothing. */
  #bound(followed: FollowedFills, seq: Seq): void {
    const isTooMuch = () => followed.fills > KEPT_FILLS_MAX || this.#fills > ALL_KEPT_FILLS_MAX
    if (isTooMuch()) this.#keepUngiven(followed)
    if (isTooMuch()) this.#sendBack(followed, seq)
  }

  /** All of the account have to read what happened up to command `seq`, from where they are. */
  #sendBack(followed: FollowedFills, seq: Seq): void {
    const position = this.#positionOf(followed)
    const behind = [...followed.live]
    followed.live.clear()
    this.#keepNone(followed)
    followed.from = seq
    for (const reader of behind) reader.fallBehind(position)
  }

  /** Those who are live have everything up to here. */
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

  /** Each update to all before the next one, with others' work between them where it takes long. */
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
      // What was kept may have been let go of meanwhile.
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

/** The fills of one command are one update. */
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
