/**
 * `kline_<interval>` (docs/reference/stream-extensions.md#kline): the newest candles, then the running one at
 * every change and each closed one. The candles before its opening are read from the history; in the meantime
 * trades are kept, and those that the history did not contain are added to its result.
 */

import { candleJson } from '../../../contract/api/candles.ts'
import { eventJson } from '../../../contract/stream/stream.ts'
import {
  intervalOf,
  type KlineTopic,
  seqMembers,
  topicMembers,
} from '../../../contract/stream/stream-channels.ts'
import type { OrdersMatched } from '../../../core/events/event.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { CandlesQuery, CandlesUpTo } from '../../../engine/history/candles/read-candles.ts'
import { type Candle, type CandleInProgress, candleOf, takeTrade } from '../../../units/candle.ts'
import { type CandleInterval, startOfWindow, windowOf } from '../../../units/candle-intervals.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import type { MarketData } from '../../../views/market-data.ts'
import { Frame } from '../link.ts'
import type { CandleLists, ListOwner } from './candle-lists.ts'
import type { CandleReader, CandleReading } from './candle-reader.ts'
import { CandleRun } from './candle-run.ts'
import { type Channel, type ChannelHost, type MarketEvent, type Part, singlePart } from './channel.ts'

/** Maximum number of candles in the first message, including the running one. */
export const KLINES_MAX = 500
const CLOSED_MAX = KLINES_MAX - 1

/**
 * Maximum number of batches with trades that are kept while history is read; if there are more, it is read
 * again.
 */
export const PIECES_MAX = 10_000

export type CandleChannelOptions = {
  readonly topic: KlineTopic
  readonly symbol: TradingSymbol
  readonly market: MarketData
  readonly reader: CandleReader
  readonly lists: CandleLists
  readonly host: ChannelHost
}

/** The trades of one batch as one candle. */
type Piece = { readonly seq: Seq; readonly candle: CandleInProgress }

export class CandleChannel implements Channel, ListOwner {
  readonly #options: CandleChannelOptions
  readonly #interval: CandleInterval
  readonly #head: string
  /** Undefined while earlier candles are being read. */
  #run: CandleRun | undefined
  /** Trades since the read began, oldest first; undefined if its turn has not come. */
  #pieces: Piece[] | undefined
  /** Closed candles as rows, oldest first, at most `CLOSED_MAX`; undefined if not kept. */
  #rows: string[] | undefined
  /** Candles closed since the reading of the others began. */
  #rowsSince: string[] = []
  #isReading = false
  #giveUpReading = (): void => {}
  /** Rows of candles that were closed since the last message. */
  #unsent: string[] = []
  /** Whether these are only the last of the closed candles. */
  #isGap = false
  /** Journal time that has been reached: windows are closed up to it when it is the room's turn. */
  #passed: TimeMs
  /** The command of the newest message. */
  #seq: Seq
  /** The command of the last addition; undefined if there was none since the last `take`. */
  #addedSeq: Seq | undefined
  #dueAt: TimeMs

  constructor(options: CandleChannelOptions) {
    const { topic, symbol, market } = options
    this.#options = options
    this.#interval = intervalOf(topic)
    this.#head = topicMembers(symbol.name, topic)
    this.#seq = market.seq
    this.#passed = market.time
    this.#dueAt = this.#endOfWindow(market.time)
    this.#open()
  }

  get queued(): number {
    return this.#unsent.length + (this.#addedSeq === undefined ? 0 : 1)
  }

  get dueAt(): TimeMs {
    return this.#dueAt
  }

  add(event: MarketEvent, seq: Seq): boolean {
    if (event.kind !== 'OrdersMatched') return false
    if (this.#run === undefined) {
      this.#keepPiece(event, seq)
      return false
    }
    this.#run.add(event, event.takerSide)
    this.#addedSeq = seq
    return true
  }

