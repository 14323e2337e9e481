/**
 * Compares positions in history, and the markets used for their valuation, with those computed from the
 * journal's trades and transfers: each once, and nothing else. All positions are kept in memory, like all
 * balances in the replay's machine.
 */
import type { AccountId, AssetId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { ValuedMarket } from '../history/positions/markets.ts'
import type { Position } from '../history/positions/position.ts'
import { PositionBook } from '../history/positions/position-book.ts'
import type { StoredRow } from './actions.ts'
import {
  differingFields,
  type HistoryDifference,
  type HistoryNames,
  type PositionRecords,
} from './history.ts'

export type StoredPosition = {
  readonly accountId: AccountId
  readonly assetId: AssetId
  readonly row: StoredRow<Position>
}

export type StoredMarket = {
  readonly symbolId: number
  readonly row: StoredRow<Pick<ValuedMarket, 'terms' | 'lastPrice'>>
}

export interface StoredPositions {
  /** Every stored position, each once. */
  positions(): Iterable<StoredPosition>
  markets(): Iterable<StoredMarket>
  /** Positions include everything up to this trade, and up to the transfer of this command. */
  readonly tradesTo: number
  readonly transfersTo: number
}

export class PositionComparison {
  readonly #stored: StoredPositions
  readonly #names: HistoryNames
  readonly #report: (difference: HistoryDifference) => void
  readonly #book = new PositionBook({
    read: () => undefined,
    contradicted: (sentence) => {
      invariant(false, () => sentence)
    },
  })

  constructor(stored: StoredPositions, names: HistoryNames, report: (difference: HistoryDifference) => void) {
    this.#stored = stored
    this.#names = names
    this.#report = report
  }

  /**
   * Adds the effects of one or several commands, each in order; effects already included in the stored
   * positions are skipped.
   */
  compare({ listings, trades, transfers }: PositionRecords): void {
    const { tradesTo, transfersTo } = this.#stored
    for (const terms of listings) this.#book.markets.add(terms)
    this.#book.append(
      trades.filter(({ trade }) => trade.tradeNumber <= tradesTo),
      transfers.filter(({ seq }) => seq <= transfersTo),
    )
  }

  finish(): void {
    this.#markets()
    const expected = new Map(
      this.#book
        .drain()
        .map(({ accountId, assetId, position }) => [
          keyOf(accountId, assetId),
          { accountId, assetId, position },
        ]),
    )
    for (const { accountId, assetId, row } of this.#stored.positions()) {
      const what = this.#nameOf(accountId, assetId)
      const caused = expected.get(keyOf(accountId, assetId))
      expected.delete(keyOf(accountId, assetId))
      if ('damage' in row) this.#add('DAMAGED', `${what}: ${row.damage}`)
      else if (caused === undefined)
        this.#add('EXTRA', `${what} is in history, but the journal has no such position`)
      else this.#differences(what, caused.position, row.value)
    }
    for (const { accountId, assetId } of expected.values()) {
      this.#add('MISSING', `${this.#nameOf(accountId, assetId)} is missing`)
    }
  }

  #markets(): void {
    let found = 0
    const { all } = this.#book.markets
    for (const { symbolId, row } of this.#stored.markets()) {
      const what = `the market of symbol ${symbolId}`
      const expected = all[symbolId]
      if ('damage' in row) this.#add('DAMAGED', `${what}: ${row.damage}`)
      else if (expected === undefined)
        this.#add('EXTRA', `${what} is in history, but the journal lists no such symbol`)
      else {
        const { terms, lastPrice } = row.value
        this.#differences(what, { ...expected.terms, lastPrice: expected.lastPrice }, { ...terms, lastPrice })
      }
      if (expected !== undefined) found++
    }
    if (found < all.length)
      this.#add('MISSING', `history has ${found} of the ${all.length} markets that were listed`)
  }

  #differences<Value extends object>(what: string, expected: Value, found: Value): void {
    for (const difference of differingFields(what, expected, found)) this.#report(difference)
  }

  #nameOf(accountId: AccountId, assetId: AssetId): string {
    return `the position of ${this.#names.account(accountId)} in asset ${assetId}`
  }

  #add(kind: HistoryDifference['kind'], sentence: string): void {
    this.#report({ kind, sentence })
  }
}

function keyOf(accountId: AccountId, assetId: AssetId): string {
  return `${accountId} ${assetId}`
}
