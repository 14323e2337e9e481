/** From what a client asks for to the channel that publishes it. What all channels of a kind share is here, once. */
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { MINUTE_MS, windowStart } from '../../../units/candle-intervals.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { dayTicker } from '../../../views/day-ticker.ts'
import type { DepthView } from '../../../views/depth.ts'
import type { MarketData } from '../../../views/market-data.ts'
import { closeTimeMember, dayTickerMembers } from '../../../wire/candles.ts'
import { levelMembersJson } from '../../../wire/market-data.ts'
import { bestPriceMembers, levelPairsJson, sidesMembers, type Topic } from '../../../wire/stream-channels.ts'
import { BookText } from '../book-text.ts'
import { BookChannel } from './book-channel.ts'
import type { Channel } from './channel.ts'
import { MarketEvents } from './market-events.ts'
import { CHANGES_BOOK, CHANGES_MARKET, StateChannel } from './state-channel.ts'
import { TradesChannel } from './trades-channel.ts'

export type ChannelsOptions = {
  readonly market: MarketData
  /** Trades in the first message after a join. */
  readonly tradesOnJoin: number
  /** Milliseconds since some moment. */
  readonly now: () => number
}

export class Channels {
  readonly #options: ChannelsOptions
  readonly #memberText = new BookText(levelMembersJson)
  readonly #pairText = new BookText(levelPairsJson)

  constructor(options: ChannelsOptions) {
    this.#options = options
  }

  /** The channel of a topic; without one, the events of those who join the symbol. Nothing has been published in it. */
  open(symbol: TradingSymbol, topic: Topic | undefined): Channel {
    const { market, tradesOnJoin, now } = this.#options
    if (topic === undefined) {
      return new MarketEvents({ market, tradesOnJoin, symbol, bookText: this.#memberText })
    }
    const { seq } = market
    const depth = market.depth(symbol.id)
    switch (topic.channel) {
      case 'book': {
        const { levels } = topic
        if (levels === undefined) {
          return new BookChannel({ topic, symbol, depth, bookText: this.#pairText, seq, now })
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
      case 'ticker':
        return new StateChannel({
          ...{ topic, symbol, seq, isOfConcern: CHANGES_MARKET },
          write: () => dayTickerMembers(dayTicker(market, symbol, market.time), symbol),
          writeTime: () => closeTimeMember(market.time),
          nextChangeAt: () => (windowStart('1m', market.time) + MINUTE_MS) as TimeMs,
        })
    }
  }
}

function bestLevels(depth: DepthView, levels: number, symbol: TradingSymbol): string {
  return sidesMembers(depth.levels('BUY', levels), depth.levels('SELL', levels), symbol)
}

function bestPrices(depth: DepthView, symbol: TradingSymbol): string {
  const [bid, ask] = [depth.levels('BUY', 1)[0], depth.levels('SELL', 1)[0]]
  return bestPriceMembers('bid', bid, symbol) + bestPriceMembers('ask', ask, symbol)
}
