/** An account's history, open orders and balances, converted to integers. */
import type { Client } from './client.ts'
import { units } from './decimal.ts'
import type { Exact } from './exact-json.ts'
import { LEDGER_DECIMALS, type Market } from './random-traffic.ts'

/** One side of a trade. Price and quantity in the symbol's units, total and commission in the ledger's. */
export type Fill = {
  readonly trader: string
  readonly id: string
  readonly orderId: string
  readonly tradeAt: string
  readonly market: Market
  readonly side: 'BUY' | 'SELL'
  readonly price: bigint
  readonly quantity: bigint
  readonly total: bigint
  readonly commission: bigint
}

export type OpenOrder = {
  readonly trader: string
  readonly id: string
  readonly market: Market
  readonly side: 'BUY' | 'SELL'
  readonly price: bigint
  readonly quantity: bigint
  readonly executed: bigint
}

export type Balance = { readonly free: bigint; readonly locked: bigint }

export type Statement = {
  readonly trader: string
  /** Oldest first. */
  readonly fills: readonly Fill[]
  /** Newest first. */
  readonly open: readonly OpenOrder[]
  readonly balanceByAsset: ReadonlyMap<string, Balance>
}

/** Reads all pages. */
export async function readStatement(
  trader: string,
  client: Client,
  all: readonly Market[],
): Promise<Statement> {
  const [history, active, balances] = await Promise.all([
    client.wholeHistory(),
    client.active(),
    client.balances(),
  ])
  const bySymbol = new Map(all.map((market) => [market.symbol, market]))
  return {
    trader,
    fills: history.map((item) => readFill(trader, item, bySymbol.get(item.symbol)!)).reverse(),
    open: active.map((order: Exact) => readOpen(trader, order, bySymbol.get(order.symbol)!)),
    balanceByAsset: new Map(
      Object.entries(balances).map(([asset, each]) => [asset, readBalance(each, LEDGER_DECIMALS[asset]!)]),
    ),
  }
}

function readFill(trader: string, item: Exact, market: Market): Fill {
  const received = item.side === 'BUY' ? market.base : market.quote
  if (item.commissionAssetCode !== received) throw new Error(`commission in ${item.commissionAssetCode}`)
  return {
    trader,
    id: item.id,
    orderId: item.orderId,
    tradeAt: item.tradeAt,
    market,
    side: item.side,
    price: units(item.price, market.quoteFraction),
    quantity: units(item.quantity, market.baseFraction),
    total: units(item.total, market.totalDecimals),
    commission: units(item.commission, LEDGER_DECIMALS[received]!),
  }
}

function readOpen(trader: string, order: Exact, market: Market): OpenOrder {
  return {
    trader,
    id: order.id,
    market,
    side: order.side,
    price: units(order.price, market.quoteFraction),
    quantity: units(order.qty, market.baseFraction),
    executed: units(order.execQty, market.baseFraction),
  }
}

function readBalance(account: Exact, decimals: number): Balance {
  for (const name of ['freeze', 'savings']) {
    if (account[name] !== '0') throw new Error(`${account.asset}: ${name} is ${account[name]}`)
  }
  return { free: units(account.free, decimals), locked: units(account.locked, decimals) }
}

/** Groups the values in their order. */
export function groupBy<T>(values: Iterable<T>, key: (value: T) => string): Map<string, T[]> {
  return Map.groupBy(values, key) as Map<string, T[]>
}
