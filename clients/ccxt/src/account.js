/** The state and history of an account: balances, lists of orders and trades, the ledger, fees. */
import { sum } from './decimals.js'
import { LIST_LIMIT_MAX } from './describe.js'

const LEDGER_TYPES = {
  TRADE: 'trade',
  COMMISSION: 'fee',
  CREDIT: 'deposit',
  DEBIT: 'transaction',
  WITHDRAWAL: 'withdrawal',
  SAVINGS_DEPOSIT: 'transfer',
  SAVINGS_WITHDRAWAL: 'transfer',
}

/** Whether an order waits, or waited, for a price. */
const waits = ({ stopPrice, trailingDelta }) => (stopPrice ?? trailingDelta) !== undefined

export function withAccount(Exchange, errors) {
  return class extends Exchange {
    /**
     * `params.code`: only this currency. The exchange's own answer for one currency has only the free amount,
     * so all are requested.
     */
    async fetchBalance(params = {}) {
      await this.loadMarkets()
      const { code, ...own } = params
      const response = await this.privateGetWalletBalance(own)
      const rows = response.data.acc.Spot.assetAccs
      if (code === undefined) return this.parseBalance(rows, response)
      const wanted = rows.filter(({ asset }) => this.safeCurrencyCode(asset) === code)
      if (wanted.length === 0)
        throw new errors.BadRequest(`${this.id} fetchBalance() has no currency with the code ${code}`)
      return this.parseBalance(wanted, response)
    }

    /** `used` is the sum of the orders' holds and of frozen amounts; savings are in neither figure. */
    parseBalance(assets, info = assets) {
      const result = { info, timestamp: undefined, datetime: undefined }
      for (const { asset, free, locked, freeze } of assets) {
        result[this.safeCurrencyCode(asset)] = { free, used: sum(locked, freeze) }
      }
      return this.safeBalance(result)
    }

    async fetchOrder(id, symbol = undefined, params = {}) {
      await this.loadMarkets()
      const name = this.safeString2(params, 'clientOrderId', 'origClientOrderId')
      const own = this.omit(params, ['clientOrderId', 'origClientOrderId'])
      const request = name === undefined ? { orderId: id } : { origClientOrderId: name }
      if (symbol !== undefined) request.symbol = this.market(symbol).id
      const response = await this.privateGetOrder(this.extend(request, own))
      return this.parseOrder(response.data)
    }

    async fetchOpenOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets()
      const market = symbol === undefined ? undefined : this.market(symbol)
      const request = market === undefined ? {} : { symbol: market.id }
      const { trigger, ...own } = params
      const response = await this.privateGetOpenOrders(this.extend(request, own))
      const rows = trigger ? response.data.filter(waits) : response.data
      return this.parseOrders(rows, market, since, limit)
    }

    async fetchOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
      return this.readOrders(symbol, since, limit, params, () => true)
    }

    async fetchClosedOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
      return this.readOrders(symbol, since, limit, params, ({ status }) => status === 'FILLED')
    }

    async fetchCanceledOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
      return this.readOrders(symbol, since, limit, params, ({ status }) => status === 'CANCELED')
    }

    async fetchCanceledAndClosedOrders(
      symbol = undefined,
      since = undefined,
      limit = undefined,
      params = {},
    ) {
      const hasEnded = ({ status }) => status === 'FILLED' || status === 'CANCELED'
      return this.readOrders(symbol, since, limit, params, hasEnded)
    }

    async readOrders(symbol, since, limit, { trigger, ...params }, isOfState) {
      await this.loadMarkets()
      const market = symbol === undefined ? undefined : this.market(symbol)
      const request = market === undefined ? {} : { symbol: market.id }
      const isWanted = (order) => isOfState(order) && (!trigger || waits(order))
      const range = { since, limit, params, isWanted }
      const rows = await this.readList('privateGetAllOrders', 'orders', request, range)
      return this.parseOrders(rows, market, since, limit)
    }

    async fetchMyTrades(symbol = undefined, since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets()
      const market = symbol === undefined ? undefined : this.market(symbol)
      const request = market === undefined ? {} : { symbol: market.id }
      const range = { since, limit, params, isWanted: () => true }
      const rows = await this.readList('privateGetMyTrades', 'fills', request, range)
      return this.parseTrades(rows, market, since, limit)
    }

    async fetchOrderTrades(id, symbol = undefined, since = undefined, limit = undefined, params = {}) {
      return this.fetchMyTrades(symbol, since, limit, this.extend({ orderId: id }, params))
    }

    async fetchLedger(code = undefined, since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets()
      const currency = code === undefined ? undefined : this.currency(code)
      const request = currency === undefined ? {} : { asset: currency.id }
      const range = { since, limit, params, isWanted: () => true }
      const rows = await this.readList('privateGetAccountLedger', 'entries', request, range)
      return this.parseLedger(rows, currency, since, limit)
    }

    /**
     * Reads a list from its newest element on, page by page: until it has `limit` elements or, with `since`,
     * all elements from then on, since the earliest are wanted. `params.until` is the latest time.
     */
    async readList(method, name, request, { since, limit, params, isWanted }) {
      const { until, ...own } = params
      const wantsAll = since !== undefined
      const pageLimit = wantsAll ? LIST_LIMIT_MAX : Math.min(limit ?? 500, LIST_LIMIT_MAX)
      const range = { ...(wantsAll ? { from: since } : {}), ...(until === undefined ? {} : { to: until }) }
      const rows = []
      let before = {}
      for (let page = 0; page < this.options.listPagesMax; page += 1) {
        const { data } = await this[method]({ ...request, ...range, limit: pageLimit, ...before, ...own })
        rows.push(...data[name].filter(isWanted))
        const isEnough = !wantsAll && rows.length >= (limit ?? 1)
        if (data.next === undefined || isEnough) return rows
        before = { before: data.next }
      }
      const pages = `${this.options.listPagesMax} pages (option listPagesMax)`
      throw new errors.BadRequest(
        `${this.id} ${name} go on after ${pages}: narrow the time with since and params.until`,
      )
    }

    parseTrade(trade, market = undefined) {
      const { isBuyerMaker, isMaker, commission, commissionAsset } = trade
      const timestamp = this.safeInteger2(trade, 'time', 'timestamp')
      const ownSide = trade.side?.toLowerCase()
      const publicSide = isBuyerMaker === undefined ? undefined : isBuyerMaker ? 'sell' : 'buy'
      return this.safeTrade(
        {
          id: this.safeString2(trade, 'id', 'tradeId'),
          order: trade.orderId,
          timestamp,
          datetime: this.iso8601(timestamp),
          symbol: this.safeSymbol(trade.symbol, market),
          type: undefined,
          side: ownSide ?? publicSide,
          takerOrMaker: isMaker === undefined ? undefined : isMaker ? 'maker' : 'taker',
          price: this.safeString(trade, 'price'),
          amount: this.safeString(trade, 'quantity'),
          cost: trade.total,
          fee:
            commission === undefined
              ? undefined
              : { currency: this.safeCurrencyCode(commissionAsset), cost: commission },
          info: trade,
        },
        market,
      )
    }

    parseLedgerEntry(entry, currency = undefined) {
      const { cause, amount, balance, orderId, tradeId, reference } = entry
      const isOut = amount.startsWith('-')
      return this.safeLedgerEntry(
        {
          id: entry.id,
          timestamp: entry.time,
          direction: isOut ? 'out' : 'in',
          account: entry.wallet.toLowerCase(),
          referenceId: reference ?? tradeId ?? orderId,
          referenceAccount: undefined,
          type: LEDGER_TYPES[cause] ?? cause.toLowerCase(),
          amount: isOut ? amount.slice(1) : amount,
          before: sum(balance, isOut ? amount.slice(1) : `-${amount}`),
          after: balance,
          status: 'ok',
          fee: undefined,
          info: entry,
        },
        this.safeCurrency(entry.asset, currency),
      )
    }

    async fetchTradingFee(symbol, params = {}) {
      await this.loadMarkets()
      const market = this.market(symbol)
      const response = await this.privateGetAccountCommission(this.extend({ symbol: market.id }, params))
      return this.parseTradingFee(response.data, market)
    }

    async fetchTradingFees(params = {}) {
      await this.loadMarkets()
      const response = await this.privateGetAccountCommission(params)
      const fees = response.data.map((fee) => this.parseTradingFee(fee))
      return this.indexBy(fees, 'symbol')
    }

    parseTradingFee(fee, market = undefined) {
      return {
        info: fee,
        symbol: this.safeSymbol(fee.symbol, market),
        maker: this.safeNumber(fee.commissionRates, 'maker'),
        taker: this.safeNumber(fee.commissionRates, 'taker'),
        percentage: true,
        tierBased: fee.feeTier !== undefined,
      }
    }
  }
}
