/**
 * What an auditor asks of the state, worked out anew from scratch: do all books add up?
 */
import type { AccountId } from '../../units/ids.ts'
import { SIDES } from '../../units/order-words.ts'
import { type Amount, amount } from '../../units/quantities.ts'
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
}

/** Adds up everything; takes time in proportion to accounts and open orders. */
export function audit(state: ExchangeState): AssetAudit[] {
  const holds = holdsByAsset(state)
  return state.registry.assets().map((asset) => {
    const held = holds.get(asset.id) ?? new Map<AccountId, bigint>()
    let wrongHolds = 0
    for (const { id } of state.registry.accounts()) {
      if (state.ledger.balance(id, asset.id, 'locked') !== (held.get(id) ?? 0n)) wrongHolds++
    }
    const { sum, negatives } = state.ledger.audit(asset.id)
    return { asset, sum, negatives, inExchange: amount(state.ledger.inExchange(asset.id)), wrongHolds }
  })
}

/** What open orders hold, by asset and account, from the orders alone. */
function holdsByAsset(state: ExchangeState): Map<number, Map<AccountId, bigint>> {
  const holds = new Map<number, Map<AccountId, bigint>>()
  for (const market of state.markets) {
    for (const side of SIDES) {
      const asset = side === 'BUY' ? market.symbol.quote : market.symbol.base
      const held = holds.get(asset) ?? new Map<AccountId, bigint>()
      holds.set(asset, held)
      for (const slot of market.book.slots(side)) {
        const order = state.orders.get(market.book.orderNumber(slot))
        if (order === undefined) continue
        const hold = holdOf(order, market.book.remaining(slot), market)
        held.set(order.accountId, (held.get(order.accountId) ?? 0n) + hold)
      }
    }
  }
  return holds
}
