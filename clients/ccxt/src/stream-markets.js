/** Public channels: books, trades, tickers and candles as they change. No key is needed. */
import { hashOf } from './stream.js'
import { Updates } from './updates.js'

/** Numbers of levels for which the exchange publishes complete books. */
const LEVELS = [5, 10, 20, 50]
/** Levels of each side in a checksum. */
const CHECKSUM_LEVELS = 10

/** A price or quantity as an integer number of ticks or lots. */
const whole = (text) => text.replace('.', '').replace(/^0+(?=\d)/, '')

export function withMarketStream(Exchange, errors) {
  return class extends Exchange {
    handleEvent(client, event, values) {
      const [payload] = values
      if (payload?.symbol === undefined) super.handleEvent(client, event, values)
      else if (event === 'book') this.handleBook(client, payload)
      else if (event === 'trades') this.handlePublicTrades(client, payload)
      else if (event === 'ticker') this.handleTicker(client, 'ticker', this.tickers, payload)
      else if (event === 'bookTicker') this.handleTicker(client, 'bookTicker', this.bidsasks, payload)
      else if (event.startsWith('kline_')) this.handleCandles(client, event, payload)
      else super.handleEvent(client, event, values)
    }

    /**
     * With up to 50 levels the exchange publishes the best ones completely; otherwise the complete book is
     * kept, and checked.
     */
    bookSubscription(symbol, limit, params) {
      const levels = limit === undefined ? undefined : LEVELS.find((count) => count >= limit)
      return this.extend(
        { channel: 'book', symbol: this.market(symbol).id, ...(levels && { levels }) },
        params,
      )
    }

    async watchOrderBook(symbol, limit = undefined, params = {}) {
      return this.watchOrderBookForSymbols([symbol], limit, params)
    }

    async watchOrderBookForSymbols(symbols, limit = undefined, params = {}) {
      await this.loadMarkets()
      const subscriptions = symbols.map((symbol) => this.bookSubscription(symbol, limit, params))
      const book = await this.followLatest('public', subscriptions)
      return limit === undefined ? book : this.bestLevels(book, limit)
    }

    bestLevels({ bids, asks, symbol, nonce, timestamp }, limit) {
      const best = { bids: Array.from(bids).slice(0, limit), asks: Array.from(asks).slice(0, limit) }
      return this.orderBook({ ...best, symbol, nonce, timestamp }, limit)
    }

    async unWatchOrderBook(symbol, params = {}) {
      const { limit, ...own } = params
      const result = await this.unfollow('public', this.bookSubscription(symbol, limit, own))
      delete this.orderbooks[symbol]
      return result
    }

    async unWatchOrderBookForSymbols(symbols, params = {}) {
      await Promise.all(symbols.map((symbol) => this.unWatchOrderBook(symbol, params)))
      return true
    }

    handleBook(client, payload) {
      const hash = hashOf({ ...payload, channel: 'book' })
      const kind = this.followed(client, hash, payload)
      if (kind === undefined) return
      const state = client.following[hash]
      const symbol = this.safeSymbol(payload.symbol)
      if (kind === 'state' || payload.levels !== undefined) {
        state.book = this.orderBook({ symbol })
        state.texts = { bids: new Map(), asks: new Map() }
      }
      for (const side of ['bids', 'asks']) this.storeLevels(state, side, payload[side])
      state.book.nonce = payload.seq
      if (!this.isBookRight(client, hash, kind, payload)) return
      this.orderbooks[symbol] = state.book
      this.publish(client, hash, state.book)
    }

    storeLevels({ book, texts }, side, levels) {
      for (const [price, quantity] of levels) {
        const level = [Number(price), Number(quantity)]
        book[side].storeArray(level)
        if (level[1] === 0) texts[side].delete(level[0])
        else texts[side].set(level[0], `${whole(price)}:${whole(quantity)}`)
      }
    }

    /** A book with another checksum is loaded again; a complete one that is wrong is an error. */
    isBookRight(client, hash, kind, { checksum, symbol }) {
      if (checksum === undefined || !this.options.watchOrderBook.checksum) return true
      const { book, texts } = client.following[hash]
      const text = ['bids', 'asks'].map((side) =>
        Array.from(book[side].slice(0, CHECKSUM_LEVELS), ([price]) => texts[side].get(price)).join(','),
      )
      if (this.crc32(text.join('|'), false) === checksum) return true
      if (kind === 'change') this.followAnew(client, hash)
      else
        this.endFollowing(
          client,
          hash,
          new errors.ChecksumError(`${this.id} ${this.orderbookChecksumMessage(symbol)}`),
        )
      return false
    }

    async watchTrades(symbol, since = undefined, limit = undefined, params = {}) {
      return this.watchTradesForSymbols([symbol], since, limit, params)
    }

    async watchTradesForSymbols(symbols, since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets()
      const markets = symbols.map((symbol) => this.market(symbol))
      const waiting = markets.map(({ symbol }) => this.trades[symbol]).find((trades) => trades?.hasNew())
      const subscriptions = markets.map(({ id }) => this.extend({ channel: 'trades', symbol: id }, params))
      const trades = waiting ?? (await this.follow('public', subscriptions))
      return this.newOf(trades, undefined, since, limit)
    }

    /** The items that a program has not received yet or, without `newUpdates`, all that are kept. */
    newOf(list, symbol, since, limit, key = 'timestamp') {
      const fresh = list.takeNew(symbol)
      if (this.newUpdates) return this.filterBySinceLimit(fresh, since, limit, key, true)
      const all =
        symbol === undefined ? Array.from(list) : Array.from(list).filter((item) => item.symbol === symbol)
      return this.filterBySinceLimit(all, since, limit, key, true)
    }

    async unWatchTrades(symbol, params = {}) {
      const market = this.market(symbol)
      const result = await this.unfollow(
        'public',
        this.extend({ channel: 'trades', symbol: market.id }, params),
      )
      delete this.trades[market.symbol]
      return result
    }

    async unWatchTradesForSymbols(symbols, params = {}) {
      await Promise.all(symbols.map((symbol) => this.unWatchTrades(symbol, params)))
      return true
    }

    handlePublicTrades(client, payload) {
      const hash = hashOf({ ...payload, channel: 'trades' })
      if (this.followed(client, hash, payload) === undefined) return
      const market = this.safeMarket(payload.symbol)
      this.trades[market.symbol] ??= new Updates(this.options.tradesLimit, ({ id }) => id)
      const list = this.trades[market.symbol]
      const known = new Set(list.map(({ id }) => id))
      // The state after a reconnect includes trades that were returned before.
      const fresh = payload.trades.filter(({ id }) => !known.has(id)).toReversed()
      for (const trade of fresh) list.append(this.parseTrade(trade, market))
      if (fresh.length > 0) client.resolve(list, hash)
    }

    async watchTicker(symbol, params = {}) {
      await this.loadMarkets()
      return this.followLatest('public', this.perMarket('ticker', [symbol], params))
    }

    async watchTickers(symbols = undefined, params = {}) {
      return this.watchPerMarket('ticker', this.tickers, symbols, params)
    }

    async watchBidsAsks(symbols = undefined, params = {}) {
      return this.watchPerMarket('bookTicker', this.bidsasks, symbols, params)
    }

    perMarket(channel, symbols, params) {
      return symbols.map((symbol) => this.extend({ channel, symbol: this.market(symbol).id }, params))
    }

    async watchPerMarket(channel, kept, symbols, params) {
      await this.loadMarkets()
      const wanted = this.marketSymbols(symbols) ?? this.symbols
      const ticker = await this.followLatest('public', this.perMarket(channel, wanted, params))
      return this.newUpdates ? { [ticker.symbol]: ticker } : this.filterByArray(kept, 'symbol', wanted)
    }

    async unWatchTicker(symbol, params = {}) {
      return this.unWatchTickers([symbol], params)
    }

    async unWatchTickers(symbols = undefined, params = {}) {
      return this.unWatchPerMarket('ticker', this.tickers, symbols, params)
    }

    async unWatchBidsAsks(symbols = undefined, params = {}) {
      return this.unWatchPerMarket('bookTicker', this.bidsasks, symbols, params)
    }

    async unWatchPerMarket(channel, kept, symbols, params) {
      const wanted = this.marketSymbols(symbols) ?? this.symbols
      const subscriptions = this.perMarket(channel, wanted, params)
      await Promise.all(subscriptions.map((subscription) => this.unfollow('public', subscription)))
      for (const symbol of wanted) delete kept[symbol]
      return true
    }

    handleTicker(client, channel, kept, payload) {
      const hash = hashOf({ ...payload, channel })
      if (this.followed(client, hash, payload) === undefined) return
      const ticker = this.parseTicker(payload)
      kept[ticker.symbol] = ticker
      this.publish(client, hash, ticker)
    }

    async watchOHLCV(symbol, timeframe = '1m', since = undefined, limit = undefined, params = {}) {
      const candles = await this.watchOHLCVForSymbols([[symbol, timeframe]], since, limit, params)
      return candles[this.market(symbol).symbol][timeframe]
    }

    async watchOHLCVForSymbols(symbolsAndTimeframes, since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets()
      const wanted = symbolsAndTimeframes.map(([symbol, timeframe]) => [this.market(symbol), timeframe])
      const kept = wanted.find(([{ symbol }, timeframe]) => this.ohlcvs[symbol]?.[timeframe]?.hasNew())
      const waiting = kept && { symbol: kept[0].symbol, timeframe: kept[1] }
      const subscriptions = wanted.map(([{ id }, timeframe]) =>
        this.extend({ channel: `kline_${this.timeframes[timeframe] ?? timeframe}`, symbol: id }, params),
      )
      const { symbol, timeframe } = waiting ?? (await this.follow('public', subscriptions))
      const candles = this.newOf(this.ohlcvs[symbol][timeframe], undefined, since, limit, 0)
      return this.createOHLCVObject(symbol, timeframe, candles)
    }

    async unWatchOHLCV(symbol, timeframe = '1m', params = {}) {
      const market = this.market(symbol)
      const channel = `kline_${this.timeframes[timeframe] ?? timeframe}`
      const result = await this.unfollow('public', this.extend({ channel, symbol: market.id }, params))
      delete this.ohlcvs[market.symbol]?.[timeframe]
      return result
    }

    async unWatchOHLCVForSymbols(symbolsAndTimeframes, params = {}) {
      await Promise.all(
        symbolsAndTimeframes.map(([symbol, timeframe]) => this.unWatchOHLCV(symbol, timeframe, params)),
      )
      return true
    }

    handleCandles(client, channel, payload) {
      const hash = hashOf({ ...payload, channel })
      if (this.followed(client, hash, payload) === undefined) return
      const symbol = this.safeSymbol(payload.symbol)
      const timeframe = this.findTimeframe(channel.slice('kline_'.length))
      this.ohlcvs[symbol] ??= {}
      this.ohlcvs[symbol][timeframe] ??= new Updates(this.options.OHLCVLimit, ([openTime]) => openTime)
      const list = this.ohlcvs[symbol][timeframe]
      const { closed = [], current } = payload
      for (const candle of [...closed, ...(current === undefined ? [] : [current])])
        list.append(this.parseOHLCV(candle))
      if (list.hasNew()) client.resolve({ symbol, timeframe }, hash)
    }
  }
}
