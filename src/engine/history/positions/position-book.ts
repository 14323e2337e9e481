/**
 * Positions of all accounts, computed from the trades and transfers of history in the order of the journal
 * (docs/reference/positions.md). They are kept in memory while they change and stored many at a time, like
 * ends of lists: a fill costs four additions in memory, and a million fills leave one row for each account
 * and asset.
 */
import { baseUnits, difference, negated } from '../../../core/ledger/money.ts'
import type { AccountId, AssetId } from '../../../units/ids.ts'
import { type Amount, amount } from '../../../units/quantities.ts'
import { add, bigintOf, isLess } from '../../../units/whole.ts'
import type { HistoryTransfer } from '../../port/transfer.ts'
import type { HistoryTrade, PartyRecord } from '../history.ts'
import { Markets, type ValuedMarket } from './markets.ts'
import {
  type AssetPosition,
  type ChangingPosition,
  COST_ONE,
  emptyPosition,
  enter,
  leave,
  type OwnedPosition,
  type Position,
} from './position.ts'

export type PositionStorage = {
  /** The stored position; undefined if there is none. */
  readonly read: (accountId: AccountId, assetId: AssetId) => Position | undefined
  /** Throws an error with this sentence: the stored position and the effects after it do not match. */
  readonly contradicted: (sentence: string) => never
}

/** The position of an account in an asset that was used since positions were dropped from memory. */
type Kept = OwnedPosition & {
  readonly position: ChangingPosition
  isChanged: boolean
}

export class PositionBook {
  readonly markets = new Markets()
  readonly #storage: PositionStorage
  readonly #keptByAccount = new Map<AccountId, Map<AssetId, Kept>>()
  #changed: Kept[] = []
  #size = 0

  constructor(storage: PositionStorage) {
    this.#storage = storage
  }

  /** Number of positions in memory. */
  get size(): number {
    return this.#size
  }

  /**
   * Applies the next trades and transfers, each in order, in pieces of any size; earlier ones must have been
   * applied before.
   */
  append(trades: readonly HistoryTrade[], transfers: readonly HistoryTransfer[]): void {
    let next = 0
    for (const trade of trades) {
      for (let each = transfers[next]; each !== undefined && each.seq < trade.seq; each = transfers[next]) {
        this.#transfer(each)
        next++
      }
      this.#trade(trade)
    }
    for (; next < transfers.length; next++) this.#transfer(transfers[next] as HistoryTransfer)
  }

  /** The positions of an account that are in memory. */
  kept(accountId: AccountId): readonly AssetPosition[] {
    const kept = this.#keptByAccount.get(accountId)
    return kept === undefined
      ? []
      : [...kept.values()].map(({ assetId, position }) => ({ assetId, ...position }))
  }

  /** All positions in memory. */
  *all(): Generator<OwnedPosition, void> {
    for (const kept of this.#keptByAccount.values()) yield* kept.values()
  }

  /** Positions that changed since the last call. */
  drain(): readonly OwnedPosition[] {
    const changed = this.#changed
    for (const each of changed) each.isChanged = false
    this.#changed = []
    return changed
  }

  /** Drops all positions from memory: the stored ones may have changed. */
  forget(): void {
    this.#keptByAccount.clear()
    this.#changed = []
    this.#size = 0
  }

  /** In a trade of an account with itself, the maker's side comes first, as in the ledger. */
  #trade({ symbolId, trade, maker, taker }: HistoryTrade): void {
    const market = this.markets.of(symbolId)
    // A book without listings keeps no positions: the listing comes before any trade.
    if (market === undefined) return
    this.#fill(market, maker)
    this.#fill(market, taker)
    this.markets.traded(symbolId, trade.price)
  }

  #fill(market: ValuedMarket, { accountId, record }: PartyRecord): void {
    const { base, quote } = market.terms
    const { side, quantity, total, commission } = record
    const units = baseUnits(quantity, market.lotScale)
    const ofBase = this.#changing(accountId, base)
    const ofQuote = this.#changing(accountId, quote)
    const isPaid = this.markets.own(base) === market
    if (side === 'BUY') {
      const received = difference(units, commission)
      this.#leave(ofQuote, total, this.markets.worth(quote, total))
      enter(ofBase.position, received, this.#inCosts(market, isPaid, total, received), isPaid)
    } else {
      const received = difference(total, commission)
      this.#leave(ofBase, units, this.#inCosts(market, isPaid, received, units))
      enter(ofQuote.position, received, this.markets.worth(quote, received), false)
    }
  }

  /**
   * The amount paid or received in the quote asset of a market, converted to the cost asset of its base. In a
   * market other than the base's own, the last price between the two quote assets applies; if there is none,
   * the base itself is valued at its last price.
   */
  #inCosts({ terms }: ValuedMarket, isPaid: boolean, total: Amount, units: Amount): bigint | undefined {
    if (isPaid) return bigintOf(total) * COST_ONE
    const own = this.markets.own(terms.base)
    const converted = own && this.markets.converted(total, terms.quote, own.terms.quote)
    return converted ?? this.markets.worth(terms.base, units)
  }

  /** A move between savings and the rest changes nothing: both belong to the account. */
  #transfer({ accountId, assetId, spot, savings }: HistoryTransfer): void {
    const change = amount(add(spot, savings))
    if (change === 0) return
    const kept = this.#changing(accountId, assetId)
    if (change > 0) enter(kept.position, change, this.markets.worth(assetId, change), false)
    else this.#leave(kept, negated(change), undefined)
  }

  #leave({ accountId, assetId, position }: Kept, units: Amount, proceeds: bigint | undefined): void {
    if (isLess(position.quantity, units)) {
      const found = `account ${accountId} has ${position.quantity} units of asset ${assetId}`
      this.#storage.contradicted(`${found}, and ${units} leave`)
    }
    leave(position, units, proceeds)
  }

  #changing(accountId: AccountId, assetId: AssetId): Kept {
    const kept = this.#keptByAccount.get(accountId)?.get(assetId) ?? this.#keep(accountId, assetId)
    if (!kept.isChanged) {
      kept.isChanged = true
      this.#changed.push(kept)
    }
    return kept
  }

  #keep(accountId: AccountId, assetId: AssetId): Kept {
    const stored = this.#storage.read(accountId, assetId)
    const position = stored === undefined ? emptyPosition() : { ...stored }
    const kept = { accountId, assetId, position, isChanged: false }
    const ofAccount = this.#keptByAccount.get(accountId)
    if (ofAccount === undefined) this.#keptByAccount.set(accountId, new Map([[assetId, kept]]))
    else ofAccount.set(assetId, kept)
    this.#size++
    return kept
  }
}
