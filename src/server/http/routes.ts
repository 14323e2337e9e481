/**
 * Which path and method leads to which endpoint. A client that joins a base endpoint ending in `/api` with the
 * documented path asks for `/api/api/v3/...`: the same endpoints are there (docs/reference/http.md#addresses). What the contract
 * has and what is ours beside it are two tables, each with a page of its own.
 */
import { accountCommission } from '../trading/operations/account/account-commission.ts'
import { accountLedger } from '../trading/operations/account/account-ledger.ts'
import { accountLimits } from '../trading/operations/account/account-limits.ts'
import { accountPositions } from '../trading/operations/account/account-positions.ts'
import { myTrades } from '../trading/operations/account/my-trades.ts'
import { tradeHistory } from '../trading/operations/account/trade-history.ts'
import { dayTicker } from '../trading/operations/market/day-ticker.ts'
import { klines } from '../trading/operations/market/klines.ts'
import { depth, exchangeInfo, trades } from '../trading/operations/market/market-data.ts'
import { ping, time } from '../trading/operations/market/service.ts'
import { symbolRules } from '../trading/operations/market/symbol-rules.ts'
import { bookTicker, priceTicker } from '../trading/operations/market/tickers.ts'
import { activeOrders } from '../trading/operations/orders/active-orders.ts'
import { allOrders } from '../trading/operations/orders/all-orders.ts'
import { amendOrder } from '../trading/operations/orders/amend-order.ts'
import { cancelOpenOrders } from '../trading/operations/orders/cancel-open-orders.ts'
import { cancelOrder } from '../trading/operations/orders/cancel-order.ts'
import { countdownCancelAll } from '../trading/operations/orders/countdown-cancel-all.ts'
import { newOco, newOto, newOtoco } from '../trading/operations/orders/new-list.ts'
import { newOrder } from '../trading/operations/orders/new-order.ts'
import { openOrders } from '../trading/operations/orders/open-orders.ts'
import { order } from '../trading/operations/orders/order.ts'
import { orderBatch } from '../trading/operations/orders/order-batch.ts'
import { cancelOrderList, orderList } from '../trading/operations/orders/order-list.ts'
import { replaceOrder } from '../trading/operations/orders/replace-order.ts'
import { testOrder } from '../trading/operations/orders/test-order.ts'
import { askWithdrawal, retractWithdrawal } from '../trading/operations/wallet/ask-withdrawal.ts'
import { walletBalance } from '../trading/operations/wallet/wallet-balance.ts'
import {
  addWithdrawalAddress,
  removeWithdrawalAddress,
  withdrawalAddresses,
} from '../trading/operations/wallet/withdrawal-addresses.ts'
import { depositHistory, withdrawalHistory } from '../trading/operations/wallet/withdrawal-history.ts'
import type { HttpOperation } from './http-call.ts'
import { signatureCheck } from './signature-check.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** An operation at an address; its name is as the documentation writes it, `POST /api/v3/order`, whatever the prefix. */
export type Endpoint = {
  readonly name: string
  readonly operation: HttpOperation
  /** False: it is the contract's. */
  readonly isExtension: boolean
}

/** Operations by path and method. */
type Table = Readonly<Record<string, Partial<Record<Method, HttpOperation>>>>

/** The endpoints of one path, and what `Allow` says of it. */
export type Route = { readonly endpoints: Partial<Record<string, Endpoint>>; readonly allow: string }

const PREFIXES = ['/api/v3', '/api/api/v3']

/** The nine endpoints of the contract (docs/reference/http.md); the two of the wallet are one path. */
const CONTRACT: Table = {
  '/exchangeInfo': { GET: exchangeInfo },
  '/depth': { GET: depth },
  '/trades': { GET: trades },
  '/order': { POST: newOrder, DELETE: cancelOrder },
  '/order/active': { GET: activeOrders },
  '/order/trade/history': { GET: tradeHistory },
  '/wallet/balance': { GET: walletBalance },
}

/** docs/reference/extensions.md, docs/reference/candles.md, docs/reference/orders.md, docs/reference/order-changes.md. */
const EXTENSIONS: Table = {
  '/account/commission': { GET: accountCommission },
  '/account/ledger': { GET: accountLedger },
  '/account/limits': { GET: accountLimits },
  '/account/positions': { GET: accountPositions },
  '/allOrders': { GET: allOrders },
  '/capital/deposit/hisrec': { GET: depositHistory },
  '/capital/withdraw/apply': { POST: askWithdrawal, DELETE: retractWithdrawal },
  '/capital/withdraw/address': { POST: addWithdrawalAddress, DELETE: removeWithdrawalAddress },
  '/capital/withdraw/address/list': { GET: withdrawalAddresses },
  '/capital/withdraw/history': { GET: withdrawalHistory },
  '/exchangeInfo/rules': { GET: symbolRules },
  '/klines': { GET: klines },
  '/myTrades': { GET: myTrades },
  '/order/amend/keepPriority': { PUT: amendOrder },
  '/order/batch': { POST: orderBatch },
  '/countdownCancelAll': { POST: countdownCancelAll },
  '/openOrders': { GET: openOrders, DELETE: cancelOpenOrders },
  '/orderList': { GET: orderList, DELETE: cancelOrderList },
  '/orderList/oco': { POST: newOco },
  '/orderList/oto': { POST: newOto },
  '/orderList/otoco': { POST: newOtoco },
  '/order': { GET: order },
  '/order/cancelReplace': { POST: replaceOrder },
  '/order/test': { POST: testOrder },
  '/ping': { GET: ping },
  '/signature/check': { POST: signatureCheck },
  '/ticker/24hr': { GET: dayTicker },
  '/ticker/bookTicker': { GET: bookTicker },
  '/ticker/price': { GET: priceTicker },
  '/time': { GET: time },
}

const PATHS = new Set([...Object.keys(CONTRACT), ...Object.keys(EXTENSIONS)])

/** By the whole path. */
export const ROUTES: ReadonlyMap<string, Route> = new Map(
  [...PATHS].flatMap((path) => {
    const route = routeOf(path)
    return PREFIXES.map((prefix) => [prefix + path, route] as const)
  }),
)

/** HEAD is answered as GET without its body (RFC 9110, 9.3.2), and counts as GET. */
function routeOf(path: string): Route {
  const endpoints: Partial<Record<string, Endpoint>> = Object.create(null)
  for (const table of [CONTRACT, EXTENSIONS]) {
    for (const [method, operation] of Object.entries(table[path] ?? {})) {
      const name = `${method} ${PREFIXES[0]}${path}`
      endpoints[method] = { name, operation, isExtension: table === EXTENSIONS }
    }
  }
  if (endpoints.GET !== undefined) endpoints.HEAD = endpoints.GET
  return { endpoints, allow: [...Object.keys(endpoints), 'OPTIONS'].join(', ') }
}
