/** Audits of the state, computed from scratch: do all balances add up? */
import type { AccountId, AssetId } from '../../units/ids.ts'
import { SIDES } from '../../units/order-enums.ts'
import { type Amount, NO_AMOUNT } from '../../units/quantities.ts'
import { NO_RECORD } from '../../units/record-index.ts'
import { WholeColumn } from '../../units/whole-column.ts'
import type { HoldingsView } from '../ledger/holdings.ts'
import { amountSum } from '../ledger/money.ts'
import type { Asset } from '../registry/records.ts'
import { isShown } from '../trading/iceberg.ts'
import { holdInList } from '../trading/lists/holds.ts'
import type { Order } from '../trading/open-orders.ts'
import type { Market } from './market.ts'
import type { ExchangeState } from './state.ts'

/**
 * The result of the audit of one asset. The books are right if `sum` is 0, and neither `negatives` nor
 * `wrongHolds` is above 0.
 */
export type AssetAudit = {
  readonly asset: Asset
  /** Over all buckets of all accounts, house and outside world included. */
  readonly sum: Amount
  /** Buckets below zero (the outside world's excepted). */
  readonly negatives: number
  /** The total owned by the accounts inside. */
  readonly inExchange: Amount
  /**
   * Number of accounts whose `locked` is not exactly the holds of their open orders, and of orders that
   * differ from their book, or from their triggers.
   */
  readonly wrongHolds: number
  /** Number of accounts and orders checked: the cost of the audit. */
  readonly entries: number
}

/** Adds up everything; takes time in proportion to assets, accounts and open orders. */
export function audit(state: ExchangeState): AssetAudit[] {
  return state.registry.assets().map((asset) => auditAsset(state, asset))
}

/**
 * Adds up one asset; takes time in proportion to the accounts that touched it and the open orders that hold
 * it.
 */
export function auditAsset(state: ExchangeState, asset: Asset): AssetAudit {
  const { ledger } = state
  const { wrongHolds, entries } = auditHolds(state, asset.id)
  const { sum, negatives } = ledger.audit(asset.id)
  return { asset, sum, negatives, inExchange: ledger.inExchange(asset.id), wrongHolds, entries }
}

/** The part of an audit that compares locked amounts with the holds of open orders. */
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
  /**
   * By row of the asset's holdings (`npm run bench -- recovery`, where a map of a million accounts took a
   * second).
   */
  readonly heldByRow: WholeColumn<Amount>
  /** Holds of accounts that have never used the asset, and so cannot hold any of it. */
  readonly strays: ReadonlyMap<AccountId, Amount>
  readonly orders: number
  /** Number of orders whose records do not match their places in the book. */
  readonly misplaced: number
}

/** The holds of open orders in an asset, by account, computed only from the orders, resting and waiting. */
function holdsIn(state: ExchangeState, asset: AssetId, holdings: HoldingsView): Holds {
  const heldByRow = new WholeColumn<Amount>(holdings.count)
  const strays = new Map<AccountId, Amount>()
  let orders = 0
  let misplaced = 0
  for (const market of state.marketsOf(asset)) {
    for (const { order, isInPlace } of ordersHolding(state, market, asset)) {
      orders++
      if (!isInPlace) misplaced++
      if (order === undefined) continue
      const hold = holdInList(state, order, market)
      const row = holdings.find(order.accountId)
      if (row !== NO_RECORD) heldByRow.set(row, amountSum(heldByRow.get(row), hold))
      else strays.set(order.accountId, amountSum(strays.get(order.accountId) ?? NO_AMOUNT, hold))
    }
    const { book, symbol, triggers } = market
    const waiting = state.orders.waitingCount(symbol.id)
    misplaced += Math.abs(state.orders.countIn(symbol.id) - book.restingCount - waiting)
    misplaced += Math.abs(triggers.count + state.lists.pendingCount(symbol.id) - waiting)
  }
  return { heldByRow, strays, orders, misplaced }
}

/** An order that holds the asset; undefined for an order that a book has but that is not open. */
type Holder = { readonly order: Order | undefined; readonly isInPlace: boolean }

/** The orders of a market that hold `asset`, each with whether its book agrees with it. */
function* ordersHolding({ orders }: ExchangeState, market: Market, asset: AssetId): Generator<Holder> {
  const { book, symbol } = market
  for (const side of SIDES) {
    if ((side === 'BUY' ? symbol.quote : symbol.base) !== asset) continue
    for (const slot of book.slots(side)) {
      const order = orders.get(book.orderNumber(slot))
      yield { order, isInPlace: order?.slot === slot && isShown(order, book.remaining(slot)) }
    }
    for (const order of orders.waitingIn(symbol.id)) if (order.side === side) yield { order, isInPlace: true }
  }
}
