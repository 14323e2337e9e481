/**
 * A client of channels that keeps the state described by their messages, as
 * docs/reference/stream-extensions.md specifies. Its connection takes bytes at its own pace, so the server
 * may skip messages and send the complete state.
 */
import { crc32 } from 'node:zlib'
import { readClientMessage } from '../../src/contract/stream/stream.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import { ConnectionBudget } from '../../src/server/stream/intake/limits.ts'
import type { Rooms } from '../../src/server/stream/rooms.ts'
import { Session } from '../../src/server/stream/session.ts'
import { uuidOf } from '../../src/units/ids.ts'
import { candleLines, dayText } from '../checkers/candles.ts'
import { demand, levelsOf, type ShadowState } from '../checkers/shadow-state.ts'
import { type LinkParts, PacedLink } from './paced-link.ts'
import { READER_CONFIG } from './stream-reader.ts'

export type ChannelReaderParts = LinkParts & {
  readonly rooms: Rooms
  readonly symbol: string
  /** Called for each event that must occur in a run. */
  readonly onSeen: (what: 'channel fresh state' | 'channel checksum' | 'channel closed candle') => void
}

type Pair = readonly [price: string, quantity: string]
type Sides = { readonly bids: readonly Pair[]; readonly asks: readonly Pair[] }
type Trade = { readonly id: string; readonly price: string; readonly quantity: string }
type Message = Partial<Sides> & {
  readonly symbol: string
  readonly levels?: number
  readonly seq: number
  readonly prevSeq?: number
  readonly checksum?: number
  readonly trades?: readonly (Trade & { readonly isBuyerMaker: boolean })[]
  readonly bidPrice?: string
  readonly bidQty?: string
  readonly askPrice?: string
  readonly askQty?: string
  readonly closed?: readonly Row[]
  readonly current?: Row
} & Partial<DayFigures>
/** A candle, by the interface's columns. */
type Row = readonly (string | number)[]
/** The fields of `ticker` that are compared. */
type DayFigures = {
  readonly openTime: number
  readonly volume: string
  readonly quoteVolume: string
  readonly count: number
  readonly prevClosePrice: string
  readonly openPrice: string
  readonly highPrice: string
  readonly lowPrice: string
}

const BEST_LEVELS = 5
const CHECKSUM_LEVELS = 10
const KLINES = { channel: 'kline_1s' }
/**
 * A client that takes fewer bytes at a time needs minutes for hundreds of candles, and never catches up with
 * one-second candles.
 */
const KLINES_TAKEN = 50_000
const SUBSCRIPTIONS = [
  { channel: 'book' },
  { channel: 'book', levels: BEST_LEVELS, intervalMs: 100 },
  { channel: 'trades' },
  { channel: 'bookTicker' },
  { channel: 'ticker', intervalMs: 250 },
]

export class ChannelReader {
  readonly #parts: ChannelReaderParts
  readonly #link: PacedLink
  readonly #session: Session
  /** By channel and number of levels. */
  readonly #seqByTopic = new Map<string, number>()
  #bids = new Map<string, string>()
  #asks = new Map<string, string>()
  #best: Sides | undefined
  #ticker: Message | undefined
  #day: Message | undefined
  readonly #hasKlines: boolean
  #closed: readonly Row[] = []
  #current: Row | undefined
  /** Newest first. */
  #trades: readonly string[] = []

