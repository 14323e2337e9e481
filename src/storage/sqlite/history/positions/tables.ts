/**
 * The tables of positions: their rows are read and written one at a time; transactions belong to the caller.
 */
import type { Database } from 'bun:sqlite'
import type { MarketTerms, ValuedMarket } from '../../../../engine/history/positions/markets.ts'
import type { AssetPosition, Position } from '../../../../engine/history/positions/position.ts'
import { ByteWriter } from '../../../../units/bytes.ts'
import type { AccountId, AssetId } from '../../../../units/ids.ts'
import type { Price } from '../../../../units/quantities.ts'
import type { Row } from '../check.ts'
import { finalizeAll, prepareAll, type Statements } from '../statements.ts'
import { readMarket, readPosition, writeMarket, writePosition } from './rows.ts'

/**
 * `account_position` has a row for each account and asset that the account has ever had; `market` has one for
 * each symbol, without gaps in the numbers.
 */
export const POSITION_TABLES = `
CREATE TABLE account_position (
  account INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (account, asset)
) STRICT, WITHOUT ROWID;
CREATE TABLE market (
  symbol_id INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;
`

/** Every lookup in these tables is one descent of a B-tree. */
export const POSITION_SQL = {
  setPosition: `INSERT INTO account_position (account, asset, data) VALUES (?, ?, ?)
    ON CONFLICT (account, asset) DO UPDATE SET data = excluded.data`,
  position: 'SELECT data FROM account_position WHERE account = ? AND asset = ?',
  positionsFrom:
    'SELECT asset, data FROM account_position WHERE account = ? AND asset >= ? ORDER BY asset LIMIT ?',
  setMarket: `INSERT INTO market (symbol_id, data) VALUES (?, ?)
    ON CONFLICT (symbol_id) DO UPDATE SET data = excluded.data`,
  markets: 'SELECT symbol_id, data FROM market ORDER BY symbol_id',
  dropPositions: 'DELETE FROM account_position',
  dropMarkets: 'DELETE FROM market',
} as const

export class PositionTables {
  readonly #statements: Statements<keyof typeof POSITION_SQL>
  readonly #row = new ByteWriter(256)

  /** Throws SQLite's error if a statement does not fit the tables. */
  constructor(db: Database) {
    this.#statements = prepareAll(db, POSITION_SQL)
  }

  set(accountId: AccountId, assetId: AssetId, position: Position): void {
    const data = writePosition(this.#row, accountId, assetId, position)
    this.#statements.setPosition.run(accountId, assetId, data)
  }

  /** Throws `DamagedRowFault`, as the other methods do. */
  position(accountId: AccountId, assetId: AssetId): Position | undefined {
    const [row] = this.#statements.position.values(accountId, assetId) as Row[]
    return row && readPosition(accountId, assetId, row[0])
  }

  /** At most `limit` positions of an account, in assets from `from` on, in the order of assets. */
  positionsFrom(accountId: AccountId, from: AssetId, limit: number): AssetPosition[] {
    const rows = this.#statements.positionsFrom.values(accountId, from, limit) as Row[]
    return rows.map(([asset, data]) => {
      const assetId = Number(asset) as AssetId
      return { assetId, ...readPosition(accountId, assetId, data) }
    })
  }

  setMarket(terms: MarketTerms, lastPrice: Price): void {
    this.#statements.setMarket.run(terms.id, writeMarket(this.#row, terms, lastPrice))
  }

  /** In the order of listing. */
  markets(): Pick<ValuedMarket, 'terms' | 'lastPrice'>[] {
    const rows = this.#statements.markets.values() as Row[]
    return rows.map(([symbolId, data]) => readMarket(Number(symbolId), data))
  }

  /** Deletes all rows, so that the tables are as if new. */
  drop(): void {
    this.#statements.dropPositions.run()
    this.#statements.dropMarkets.run()
  }

  close(): void {
    finalizeAll(this.#statements)
  }
}