  /** Windows are closed when it is the room's turn: thousands of channels are due at the same time. */
  pass(time: TimeMs, seq: Seq): boolean {
    this.#dueAt = this.#endOfWindow(time)
    this.#passed = time
    if (this.#run?.current === undefined) return false
    this.#addedSeq = seq
    return true
  }

  take(): Iterable<Part> {
    this.#run?.pass(this.#passed)
    const [seq, closed, isGap] = [this.#addedSeq, this.#unsent, this.#isGap]
    const prevSeq = isGap ? undefined : this.#seq
    this.forget()
    if (seq === undefined) return []
    if (isGap) {
      this.#giveUpReading()
      this.#keepRows([...closed])
    }
    const members = closed.length === 0 ? '' : closedMember(closed)
    return [singlePart(this.#message(prevSeq, members))]
  }

  forget(): void {
    this.#seq = this.#addedSeq ?? this.#seq
    this.#addedSeq = undefined
    this.#unsent = []
    this.#isGap = false
  }

  snapshot(): readonly Frame[] | undefined {
    if (this.#run === undefined) return undefined
    if (this.#rows === undefined) {
      this.#readRows(this.#run)
      return undefined
    }
    this.#options.lists.use(this)
    return [this.#message(undefined, closedMember(this.#rows))]
  }

  dropList(): void {
    this.#rows = undefined
    this.#options.host.forgetSnapshot()
  }

  close(): void {
    this.#giveUpReading()
    this.#options.lists.remove(this)
  }

  #keepPiece(event: OrdersMatched, seq: Seq): void {
    if (this.#pieces === undefined) return
    const newest = this.#pieces.at(-1)
    if (newest?.seq === seq) takeTrade(newest.candle, event, event.takerSide)
    else if (this.#pieces.length < PIECES_MAX) {
      this.#pieces.push({ seq, candle: candleOf(event, event.takerSide, this.#interval) })
    } else this.#open()
  }

  /** Requests everything up to the running window from history; more trades may be added to that window. */
  #open(): void {
    this.#pieces = undefined
    let window: number
    this.#read({
      begin: () => {
        this.#pieces = []
        window = windowOf(this.#interval, this.#options.market.time)
        return this.#upTo(window)
      },
      take: (read) => this.#opened(read, window),
    })
  }

  #opened({ candles, seq }: CandlesUpTo, window: number): void {
    const { market, lists, host } = this.#options
    this.#rows = candles.slice(0, -1).slice(-CLOSED_MAX).map(this.#row)
    const run = new CandleRun({
      interval: this.#interval,
      window,
      current: candles.at(-1),
      closedMax: CLOSED_MAX,
      onClosed: (candle) => this.#closed(candle),
      onGap: () => this.#gap(),
    })
    for (const piece of this.#pieces ?? []) {
      // Trades of later windows are not in the requested range.
      const isNew = piece.seq > seq || windowOf(this.#interval, piece.candle.start) > window
      if (isNew) run.addCandle(piece.candle)
    }
    run.pass(market.time)
    this.#pieces = undefined
    this.#run = run
    this.#addedSeq = market.seq
    this.forget()
    lists.use(this)
    host.refresh()
  }

  /** Requests the closed candles again. Those of past windows do not change any more. */
  #readRows(run: CandleRun): void {
    if (this.#isReading) return
    this.#read({
      begin: () => {
        this.#rowsSince = []
        return this.#upTo(run.window)
      },
      take: ({ candles }) => {
        const rows = [...candles.slice(0, -1).map(this.#row), ...this.#rowsSince]
        this.#keepRows(rows.slice(-CLOSED_MAX))
        this.#options.host.refresh()
      },
    })
  }

  #keepRows(rows: string[]): void {
    this.#rows = rows
    this.#rowsSince = []
    this.#options.lists.use(this)
  }

  #read({ begin, take }: CandleReading): void {
    this.#giveUpReading()
    this.#isReading = true
    const giveUp = this.#options.reader.read({
      begin,
      take: (read) => {
        this.#isReading = false
        take(read)
      },
    })
    this.#giveUpReading = () => {
      this.#isReading = false
      giveUp()
    }
  }

  #upTo(window: number): CandlesQuery {
    const { market, symbol } = this.#options
    const range = { from: undefined, to: startOfWindow(this.#interval, window), limit: KLINES_MAX }
    return { symbolId: symbol.id, interval: this.#interval, ...range, atLeast: market.seq }
  }

  #closed(candle: Candle): void {
    const row = this.#row(candle)
    for (const rows of [this.#rows, this.#isReading ? this.#rowsSince : undefined]) {
      if (rows !== undefined) pushRow(rows, row)
    }
    // Trades beyond the limit are not missed: the trades that follow are enough for a whole state.
    if (pushRow(this.#unsent, row)) this.#isGap = true
  }

  /**
   * Candles closed from here on do not follow the earlier ones; there are as many as a whole state contains.
   */
  #gap(): void {
    this.#isGap = true
    this.#unsent = []
    this.#rowsSince = []
    if (this.#rows !== undefined) this.#rows = []
  }

  #message(prevSeq: Seq | undefined, closed: string): Frame {
    const members = seqMembers(this.#seq, prevSeq) + closed
    const current = this.#run?.current
    const last = current === undefined ? '' : `,"current":${this.#row(current)}`
    return new Frame(eventJson(this.#options.topic.channel, `{${this.#head},${members}${last}}`))
  }

  readonly #row = (candle: Candle): string =>
    candleJson(candle, this.#endOfWindow(candle.start), this.#options.symbol)

  #endOfWindow(time: TimeMs): TimeMs {
    return startOfWindow(this.#interval, windowOf(this.#interval, time) + 1)
  }
}

function closedMember(rows: readonly string[]): string {
  return `,"closed":[${rows.join(',')}]`
}

/** Adds the newest candle; returns true if the oldest was removed. */
function pushRow(rows: string[], row: string): boolean {
  rows.push(row)
  if (rows.length <= CLOSED_MAX) return false
  rows.shift()
  return true
}