  constructor(parts: ChannelReaderParts) {
    this.#parts = parts
    const { rooms, schedule, symbol } = parts
    this.#hasKlines = parts.takes >= KLINES_TAKEN
    this.#link = new PacedLink(parts, {
      read: ([event, payload]) => this.#read(event, payload as Message),
      taken: () => this.#session.freshen(),
    })
    const budget = new ConnectionBudget()
    const now = (): number => schedule.now
    const link = this.#link
    this.#session = new Session({ link, rooms, budget, config: READER_CONFIG, language: 'en', now })
    for (const subscription of [...SUBSCRIPTIONS, ...(this.#hasKlines ? [KLINES] : [])]) {
      this.#session.receive(readClientMessage(['subscribe', { ...subscription, symbol }]))
    }
  }

  get isDrained(): boolean {
    return this.#link.isDrained
  }

  /** Checks that the client's state equals the exchange's. */
  check(state: ShadowState): void {
    const symbol = state.symbols.find(({ name }) => name === this.#parts.symbol)
    demand(symbol !== undefined, () => `${this.#parts.symbol} is listed`)
    const { bids, asks } = this.#sides()
    const known = knownSides(state, symbol)
    const compare = (what: string, found: string, expected: string): void =>
      demand(found === expected, () => `${symbol.name}: ${what} is ${found}, expected ${expected}`)
    compare('the book of channels', sidesText(bids, asks), sidesText(known.bids, known.asks))
    const best = { bids: known.bids.slice(0, BEST_LEVELS), asks: known.asks.slice(0, BEST_LEVELS) }
    compare(
      'the book of few levels',
      sidesText(this.#best?.bids ?? [], this.#best?.asks ?? []),
      sidesText(best.bids, best.asks),
    )
    const { bidPrice, bidQty, askPrice, askQty } = this.#ticker ?? {}
    const [bid = [], ask = []] = [bids[0], asks[0]]
    compare(
      'the ticker',
      [bidPrice, bidQty, askPrice, askQty].join(),
      [bid[0], bid[1], ask[0], ask[1]].join(),
    )
    this.#checkDay(state, symbol)
    if (this.#hasKlines) this.#checkCandles(state, symbol)
    const trades = knownTrades(state, symbol)
    compare('the tape', this.#trades.join(), trades.slice(0, this.#trades.length).join())
    const least = Math.min(READER_CONFIG.tradesOnJoin, trades.length)
    demand(
      this.#trades.length >= least,
      () => `${symbol.name}: ${this.#trades.length} trades, at least ${least}`,
    )
  }

  #checkDay(state: ShadowState, symbol: TradingSymbol): void {
    const { openTime, volume, quoteVolume, count, prevClosePrice, openPrice, highPrice, lowPrice } = this
      .#day as DayFigures
    const { baseFraction, quoteFraction } = symbol
    const units = (places: number) => (text: string | undefined) =>
      text === undefined ? undefined : unitsOf(text, places)
    const [lots, price] = [units(baseFraction), units(quoteFraction)]
    const sums = [lots(volume), units(baseFraction + quoteFraction)(quoteVolume), count]
    const prices = [prevClosePrice, openPrice, highPrice, lowPrice].map(price)
    const expected = dayText(state, symbol.id, openTime)
    const found = [openTime, ...sums, ...(prices[1] === undefined ? prices.slice(0, 1) : prices)].join()
    demand(found === expected, () => `${symbol.name}: the day of a reader is ${found}, expected ${expected}`)
  }

  #checkCandles(state: ShadowState, symbol: TradingSymbol): void {
    const { baseFraction, quoteFraction } = symbol
    const places = [quoteFraction, quoteFraction, quoteFraction, quoteFraction, baseFraction]
    const worth = baseFraction + quoteFraction
    const lineOf = ([openTime, ...columns]: Row): string => {
      const [closeTime, quoteVolume, count, bought, boughtQuote] = columns.slice(places.length)
      demand(Number(closeTime) === Number(openTime) + 999, () => `a second from ${openTime} to ${closeTime}`)
      const figures = columns.slice(0, places.length).map((text, i) => unitsOf(`${text}`, places[i] ?? 0))
      const sums = [unitsOf(`${quoteVolume}`, worth), count, unitsOf(`${bought}`, baseFraction)]
      return [openTime, ...figures, ...sums, unitsOf(`${boughtQuote}`, worth)].join()
    }
    const rows = [...this.#closed, ...(this.#current === undefined ? [] : [this.#current])]
    const found = rows.slice(-500).map(lineOf)
    const to = Number(this.#current?.[0] ?? state.time)
    const expected = candleLines(state, symbol.id, '1s', to)
    const newest = state.trades.findLast((trade) => trade.symbol === symbol.id)?.time ?? 0
    demand(
      newest < to + 1_000,
      () => `${symbol.name}: candles end at ${to}, the newest trade is of ${newest}`,
    )
    demand(
      found.join(';') === expected.join(';'),
      () => `${symbol.name}: a reader has the candles ${found.join(';')}, expected ${expected.join(';')}`,
    )
  }

  #read(event: string, message: Message): void {
    demand(message.symbol === this.#parts.symbol, () => `a message of ${message.symbol}`)
    if (event === 'subscribed') return
    this.#follow(`${event} ${message.levels}`, message)
    switch (event) {
      case 'book':
        if (message.levels === undefined) this.#change(message)
        else this.#best = message as Sides
        return
      case 'trades': {
        const lines = (message.trades ?? []).map(({ id, price, quantity, isBuyerMaker }) =>
          [id, price, quantity, isBuyerMaker].join(' '),
        )
        this.#trades = message.prevSeq === undefined ? lines : [...lines, ...this.#trades]
        return
      }
      case 'bookTicker':
        this.#ticker = message
        return
      case 'ticker':
        this.#day = message
        return
      case KLINES.channel: {
        const { prevSeq, closed = [], current } = message
        if (prevSeq !== undefined && closed.length > 0) this.#parts.onSeen('channel closed candle')
        this.#closed = prevSeq === undefined ? closed : [...this.#closed, ...closed]
        this.#current = current
        return
      }
      default:
        demand(false, () => `channels do not send ${event}`)
    }
  }

  /** Checks that the message is the complete state, or follows the previous message. */
  #follow(topic: string, { seq, prevSeq }: Message): void {
    const before = this.#seqByTopic.get(topic)
    demand(
      prevSeq === undefined || prevSeq === before,
      () => `${topic}: at ${before}, found a change of ${prevSeq}`,
    )
    demand(before === undefined || seq >= before, () => `${topic}: ${seq} after ${before}`)
    if (prevSeq === undefined && before !== undefined) this.#parts.onSeen('channel fresh state')
    this.#seqByTopic.set(topic, seq)
  }

  #change({ prevSeq, bids = [], asks = [], checksum }: Message): void {
    if (prevSeq === undefined) {
      this.#bids = new Map()
      this.#asks = new Map()
    }
    for (const [side, pairs] of [
      [this.#bids, bids],
      [this.#asks, asks],
    ] as const) {
      for (const [price, quantity] of pairs) {
        if (ticks(quantity) === 0n) side.delete(price)
        else side.set(price, quantity)
      }
    }
    const [bid, ask] = [this.#sides().bids[0], this.#sides().asks[0]]
    demand(
      bid === undefined || ask === undefined || ticks(bid[0]) < ticks(ask[0]),
      () => `${this.#parts.symbol}: a reader of channels never sees a crossed book`,
    )
    if (checksum !== undefined) this.#checkSum(checksum)
  }

  #checkSum(checksum: number): void {
    const { bids, asks } = this.#sides()
    const text = [bids, asks]
      .map((side) =>
        side
          .slice(0, CHECKSUM_LEVELS)
          .map((pair) => pair.map(ticks).join(':'))
          .join(),
      )
      .join('|')
    demand(crc32(text) === checksum, () => `${this.#parts.symbol}: checksum ${checksum} of ${text}`)
    this.#parts.onSeen('channel checksum')
  }

  #sides(): Sides {
    const ascending = ([a]: Pair, [b]: Pair): number => Number(ticks(a) - ticks(b))
    return { bids: [...this.#bids].sort((a, b) => ascending(b, a)), asks: [...this.#asks].sort(ascending) }
  }
}

/** Integer value of a decimal written with all its places, in its smallest unit. */
function ticks(text: string): bigint {
  return BigInt(text.replace('.', ''))
}

/** Integer value of a decimal with at most `places` places, in units of the last place. */
function unitsOf(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

/** `150` with 2 places is `1.50`. */
function decimal(units: bigint | number, places: number): string {
  const digits = String(units).padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

function knownSides(state: ShadowState, symbol: TradingSymbol): Sides {
  const pairs = (side: 'BUY' | 'SELL'): Pair[] =>
    levelsOf(state.book(symbol.id), side).map(({ price, quantity }) => [
      decimal(price, symbol.quoteFraction),
      decimal(quantity, symbol.baseFraction),
    ])
  return { bids: pairs('BUY'), asks: pairs('SELL') }
}

/** Newest first. */
function knownTrades(state: ShadowState, symbol: TradingSymbol): string[] {
  return state.trades
    .filter((trade) => trade.symbol === symbol.id)
    .map(({ number, time, price, quantity, buyer }) =>
      [
        uuidOf('trade', number as never, time as never),
        decimal(price, symbol.quoteFraction),
        decimal(quantity, symbol.baseFraction),
        !buyer.isTaker,
      ].join(' '),
    )
    .reverse()
}

function sidesText(bids: readonly Pair[], asks: readonly Pair[]): string {
  return `${bids.join(';')}|${asks.join(';')}`
}
