/**
 * Parameters of ccxt in `params` that choose between features of other exchanges: kinds of market, margin,
 * pages, orders that wait. None of them reaches the exchange. Choices that it supports are accepted, others
 * are refused: no request is answered for another market.
 */

/** The index of `params` among the arguments of each unified method. */
const PARAMS_AT = {
  ...{
    fetchTime: 0,
    fetchStatus: 0,
    fetchCurrencies: 0,
    fetchMarkets: 0,
    fetchBalance: 0,
    fetchTradingFees: 0,
  },
  ...{ fetchTicker: 1, fetchTickers: 1, fetchBidsAsks: 1, fetchLastPrices: 1, fetchTradingFee: 1 },
  ...{
    fetchOrderBook: 2,
    fetchOrder: 2,
    fetchTrades: 3,
    fetchMyTrades: 3,
    fetchLedger: 3,
    fetchOpenOrders: 3,
  },
  ...{ fetchOrders: 3, fetchClosedOrders: 3, fetchCanceledOrders: 3, fetchCanceledAndClosedOrders: 3 },
  ...{ fetchOrderTrades: 4, fetchOHLCV: 4 },
  ...{ createOrders: 1, createOrdersWs: 1, createOrder: 5, createOrderWs: 5, editOrder: 6, editOrderWs: 6 },
  ...{ cancelOrder: 2, cancelOrderWs: 2, cancelOrders: 2, cancelOrdersWs: 2 },
  ...{ cancelAllOrders: 1, cancelAllOrdersWs: 1, cancelAllOrdersAfter: 1 },
  ...{ watchBalance: 0, watchTicker: 1, watchTickers: 1, watchBidsAsks: 1, watchTradesForSymbols: 3 },
  ...{ watchOrderBook: 2, watchOrderBookForSymbols: 2, watchTrades: 3, watchOrders: 3, watchMyTrades: 3 },
  ...{ watchOHLCV: 4, watchOHLCVForSymbols: 3 },
}

/** Lists of orders from which those that wait, or waited, for a price can be requested alone. */
const ORDER_LISTS = new Set([
  ...['fetchOpenOrders', 'fetchOrders', 'fetchClosedOrders', 'fetchCanceledOrders'],
  'fetchCanceledAndClosedOrders',
])
/** Methods for single orders: the exchange finds out whether an order waits for a price. */
const SINGLE = /^(create|edit)Order|^cancelOrder|^fetchOrder$/
/** Methods that read a list to its end by themselves. */
const PAGED = new Set([...ORDER_LISTS, 'fetchMyTrades', 'fetchOrderTrades', 'fetchLedger'])

export function withUnifiedValues(Exchange, errors) {
  class Unified extends Exchange {
    /**
     * `params` without these parameters; `trigger: true` stays for a list of orders, `paginate: true` for
     * candles.
     */
    withoutUnifiedWords(method, params) {
      const { type, defaultType, subType, marginMode, paginate, trigger, stop, ...own } = params
      const refuse = (what) => {
        throw new errors.NotSupported(`${this.id} ${method}() does not support ${what}`)
      }
      for (const kind of [type, defaultType]) {
        if (kind !== undefined && String(kind).toLowerCase() !== 'spot')
          refuse(
            `the type ${kind} in params: there is the market spot alone, and an order's type is an argument`,
          )
      }
      if (subType !== undefined) refuse('subType')
      if (marginMode !== undefined) refuse('marginMode')
      if (method === 'fetchOHLCV' && own.price !== undefined) refuse(`candles of the price ${own.price}`)
      const isOfTriggers = trigger === true || stop === true
      if (isOfTriggers && !ORDER_LISTS.has(method) && !SINGLE.test(method)) refuse('trigger: true')
      if (isOfTriggers && ORDER_LISTS.has(method)) own.trigger = true
      if (paginate === true && !PAGED.has(method)) {
        if (method !== 'fetchOHLCV') refuse('paginate')
        own.paginate = true
      } else
        for (const name of ['paginationCalls', 'paginationDirection', 'maxEntriesPerRequest'])
          delete own[name]
      return own
    }
  }
  for (const [method, at] of Object.entries(PARAMS_AT)) {
    const unified = Exchange.prototype[method]
    const value = async function (...given) {
      const rest = Array.from({ length: Math.max(at + 1, given.length) }, (_, index) => given[index])
      rest[at] = this.withoutUnifiedWords(method, rest[at] ?? {})
      return unified.apply(this, rest)
    }
    Object.defineProperty(Unified.prototype, method, { value, writable: true, configurable: true })
  }
  return Unified
}
