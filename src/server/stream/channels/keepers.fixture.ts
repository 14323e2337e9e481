/**
 * The state that clients keep of each channel, as described in docs/reference/stream-extensions.md, and its
 * correct value at each command.
 */
import { type BookMessage, ChannelBook, levelsText, linesOf } from '../../../../test/support/channel-book.ts'
import { candleJson, dayTickerJson } from '../../../contract/api/candles.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { type PlainTrade, plainCandles } from '../../../engine/history/candles/plain-candles.fixture.ts'
import { type CandleInterval, startOfWindow, windowOf } from '../../../units/candle-intervals.ts'
import { fixedDecimal } from '../../../units/decimal.ts'
import { uuidOf } from '../../../units/ids.ts'
import { decimals } from '../../../units/quantities.ts'
import { dayTicker } from '../../../views/day-ticker.ts'
import type { DepthView } from '../../../views/depth.ts'
import type { MarketData } from '../../../views/market-data.ts'
import type { ChannelPayload } from './subscriber.fixture.ts'

/**
 * The state of one channel of a symbol at one client. A message that does not follow the previous one is an
 * error.
 */
export abstract class Keeper {
  /** The command of the last processed message. */
  seq = -1
  /** Number of messages with the whole state, and of other messages. */
  snapshots = 0
  changes = 0

  take(message: ChannelPayload): void {
    if (message.prevSeq === undefined) this.snapshots++
    else {
      this.changes++
      if (message.prevSeq !== this.seq)
        throw new Error(`at ${this.seq}, found a change of ${message.prevSeq}`)
    }
    this.seq = message.seq
    this.keep(message, message.prevSeq === undefined)
  }

  /**
   * The kept state as text; it equals `expected` right after the command of the last message.
   */
  abstract text(): string
  abstract expected(market: MarketData, symbol: TradingSymbol): string
  protected abstract keep(message: ChannelPayload, isWhole: boolean): void
}

/** `book`, all levels. */
export class BookKeeper extends Keeper {
  readonly book = new ChannelBook()

  text(): string {
    return this.book.text()
  }

  expected(market: MarketData, symbol: TradingSymbol): string {
    return levelsText(market.depth(symbol.id))
  }

  protected keep(message: ChannelPayload): void {
    this.book.take(message as BookMessage)
  }
}

/** `book` with a number of levels a side: every message contains all of them. */
export class LevelsKeeper extends Keeper {
  readonly #levels: number
  #text = ''

  constructor(levels: number) {
    super()
    this.#levels = levels
  }

  text(): string {
    return this.#text
  }

