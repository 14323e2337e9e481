/**
 * The endpoint of each path and method. A client that joins a base endpoint ending in `/api` with the
 * documented path requests `/api/api/v3/...`: the same endpoints exist there
 * (docs/reference/http.md#addresses). Paths and methods come from the endpoints' rows; this module assigns
 * their functions.
 */

import { ENDPOINT_IDS, ENDPOINT_ROWS, type EndpointId } from '../../contract/endpoints/endpoints.ts'
import { accountCommission } from '../trading/operations/account/account-commission.ts'
import { accountLedger } from '../trading/operations/account/account-ledger.ts'
import { accountLimits } from '../trading/operations/account/account-limits.ts'
import { accountPositions } from '../trading/operations/account/account-positions.ts'
import { myTrades } from '../trading/operations/account/my-trades.ts'
import { tradeHistory } from '../trading/operations/account/trade-history.ts'
import { dayTicker } from '../trading/operations/market/day-ticker.ts'
import { klines } from '../trading/operations/market/klines.ts'
import { depth, exchangeInfo, trades } from '../trading/operations/market/market-data.ts'
import { aggTrades, historicalTrades } from '../trading/operations/market/numbered-trades.ts'
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

/**
 * An operation at an address; its name is as the documentation writes it, `POST /api/v3/order`, whatever the
 * prefix.
 */
export type Endpoint = {
  readonly name: string
  readonly operation: HttpOperation
  /** False for an endpoint of the contract. */
  readonly isExtension: boolean
}

/** The endpoints of one path, and its `Allow` header. */
export type Route = { readonly endpoints: Partial<Record<string, Endpoint>>; readonly allow: string }

const PREFIXES = ['/api/v3', '/api/api/v3']

const OPERATIONS: Readonly<Record<EndpointId, HttpOperation>> = {
  ...{ ping, time, signatureCheck, exchangeInfo, symbolRules },
  ...{ depth, trades, historicalTrades, aggTrades, klines, dayTicker, priceTicker, bookTicker },
  ...{ newOrder, cancelOrder, testOrder, orderBatch, replaceOrder, amendOrder },
  ...{ activeOrders, order, openOrders, allOrders },
  massCancel: cancelOpenOrders,
  countdown: countdownCancelAll,
  ...{ newOco, newOto, newOtoco, orderList, cancelOrderList },
  ...{ walletBalance, tradeHistory, myTrades, accountLedger, accountCommission, accountLimits },
  accountPositions,
  ...{ askWithdrawal, withdrawalHistory, depositHistory },
  cancelWithdrawal: retractWithdrawal,
  ...{ withdrawalAddresses, addWithdrawalAddress, removeWithdrawalAddress },
}

const IDS_BY_PATH = Map.groupBy(ENDPOINT_IDS, (id) => ENDPOINT_ROWS[id].path)

/** Keyed by the complete path. */
export const ROUTES: ReadonlyMap<string, Route> = new Map(
  [...IDS_BY_PATH].flatMap(([path, ids]) => {
    const route = routeOf(path, ids)
    return PREFIXES.map((prefix) => [prefix + path, route] as const)
  }),
)

/** HEAD is answered as GET without its body (RFC 9110, 9.3.2), and counts as GET. */
function routeOf(path: string, ids: readonly EndpointId[]): Route {
  const endpoints: Partial<Record<string, Endpoint>> = Object.create(null)
  for (const id of ids) {
    const { method, isExtension } = ENDPOINT_ROWS[id]
    endpoints[method] = { name: `${method} ${PREFIXES[0]}${path}`, operation: OPERATIONS[id], isExtension }
  }
  if (endpoints.GET !== undefined) endpoints.HEAD = endpoints.GET
  return { endpoints, allow: [...Object.keys(endpoints), 'OPTIONS'].join(', ') }
}
