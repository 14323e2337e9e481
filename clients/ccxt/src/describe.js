/**
 * The description of the exchange for ccxt: available methods, weights of endpoints, properties of orders.
 * Pure data; the addresses are those of a sandbox and must be replaced for another installation.
 */
import { ERROR_BY_REASON } from './error-by-reason.js'
import { ERROR_BY_STATUS } from './exceptions.js'

/** The address at which `npm start` serves a sandbox. */
const SANDBOX = 'http://127.0.0.1:8080'

/** Maximum number of elements in one answer of a list. */
export const LIST_LIMIT_MAX = 1000
/** Maximum number of operations in one batch. */
export const BATCH_MAX = 20

const METHODS = {
  present: [
    ...['fetchMarkets', 'fetchCurrencies', 'fetchTime', 'fetchStatus'],
    ...['fetchTicker', 'fetchTickers', 'fetchLastPrices', 'fetchBidsAsks'],
    ...['fetchOrderBook', 'fetchTrades', 'fetchOHLCV'],
    ...['fetchBalance', 'fetchLedger', 'fetchTradingFee', 'fetchTradingFees'],
    ...['createOrder', 'createOrders', 'createLimitOrder', 'createMarketOrder', 'createPostOnlyOrder'],
    ...['createMarketOrderWithCost', 'createMarketBuyOrderWithCost', 'createTriggerOrder'],
    ...['createStopOrder', 'createStopLimitOrder', 'createStopMarketOrder', 'createStopLossOrder'],
    ...['createTakeProfitOrder', 'createOrderWithTakeProfitAndStopLoss'],
    ...['editOrder', 'editOrderWithClientOrderId'],
    ...['cancelOrder', 'cancelOrderWithClientOrderId', 'cancelOrders', 'cancelOrdersWithClientOrderIds'],
    ...['cancelAllOrders', 'cancelAllOrdersAfter'],
    ...['fetchOrder', 'fetchOrderWithClientOrderId', 'fetchOrders', 'fetchOpenOrders'],
    ...['fetchClosedOrders', 'fetchCanceledOrders', 'fetchCanceledAndClosedOrders'],
    ...['fetchMyTrades', 'fetchOrderTrades'],
    'createTrailingPercentOrder',
    ...['createOrderWs', 'createOrdersWs', 'createLimitOrderWs', 'createMarketOrderWs', 'editOrderWs'],
    ...['createMarketOrderWithCostWs', 'createPostOnlyOrderWs', 'createTriggerOrderWs'],
    ...['createStopOrderWs', 'createStopLimitOrderWs', 'createStopMarketOrderWs', 'createStopLossOrderWs'],
    ...['createTakeProfitOrderWs', 'cancelOrderWs', 'cancelOrdersWs', 'cancelAllOrdersWs'],
    ...['watchOrderBook', 'watchOrderBookForSymbols', 'watchTrades', 'watchTradesForSymbols'],
    ...['watchTicker', 'watchTickers', 'watchBidsAsks', 'watchOHLCV', 'watchOHLCVForSymbols'],
    ...['watchOrders', 'watchMyTrades', 'watchBalance'],
    ...['unWatchOrderBook', 'unWatchOrderBookForSymbols', 'unWatchTrades', 'unWatchTradesForSymbols'],
    ...['unWatchTicker', 'unWatchTickers', 'unWatchBidsAsks', 'unWatchOHLCV', 'unWatchOHLCVForSymbols'],
    ...['unWatchOrders', 'unWatchMyTrades'],
  ],
  absent: [
    ...['addMargin', 'borrowCrossMargin', 'borrowIsolatedMargin', 'closeAllPositions', 'closePosition'],
    ...['createReduceOnlyOrder', 'createTrailingAmountOrder'],
    ...['createMarketSellOrderWithCost', 'fetchBorrowInterest', 'fetchFundingHistory', 'fetchFundingRate'],
    ...['fetchFundingRates', 'fetchGreeks', 'fetchIndexOHLCV', 'fetchLeverage', 'fetchLeverageTiers'],
    ...['fetchMarkOHLCV', 'fetchOpenInterest', 'fetchOption', 'fetchOptionChain', 'fetchPosition'],
    ...['fetchPositions', 'fetchPremiumIndexOHLCV', 'reduceMargin', 'setLeverage', 'setMarginMode'],
    ...['setPositionMode', 'transfer'],
  ],
}

function has() {
  const kinds = { CORS: true, ws: true, spot: true, margin: false, swap: false, future: false, option: false }
  const present = METHODS.present.map((name) => [name, true])
  const absent = METHODS.absent.map((name) => [name, false])
  return { ...kinds, ...Object.fromEntries([...present, ...absent]) }
}

