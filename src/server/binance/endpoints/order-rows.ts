/** Orders of an account. All are signed; those that change something need a key that may trade. */
import { ORDER_TYPES, SELF_TRADE_MODES, SIDES } from '../../../units/order-enums.ts'
import { TIME, type WireParameter, type WireRow } from './row.ts'

export const SYMBOL: WireParameter = { form: 'SYMBOL', isRequired: true }
const DECIMAL: WireParameter = { form: 'DECIMAL' }
export const ID: WireParameter = { form: 'WHOLE', min: 0, max: Number.MAX_SAFE_INTEGER }
export const TEXT: WireParameter = { form: 'TEXT' }
export const ROWS: WireParameter = { form: 'WHOLE', min: 1, max: 1_000 }
const STP = { form: 'WORD', words: SELF_TRADE_MODES } as const

export const RESP_TYPE: WireParameter = { form: 'WORD', words: ['ACK', 'RESULT', 'FULL'] }

export const NEW_ORDER = {
  symbol: SYMBOL,
  side: { form: 'WORD', words: SIDES, isRequired: true, wrong: { code: -1117, msg: 'Invalid side.' } },
  type: {
    form: 'WORD',
    words: ORDER_TYPES,
    isRequired: true,
    wrong: { code: -1116, msg: 'Invalid orderType.' },
  },
  timeInForce: {
    form: 'WORD',
    words: ['GTC', 'IOC', 'FOK'],
    wrong: { code: -1115, msg: 'Invalid timeInForce.' },
  },
  quantity: DECIMAL,
  quoteOrderQty: DECIMAL,
  price: DECIMAL,
  newClientOrderId: TEXT,
  stopPrice: DECIMAL,
  trailingDelta: ID,
  icebergQty: DECIMAL,
  newOrderRespType: RESP_TYPE,
  selfTradePreventionMode: STP,
} as const satisfies WireRow['parameters']

export const NAMED = { symbol: SYMBOL, orderId: ID, origClientOrderId: TEXT }
const RANGE = { startTime: TIME, endTime: TIME, limit: ROWS }

const ORDER = '/api/v3/order'

export const ORDER_ROWS = {
  newOrder: {
    method: 'POST',
    path: ORDER,
    request: 'order.place',
    security: 'TRADE',
    weight: 1,
    parameters: NEW_ORDER,
    differs:
      'a client order id can be used only once, even after the order has ended; no pegged or strategy parameters',
  },
  testOrder: {
    method: 'POST',
    path: '/api/v3/order/test',
    request: 'order.test',
    security: 'USER_DATA',
    weight: 1,
    parameters: NEW_ORDER,
    differs: 'checks the balance and the book too',
  },
  queryOrder: {
    method: 'GET',
    path: ORDER,
    request: 'order.status',
    security: 'USER_DATA',
    weight: 4,
    parameters: NAMED,
  },
  cancelOrder: {
    method: 'DELETE',
    path: ORDER,
    request: 'order.cancel',
    security: 'TRADE',
    weight: 1,
    parameters: { ...NAMED, newClientOrderId: TEXT },
    differs: 'no `cancelRestrictions`; the id of the cancel is returned but not stored',
  },
  openOrders: {
    method: 'GET',
    path: '/api/v3/openOrders',
    request: 'openOrders.status',
    security: 'USER_DATA',
    weight: 6,
    parameters: { symbol: { form: 'SYMBOL' } },
  },
  cancelOpenOrders: {
    method: 'DELETE',
    path: '/api/v3/openOrders',
    request: 'openOrders.cancelAll',
    security: 'TRADE',
    weight: 1,
    parameters: { symbol: SYMBOL },
    differs: 'returns the first page of the orders that were open, and cancels all of them',
  },
  allOrders: {
    method: 'GET',
    path: '/api/v3/allOrders',
    request: 'allOrders',
    security: 'USER_DATA',
    weight: 20,
    parameters: { symbol: SYMBOL, orderId: ID, ...RANGE },
  },
  rateLimitOrder: {
    method: 'GET',
    path: '/api/v3/rateLimit/order',
    request: 'account.rateLimits.orders',
    security: 'USER_DATA',
    weight: 40,
    parameters: {},
  },
} as const satisfies Readonly<Record<string, WireRow>>

const TRANSFERS = {
  coin: TEXT,
  status: { form: 'WHOLE', min: 0, max: 10 },
  ...{ startTime: TIME, endTime: TIME, limit: ROWS },
  offset: { form: 'WHOLE', min: 0, max: 10_000 },
} as const satisfies WireRow['parameters']
const NO_NETWORKS = 'no networks; only the newest 1,000 are examined'

/** Some clients sign these requests and some do not: the answers contain no data of an account. */
const NO_MARGIN = {
  symbol: { form: 'SYMBOL' },
  recvWindow: { form: 'DECIMAL' },
  timestamp: TIME,
  signature: TEXT,
} as const satisfies WireRow['parameters']
const NO_MARGIN_DIFFERS = 'an empty list: there is no margin trading; a signature is accepted and not checked'

export const ACCOUNT_ROWS = {
  account: {
    method: 'GET',
    path: '/api/v3/account',
    request: 'account.status',
    security: 'USER_DATA',
    weight: 20,
    parameters: { omitZeroBalances: { form: 'WORD', words: ['true', 'false'] } },
    differs: '`locked` includes frozen money; `canWithdraw` is false; rates are those of the first symbol',
  },
  myTrades: {
    method: 'GET',
    path: '/api/v3/myTrades',
    request: 'myTrades',
    security: 'USER_DATA',
    weight: 20,
    parameters: { symbol: SYMBOL, orderId: ID, fromId: ID, ...RANGE },
  },
  systemStatus: {
    method: 'GET',
    path: '/sapi/v1/system/status',
    security: 'NONE',
    weight: 1,
    parameters: {},
  },
  allCoins: {
    method: 'GET',
    path: '/sapi/v1/capital/config/getall',
    security: 'USER_DATA',
    weight: 10,
    parameters: {},
    differs: 'no networks; nothing is withdrawn on this port',
  },
  depositHistory: {
    method: 'GET',
    path: '/sapi/v1/capital/deposit/hisrec',
    security: 'USER_DATA',
    weight: 20,
    parameters: { ...TRANSFERS, txId: TEXT },
    differs: `${NO_NETWORKS}; \`txId\` is the reference of the deposit`,
  },
  withdrawalHistory: {
    method: 'GET',
    path: '/sapi/v1/capital/withdraw/history',
    security: 'USER_DATA',
    weight: 20,
    parameters: { ...TRANSFERS, withdrawOrderId: TEXT },
    differs: `${NO_NETWORKS}; nothing is withdrawn on this port`,
  },
  tradeFee: {
    method: 'GET',
    path: '/sapi/v1/asset/tradeFee',
    security: 'USER_DATA',
    weight: 1,
    parameters: { symbol: { form: 'SYMBOL' } },
  },
  marginPairs: {
    method: 'GET',
    path: '/sapi/v1/margin/allPairs',
    security: 'NONE',
    weight: 1,
    parameters: NO_MARGIN,
    differs: NO_MARGIN_DIFFERS,
  },
  isolatedPairs: {
    method: 'GET',
    path: '/sapi/v1/margin/isolated/allPairs',
    security: 'NONE',
    weight: 1,
    parameters: NO_MARGIN,
    differs: NO_MARGIN_DIFFERS,
  },
} as const satisfies Readonly<Record<string, WireRow>>
