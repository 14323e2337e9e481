/**
 * Which path and method leads to which endpoint. A client that joins a base endpoint ending in `/api` with the
 * documented path asks for `/api/api/v3/...`: the same endpoints are there (decisions: "Addresses").
 */
import type { Endpoint } from '../trading/operation.ts'
import { activeOrders } from '../trading/operations/active-orders.ts'
import { cancelOrder } from '../trading/operations/cancel-order.ts'
import { depth, exchangeInfo, trades } from '../trading/operations/market-data.ts'
import { newOrder } from '../trading/operations/new-order.ts'
import { tradeHistory } from '../trading/operations/trade-history.ts'
import { walletBalance } from '../trading/operations/wallet-balance.ts'

export type Method = 'GET' | 'POST' | 'DELETE'

/** The endpoints of one path, and what `Allow` says of it. */
export type Route = { readonly endpoints: Partial<Record<string, Endpoint>>; readonly allow: string }

const PREFIXES = ['/api/v3', '/api/api/v3']

const ENDPOINTS: Readonly<Record<string, Partial<Record<Method, Endpoint>>>> = {
  '/exchangeInfo': { GET: exchangeInfo },
  '/depth': { GET: depth },
  '/trades': { GET: trades },
  '/order': { POST: newOrder, DELETE: cancelOrder },
  '/order/active': { GET: activeOrders },
  '/order/trade/history': { GET: tradeHistory },
  '/wallet/balance': { GET: walletBalance },
}

/** By the whole path. */
export const ROUTES: ReadonlyMap<string, Route> = new Map(
  PREFIXES.flatMap((prefix) =>
    Object.entries(ENDPOINTS).map(([path, endpoints]) => [prefix + path, routeOf(endpoints)] as const),
  ),
)

/** HEAD is answered as GET without its body (RFC 9110, 9.3.2). */
function routeOf(endpoints: Partial<Record<Method, Endpoint>>): Route {
  const { GET } = endpoints
  const all = GET === undefined ? endpoints : { ...endpoints, HEAD: GET }
  return {
    endpoints: Object.assign(Object.create(null), all),
    allow: [...Object.keys(all), 'OPTIONS'].join(', '),
  }
}