/** Endpoints with a constant weight; `requests.js` has the others. */
const API = {
  public: {
    get: {
      ping: 1,
      time: 1,
      exchangeInfo: 20,
      'exchangeInfo/rules': 20,
      historicalTrades: 25,
      aggTrades: 25,
      klines: 12,
      'ticker/24hr': 2,
      'ticker/price': 2,
      'ticker/bookTicker': 2,
    },
  },
  market: { get: { depth: 25, trades: 25 } },
  private: {
    get: {
      order: 4,
      openOrders: 6,
      'order/active': 6,
      'order/trade/history': 20,
      allOrders: 20,
      myTrades: 20,
      orderList: 4,
      'account/ledger': 20,
      'account/commission': 20,
      'account/limits': 20,
      'account/positions': 20,
      'wallet/balance': 20,
    },
    post: {
      order: 1,
      'order/test': 1,
      'order/cancelReplace': 1,
      'order/batch': 1,
      'orderList/oco': 2,
      'orderList/oto': 2,
      'orderList/otoco': 3,
      countdownCancelAll: 1,
      'signature/check': 20,
    },
    put: { 'order/amend/keepPriority': 4 },
    delete: { order: 1, openOrders: 1, orderList: 1 },
  },
}

const INTERVALS = [
  '1s',
  '1m',
  '3m',
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '6h',
  '8h',
  '12h',
  '1d',
  '3d',
  '1w',
  '1M',
]

const LIST = { marginMode: false, trigger: false, trailing: false, symbolRequired: false }
const HISTORY = { ...LIST, limit: LIST_LIMIT_MAX, daysBack: undefined, untilDays: undefined }

function features() {
  const attached = {
    triggerPriceType: { last: true, mark: false, index: false },
    price: true,
  }
  return {
    spot: {
      sandbox: true,
      fetchCurrencies: { private: false },
      createOrder: {
        marginMode: false,
        triggerPrice: true,
        triggerPriceType: { last: true, mark: false, index: false },
        triggerDirection: true,
        stopLossPrice: true,
        takeProfitPrice: true,
        attachedStopLossTakeProfit: attached,
        timeInForce: { GTC: true, IOC: true, FOK: true, PO: true, GTD: true },
        hedged: false,
        leverage: false,
        marketBuyByCost: true,
        marketBuyRequiresPrice: true,
        selfTradePrevention: {
          NONE: true,
          EXPIRE_TAKER: true,
          EXPIRE_MAKER: true,
          EXPIRE_BOTH: true,
          DECREMENT: true,
        },
        trailing: true,
        iceberg: true,
        icebergAmount: true,
      },
      createOrders: { max: BATCH_MAX },
      fetchMyTrades: HISTORY,
      fetchOrder: LIST,
      fetchOpenOrders: { ...LIST, limit: undefined },
      fetchOrders: HISTORY,
      fetchClosedOrders: { ...HISTORY, daysBackCanceled: undefined },
      fetchOHLCV: { limit: LIST_LIMIT_MAX },
    },
  }
}

/** The additions to `describe()` of ccxt's base class. */
export function description(errors) {
  const classOf = (name) => errors[name]
  const byClass = (names) =>
    Object.fromEntries(Object.entries(names).map(([key, name]) => [key, classOf(name)]))
  return {
    id: 'bourse',
    name: 'Bourse',
    countries: [],
    version: 'v3',
    // A weight of 6,000 in a minute, counted over any 60 seconds.
    rateLimit: 10,
    rateLimiterAlgorithm: 'rollingWindow',
    rollingWindowSize: 60_000,
    certified: false,
    pro: true,
    has: has(),
    timeframes: Object.fromEntries(INTERVALS.map((interval) => [interval, interval])),
    urls: { api: { rest: SANDBOX }, test: { rest: SANDBOX }, doc: [`${SANDBOX}/docs`] },
    api: API,
    requiredCredentials: { apiKey: true, secret: true },
    fees: {
      trading: { feeSide: 'get', tierBased: false, percentage: true, taker: 0.001, maker: 0.001 },
    },
    exceptions: { exact: byClass(ERROR_BY_REASON), broad: {} },
    httpExceptions: byClass(ERROR_BY_STATUS),
    features: features(),
    options: {
      recvWindow: 5000,
      adjustForTimeDifference: false,
      timeDifference: 0,
      strictSignature: false,
      createMarketBuyOrderRequiresPrice: true,
      defaultSelfTradePrevention: undefined,
      newOrderRespType: { market: 'FULL', limit: 'RESULT' },
      listPagesMax: 100,
      watchOrderBook: { checksum: true },
      tradesLimit: 1000,
      ordersLimit: 1000,
      OHLCVLimit: 1000,
      streamPerSecond: { joins: 4, messages: 40 },
      cancelOnDisconnect: false,
      graceMs: 5000,
    },
  }
}