  expected(market: MarketData, symbol: TradingSymbol): string {
    return levelsText(market.depth(symbol.id), this.#levels)
  }

  protected keep(message: ChannelPayload, isWhole: boolean): void {
    const { bids, asks } = message as BookMessage
    const text = linesOf(bids, asks)
    if (!isWhole && text === this.#text) throw new Error(`nothing has changed: ${text}`)
    this.#text = text
  }
}

/** A channel each of whose messages contains its whole state. */
abstract class StateKeeper extends Keeper {
  #state = ''

  text(): string {
    return this.#state
  }

  protected keep({ symbol: _symbol, seq: _seq, prevSeq, ...state }: ChannelPayload): void {
    const text = this.textOf(state)
    if (prevSeq !== undefined && text === this.#state) throw new Error(`nothing has changed: ${text}`)
    this.#state = text
  }

  protected textOf(state: object): string {
    return JSON.stringify(state)
  }
}

/** `bookTicker`. */
export class BookTickerKeeper extends StateKeeper {
  expected(market: MarketData, symbol: TradingSymbol): string {
    return JSON.stringify({
      ...bestOf(market.depth(symbol.id), 'BUY'),
      ...bestOf(market.depth(symbol.id), 'SELL'),
    })
  }
}

/** `status`. */
export class StatusKeeper extends StateKeeper {
  expected({ registry }: MarketData, symbol: TradingSymbol): string {
    const { current, planned } = registry.phases
    const since = current.at > 0 ? { since: current.at } : {}
    const steps = planned.map(({ phase, at }) => ({ phase, at }))
    const exchange = { phase: current.phase, ...since, planned: steps }
    return JSON.stringify({ status: registry.symbol(symbol.id)?.state, exchange })
  }
}

/** `ticker`. Its time, at which the other figures last changed, is not compared. */
export class DayTickerKeeper extends StateKeeper {
  expected(market: MarketData, symbol: TradingSymbol): string {
    const { symbol: _symbol, ...figures } = JSON.parse(
      dayTickerJson(symbol.name, dayTicker(market, symbol, market.time), symbol),
    )
    return this.textOf(figures)
  }

  protected override textOf(state: { closeTime?: unknown; intervalMs?: unknown }): string {
    const { closeTime, intervalMs: _intervalMs, ...figures } = state
    if (typeof closeTime !== 'number') throw new Error('figures without their time')
    return JSON.stringify(figures)
  }
}

function bestOf(depth: DepthView, side: 'BUY' | 'SELL'): object {
  const [best] = depth.levels(side, 1)
  if (best === undefined) return {}
  const word = side === 'BUY' ? 'bid' : 'ask'
  return {
    [`${word}Price`]: fixedDecimal(best.price, decimals(2)),
    [`${word}Qty`]: fixedDecimal(best.quantity, decimals(8)),
  }
}

export class TradesKeeper extends Keeper {
  /** Newest first. */
  trades: unknown[] = []

  text(): string {
    return JSON.stringify(this.trades.slice(0, TRADES_COMPARED))
  }

  expected(market: MarketData, symbol: TradingSymbol): string {
    const trades = market
      .recentTrades(symbol.id, TRADES_COMPARED)
      .map(({ tradeNumber, symbolTrade, price, quantity, time, takerSide }) => ({
        id: uuidOf('trade', tradeNumber, time),
        number: symbolTrade,
        price: fixedDecimal(price, decimals(2)),
        quantity: fixedDecimal(quantity, decimals(8)),
        timestamp: time,
        isBuyerMaker: takerSide === 'SELL',
      }))
    return JSON.stringify(trades)
  }

  protected keep(message: ChannelPayload, isWhole: boolean): void {
    const { trades } = message as ChannelPayload & { readonly trades: unknown[] }
    if (!isWhole && trades.length === 0) throw new Error('a change without a trade')
    this.trades = isWhole ? trades : [...trades, ...this.trades]
  }
}

/** Number of newest trades that are compared, fewer than are kept. */
const TRADES_COMPARED = 100

/** A candle as in a message: the columns of `GET /klines`. */
type Row = readonly [openTime: number, ...rest: unknown[]]

/** `kline_<interval>`: closed candles one after the other without a gap, and the running one. */
export class CandleKeeper extends Keeper {
  readonly #interval: CandleInterval
  readonly #trades: readonly PlainTrade[]
  /** Oldest first. */
  closed: Row[] = []
  current: Row | undefined

  /** `trades`: all trades of the symbol so far, oldest first. */
  constructor(interval: CandleInterval, trades: readonly PlainTrade[]) {
    super()
    this.#interval = interval
    this.#trades = trades
  }

  text(): string {
    return JSON.stringify([...this.closed, this.current ?? []].slice(-CANDLES_COMPARED))
  }

  expected(market: MarketData, symbol: TradingSymbol): string {
    const interval = this.#interval
    const asked = { interval, from: undefined, to: market.time, limit: CANDLES_COMPARED }
    const rows = plainCandles(this.#trades, asked).map((candle) => {
      const next = startOfWindow(interval, windowOf(interval, candle.start) + 1)
      return JSON.parse(candleJson(candle, next, symbol))
    })
    return JSON.stringify(rows.length === 0 ? [[]] : rows)
  }

  protected keep(message: ChannelPayload, isWhole: boolean): void {
    const { closed, current } = message as ChannelPayload & { closed?: Row[]; current?: Row }
    if (isWhole && (closed === undefined || closed.length >= 500))
      throw new Error('499 closed candles at most')
    this.closed = isWhole ? (closed ?? []) : [...this.closed, ...(closed ?? [])]
    this.current = current
    const rows = [...this.closed, ...(current === undefined ? [] : [current])]
    for (const [i, row] of rows.entries()) {
      const before = rows[i - 1]
      if (before !== undefined && row[0] !== (before[6] as number) + 1) throw new Error(`a gap before ${row}`)
    }
  }
}

/** Number of newest candles that are compared. */
const CANDLES_COMPARED = 12
