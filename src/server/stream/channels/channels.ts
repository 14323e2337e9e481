/**
 * Creates the channel for a client's request. The parts that all channels of a kind share exist here once.
 */

import { closeTimeMember, dayTickerMembers } from '../../../contract/api/candles.ts'
import { levelMembersJson } from '../../../contract/api/market-data.ts'
import {
  bestPriceMembers,
  levelPairsJson,
  sidesMembers,
  statusMembers,
  type Topic,
} from '../../../contract/stream/stream-channels.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { HistoryPort } from '../../../engine/port/history-questions.ts'
import { MINUTE_MS, windowStart } from '../../../units/candle-intervals.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { dayTicker } from '../../../views/day-ticker.ts'
import type { DepthView } from '../../../views/depth.ts'
import type { MarketData } from '../../../views/market-data.ts'
import { BookText } from '../book-text.ts'
import type { StreamPace } from '../pace.ts'
import { BookChannel } from './book-channel.ts'
import { CandleChannel } from './candle-channel.ts'
import { CandleLists } from './candle-lists.ts'
import { CandleReader } from './candle-reader.ts'
import type { Channel, ChannelHost } from './channel.ts'
import { MarketEvents } from './market-events.ts'
import { CHANGES_BOOK, CHANGES_MARKET, CHANGES_NOTHING, StateChannel } from './state-channel.ts'
import { TradesChannel } from './trades-channel.ts'

export type ChannelsOptions = {
  readonly market: MarketData
  /** Number of trades in the first message after a join. */
  readonly tradesOnJoin: number
  /** The source of the first candles. */
  readonly history: Pick<HistoryPort, 'candles'>
  /** Maximum number of lists of closed candles that are kept for newcomers. */
  readonly candleListsMax: number
  readonly pace: Pick<StreamPace, 'now' | 'later'>
}

export class Channels {
  readonly #options: ChannelsOptions
  readonly #memberText = new BookText(levelMembersJson)
  readonly #pairText = new BookText(levelPairsJson)
  readonly #reader: CandleReader
  readonly #lists: CandleLists

  constructor(options: ChannelsOptions) {
    this.#options = options
    this.#reader = new CandleReader(options)
    this.#lists = new CandleLists(options.candleListsMax)
  }

  /** Whether no channel waits for a read. */
  get isIdle(): boolean {
    return this.#reader.isIdle
  }

  /** Called when the market view has applied a batch, and channels have received its events. */
  caughtUp(): void {
    this.#reader.caughtUp()
  }

  /**
   * The channel of a topic; without a topic, the events for clients that joined the symbol. It has published
   * nothing yet.
   */
  open(symbol: TradingSymbol, topic: Topic | undefined, host: ChannelHost): Channel {
    const { market, tradesOnJoin, pace } = this.#options
    if (topic === undefined) {
      return new MarketEvents({ market, tradesOnJoin, symbol, bookText: this.#memberText })
    }
    const { seq } = market
    const depth = market.depth(symbol.id)
    switch (topic.channel) {
      case 'book': {
        const { levels } = topic
        if (levels === undefined) {
          return new BookChannel({ topic, symbol, depth, bookText: this.#pairText, seq, now: pace.now })
        }
        const write = (): string => bestLevels(depth, levels, symbol)
        return new StateChannel({ topic, symbol, seq, write, isOfConcern: CHANGES_BOOK })
      }
      case 'trades':
        return new TradesChannel({ topic, symbol, market, tradesOnJoin })
      case 'bookTicker':
        return new StateChannel({
          ...{ topic, symbol, seq, isOfConcern: CHANGES_BOOK },
          write: () => bestPrices(depth, symbol),
        })
      case 'status':
        return new StateChannel({
          ...{ topic, symbol, seq, isOfConcern: CHANGES_NOTHING, isStatus: true },
          write: () => statusOf(market, symbol),
        })
      case 'ticker':
        return new StateChannel({
          ...{ topic, symbol, seq, isOfConcern: CHANGES_MARKET },
          write: () => dayTickerMembers(dayTicker(market, symbol, market.time), symbol),
          writeTime: () => closeTimeMember(market.time),
          nextChangeAt: () => (windowStart('1m', market.time) + MINUTE_MS) as TimeMs,
        })
      default: {
        const [reader, lists] = [this.#reader, this.#lists]
        return new CandleChannel({ topic, symbol, market, reader, lists, host })
      }
    }
  }
}

function bestLevels(depth: DepthView, levels: number, symbol: TradingSymbol): string {
  return sidesMembers(depth.levels('BUY', levels), depth.levels('SELL', levels), symbol)
}

/** The current status; `symbol`: its record from when the channel was opened. */
function statusOf({ registry }: MarketData, symbol: TradingSymbol): string {
  return statusMembers((registry.symbol(symbol.id) ?? symbol).state, registry.phases)
}

function bestPrices(depth: DepthView, symbol: TradingSymbol): string {
  const [bid, ask] = [depth.levels('BUY', 1)[0], depth.levels('SELL', 1)[0]]
  return bestPriceMembers('bid', bid, symbol) + bestPriceMembers('ask', ask, symbol)
}
