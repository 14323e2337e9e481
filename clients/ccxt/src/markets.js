/** Listed markets and their current trading: markets, currencies, prices, books, candles. */
import { unitOf } from './decimals.js'
import { LIST_LIMIT_MAX } from './describe.js'

const STATUS_OF_PHASE = { TRADING: 'ok', CANCEL_ONLY: 'maintenance', CLOSED: 'maintenance' }

const filterOf = (rules, type) => rules.filters.find(({ filterType }) => filterType === type) ?? {}

export function withMarkets(Exchange, errors) {
  return class extends Exchange {
    async fetchTime(params = {}) {
      const response = await this.publicGetTime(params)
      return this.safeInteger(response.data, 'serverTime')
    }

    async fetchStatus(params = {}) {
      const response = await this.publicGetExchangeInfoRules(params)
      const { phase, since, planned = [] } = response.data.exchange
      const end = planned.find((change) => change.phase === 'TRADING')
      return {
        status: STATUS_OF_PHASE[phase] ?? 'error',
        updated: since,
        eta: end?.at,
        url: undefined,
        info: response,
      }
    }

    /** The currencies of all markets. One answer of the exchange has both currencies and markets. */
    async fetchCurrencies(params = {}) {
      const response = await this.publicGetExchangeInfoRules(params)
      const decimals = new Map()
      for (const rules of response.data.symbols) {
        decimals.set(rules.baseAsset, rules.baseAssetPrecision)
        decimals.set(rules.quoteAsset, rules.quoteAssetPrecision)
      }
      this.options.rulesJustRead = response
      const currencies = Array.from(decimals, ([id, count]) => this.currencyOf(id, count))
      return this.indexBy(currencies, 'code')
    }

    currencyOf(id, decimals) {
      return this.safeCurrencyStructure({
        id,
        code: this.safeCurrencyCode(id),
        type: 'crypto',
        precision: this.parseNumber(unitOf(decimals)),
        active: true,
        networks: {},
        info: { asset: id, decimals },
      })
    }

    async fetchMarkets(params = {}) {
      if (this.options.adjustForTimeDifference) await this.loadTimeDifference()
      const justRead = 'cachedCurrencies' in this.options ? this.options.rulesJustRead : undefined
      delete this.options.rulesJustRead
      const response = justRead ?? (await this.publicGetExchangeInfoRules(params))
      return response.data.symbols.map((rules) => this.parseMarket(rules))
    }

    parseMarket(rules) {
      const [price, lot, notional] = ['PRICE_FILTER', 'LOT_SIZE', 'NOTIONAL'].map((type) =>
        filterOf(rules, type),
      )
      const [base, quote] = [this.safeCurrencyCode(rules.baseAsset), this.safeCurrencyCode(rules.quoteAsset)]
      return this.safeMarketStructure({
        id: rules.symbol,
        symbol: `${base}/${quote}`,
        base,
        quote,
        baseId: rules.baseAsset,
        quoteId: rules.quoteAsset,
        type: 'spot',
        spot: true,
        margin: false,
        contract: false,
        active: rules.isSpotTradingAllowed,
        taker: this.safeNumber(rules.standardCommission, 'taker'),
        maker: this.safeNumber(rules.standardCommission, 'maker'),
        precision: {
          amount: this.safeNumber(lot, 'stepSize'),
          price: this.safeNumber(price, 'tickSize'),
          cost: this.safeNumber(notional, 'stepSize'),
          base: this.parseNumber(unitOf(rules.baseAssetPrecision)),
          quote: this.parseNumber(unitOf(rules.quoteAssetPrecision)),
        },
        limits: {
          amount: { min: this.safeNumber(lot, 'minQty'), max: this.safeNumber(lot, 'maxQty') },
          price: { min: this.safeNumber(price, 'minPrice'), max: this.safeNumber(price, 'maxPrice') },
          cost: {
            min: this.safeNumber(notional, 'minNotional'),
            max: this.safeNumber(notional, 'maxNotional'),
          },
        },
        info: rules,
      })
    }

    async fetchOrderBook(symbol, limit = undefined, params = {}) {
      await this.loadMarkets()
      const market = this.market(symbol)
      const request = { symbol: market.id, ...(limit === undefined ? {} : { limit }) }
      const response = await this.marketGetDepth(this.extend(request, params))
      const levels = { bids: Object.entries(response.buy), asks: Object.entries(response.sell) }
      return this.parseOrderBook(levels, market.symbol)
    }

    /** With `since` the earliest trades from then on, otherwise the newest; `params.until` is the latest time. */
    async fetchTrades(symbol, since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets()
      const market = this.market(symbol)
      const { until, ...own } = params
      const range = {
        ...(since === undefined ? {} : { startTime: since }),
        ...(until === undefined ? {} : { endTime: until }),
        ...(limit === undefined ? {} : { limit: Math.min(limit, LIST_LIMIT_MAX) }),
      }
      const { data } = await this.publicGetHistoricalTrades({ symbol: market.id, ...range, ...own })
      return this.parseTrades(data, market, since, limit)
    }

    async fetchTicker(symbol, params = {}) {
      await this.loadMarkets()
      const market = this.market(symbol)
      const response = await this.publicGetTicker24hr(this.extend({ symbol: market.id }, params))
      return this.parseTicker(response.data, market)
    }

    async fetchTickers(symbols = undefined, params = {}) {
      return this.readTickers('publicGetTicker24hr', symbols, params)
    }

    async fetchBidsAsks(symbols = undefined, params = {}) {
      return this.readTickers('publicGetTickerBookTicker', symbols, params)
    }

    /** A single symbol is requested by itself, several are requested with all others. */
    async readTickers(method, symbols, params) {
      const { wanted, data } = await this.readListed(method, symbols, params)
      return this.parseTickers(data, wanted)
    }

    async readListed(method, symbols, params) {
      await this.loadMarkets()
      const wanted = this.marketSymbols(symbols)
      const only = wanted?.length === 1 ? { symbol: this.market(wanted[0]).id } : {}
      const { data } = await this[method](this.extend(only, params))
      return { wanted, data: Array.isArray(data) ? data : [data] }
    }

    async fetchLastPrices(symbols = undefined, params = {}) {
      const { wanted, data } = await this.readListed('publicGetTickerPrice', symbols, params)
      return this.parseLastPrices(data, wanted)
    }

    parseLastPrice(entry, market = undefined) {
      const timestamp = this.safeInteger(entry, 'time')
      return {
        symbol: this.safeSymbol(entry.symbol, market),
        timestamp,
        datetime: this.iso8601(timestamp),
        price: this.safeNumber(entry, 'price'),
        side: undefined,
        info: entry,
      }
    }

    parseTicker(ticker, market = undefined) {
      const timestamp = this.safeInteger2(ticker, 'closeTime', 'time')
      return this.safeTicker(
        {
          symbol: this.safeSymbol(ticker.symbol, market),
          timestamp,
          datetime: this.iso8601(timestamp),
          bid: ticker.bidPrice,
          bidVolume: ticker.bidQty,
          ask: ticker.askPrice,
          askVolume: ticker.askQty,
          open: ticker.openPrice,
          high: ticker.highPrice,
          low: ticker.lowPrice,
          last: ticker.lastPrice,
          close: ticker.lastPrice,
          previousClose: ticker.prevClosePrice,
          change: ticker.priceChange,
          percentage: ticker.priceChangePercent,
          // ccxt divides quoteVolume by baseVolume, both of which are exact.
          vwap: undefined,
          baseVolume: ticker.volume,
          quoteVolume: ticker.quoteVolume,
          info: ticker,
        },
        market,
      )
    }

    async fetchOHLCV(symbol, timeframe = '1m', since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets()
      const market = this.market(symbol)
      const interval = this.timeframes[timeframe]
      if (interval === undefined) {
        const known = Object.keys(this.timeframes).join(', ')
        throw new errors.BadRequest(
          `${this.id} fetchOHLCV() expected a timeframe of ${known}, found ${timeframe}`,
        )
      }
      const { until, paginate, ...rest } = params
      if (paginate) {
        const pages = [symbol, since, limit, timeframe, this.omit(params, 'paginate'), LIST_LIMIT_MAX]
        return this.fetchPaginatedCallDeterministic('fetchOHLCV', ...pages)
      }
      const request = { symbol: market.id, interval }
      if (since !== undefined) request.startTime = since
      if (limit !== undefined) request.limit = Math.min(limit, LIST_LIMIT_MAX)
      if (until !== undefined) request.endTime = until
      const response = await this.publicGetKlines(this.extend(request, rest))
      return this.parseOHLCVs(response.data, market, timeframe, since, limit)
    }

    parseOHLCV(candle) {
      const [openTime, ...prices] = candle.slice(0, 6)
      return [openTime, ...prices.map((text) => this.parseNumber(text))]
    }
  }
}
