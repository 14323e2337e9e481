/**
 * What an auditor asks of the state, worked out anew from scratch: do all books add up?
 */
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'
import type { Side } from '../../units/order-words.ts'
import { type Amount, NO_AMOUNT } from '../../units/quantities.ts'
import { NO_RECORD } from '../../units/record-index.ts'
import { WholeColumn } from '../../units/whole-column.ts'
import type { HoldingsView } from '../ledger/holdings.ts'
import { amountSum } from '../ledger/money.ts'
import { NO_SLOT } from '../market/order-book.ts'
import type { Asset } from '../registry/records.ts'
import type { Market } from './market.ts'
import type { ExchangeState } from './state.ts'
import type { Order } from './trading/open-orders.ts'
import { holdOf } from './trading/settlement.ts'

/** What an audit of one asset found. Sound: `sum` is 0, and neither `negatives` nor `wrongHolds` is above 0. */
export type AssetAudit = {
  readonly asset: Asset
  /** Over all buckets of all accounts, house and outside world included. */
  readonly sum: Amount
  /** Buckets below zero (the outside world's excepted). */
  readonly negatives: number
  /** What the accounts inside own together. */
  readonly inExchange: Amount
  /** Accounts whose `locked` is not exactly what their open orders hold, and orders of which their book says otherwise. */
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
  const { wrongHolds, entries } = auditHolds(state, asset.id)
  const { sum, negatives } = ledger.audit(asset.id)
  return { asset, sum, negatives, inExchange: ledger.inExchange(asset.id), wrongHolds, entries }
}

/** The part of an audit that compares what is locked with what open orders hold. */
export function auditHolds(state: ExchangeState, asset: AssetId): Pick<AssetAudit, 'wrongHolds' | 'entries'> {
  const holdings = state.ledger.holdings(asset)
  const { heldByRow, strays, orders, misplaced } = holdsIn(state, asset, holdings)
  let wrongHolds = misplaced
  for (let row = 0; row < holdings.count; row++) {
    if (holdings.unitsAt(row, 'locked') !== heldByRow.get(row)) wrongHolds++
  }
  for (const held of strays.values()) if (held !== NO_AMOUNT) wrongHolds++
  return { wrongHolds, entries: orders + holdings.count }
}

type Holds = {
  /** By row of the asset's holdings (`npm run bench -- recovery`, where a map of a million accounts took a second). */
  readonly heldByRow: WholeColumn<Amount>
  /** Of accounts that have never touched the asset, and so can hold nothing of it. */
  readonly strays: ReadonlyMap<AccountId, Amount>
  readonly orders: number
  /** Orders that do not rest in their book as they say. */
  readonly misplaced: number
}

/** What open orders hold of an asset, by account, from the orders alone. */
function holdsIn(state: ExchangeState, asset: AssetId, holdings: HoldingsView): Holds {
  let orders = 0
  let misplaced = 0
  const heldByRow = new WholeColumn<Amount>(holdings.count)
  const strays = new Map<AccountId, Amount>()
  const isHeldIn = (symbolId: SymbolId, side: Side): boolean => {
    const symbol = state.market(symbolId)?.symbol
    return (side === 'BUY' ? symbol?.quote : symbol?.base) === asset
  }
  for (const order of state.orders.select(isHeldIn)) {
    orders++
    const market = state.markets[order.symbolId] as Market
    const hold = holdOf(order, market)
    if (!isInPlace(order, market)) misplaced++
    const row = holdings.find(order.accountId)
    if (row !== NO_RECORD) heldByRow.set(row, amountSum(heldByRow.get(row), hold))
    else strays.set(order.accountId, amountSum(strays.get(order.accountId) ?? NO_AMOUNT, hold))
  }
  return { heldByRow, strays, orders, misplaced }
}

/** What a resting order says of itself is what its book says. */
function isInPlace({ slot, number, remaining }: Order, { book }: Market): boolean {
  return slot === NO_SLOT || (book.orderNumber(slot) === number && book.remaining(slot) === remaining)
}
