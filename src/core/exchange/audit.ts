/**
 * What an auditor asks of the state, worked out anew from scratch: do all books add up?
 */
import type { AccountId, AssetId } from '../../units/ids.ts'
import { SIDES } from '../../units/order-words.ts'
import type { Amount } from '../../units/quantities.ts'
import { amountOf } from '../ledger/money.ts'
import type { Asset } from '../registry/records.ts'
import { holdOf } from './settlement.ts'
import type { ExchangeState } from './state.ts'

/** What an audit of one asset found. Sound: `sum` is 0, and neither `negatives` nor `wrongHolds` is above 0. */
export type AssetAudit = {
  readonly asset: Asset
  /** Over all buckets of all accounts, house and outside world included. */
  readonly sum: Amount
  /** Buckets below zero (the outside world's excepted). */
  readonly negatives: number
  /** What the accounts inside own together. */
  readonly inExchange: Amount
  /** Accounts whose `locked` is not exactly what their open orders hold. */
  readonly wrongHolds: number
  /** Accounts and orders looked at: what the audit has cost. */
  readonly entries: number
}

/** Adds up everything; takes time in proportion to assets, accounts and open orders. */
export function audit(state: ExchangeState): AssetAudit[] {
  return state.registry.assets().map((asset) => auditAsset(state, asset))
}

/** Adds up one asset; takes time in proportion to the accounts that touched it and the open orders that hold it. */
export function auditAsset(state: ExchangeState, asset: Asset): AssetAudit {
  const { ledger } = state
  const { held, orders } = holdsIn(state, asset.id)
  let wrongHolds = 0
  let entries = orders
  for (const account of ledger.accountsIn(asset.id)) {
    if (ledger.balance(account, asset.id, 'locked') !== (held.get(account) ?? 0n)) wrongHolds++
    held.delete(account)
    entries++
  }
  // Those left hold something by their orders and have never touched the asset.
  for (const hold of held.values()) if (hold !== 0n) wrongHolds++
  const { sum, negatives } = ledger.audit(asset.id)
  return { asset, sum, negatives, inExchange: ledger.inExchange(asset.id), wrongHolds, entries }
}

type Holds = { readonly held: Map<AccountId, bigint>; readonly orders: number }

/** What open orders hold of an asset, by account, from the orders alone. */
function holdsIn(state: ExchangeState, asset: AssetId): Holds {
  let orders = 0
  const held = new Map<AccountId, bigint>()
  for (const market of state.markets) {
    for (const side of SIDES) {
      if ((side === 'BUY' ? market.symbol.quote : market.symbol.base) !== asset) continue
      for (const slot of market.book.slots(side)) {
        const order = state.orders.get(market.book.orderNumber(slot))
        orders++
        if (order === undefined) continue
        const hold = amountOf(holdOf(order, market.book.remaining(slot), market))
        held.set(order.accountId, (held.get(order.accountId) ?? 0n) + hold)
      }
    }
  }
  return { held, orders }
}
