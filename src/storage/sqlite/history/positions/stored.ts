/** Positions for an auditor: read row by row, with a report of each damaged row. */
import type { Database } from 'bun:sqlite'
import type { StoredMarket, StoredPosition, StoredPositions } from '../../../../engine/audit/positions.ts'
import type { AccountId, AssetId } from '../../../../units/ids.ts'
import type { Row } from '../check.ts'
import { believed, type Reading } from '../lists/stored.ts'
import { finalizeAll, prepareAll, type Statements } from '../statements.ts'
import { readMarket, readPosition } from './rows.ts'
import { POSITION_SQL } from './tables.ts'

const AUDIT_SQL = {
  positions: `SELECT account, asset, data FROM account_position
    WHERE (account, asset) > (?, ?) ORDER BY account, asset LIMIT ?`,
  markets: POSITION_SQL.markets,
} as const
type StatementName = keyof typeof AUDIT_SQL

/** Number of rows read at once. */
const ROWS = 1_000

export class PositionRows implements StoredPositions {
  readonly tradesTo: number
  readonly transfersTo: number
  readonly #statements: Statements<StatementName>
  readonly #reading: Reading

  /** `to` has the numbers of the last trade and the last transfer included in the positions. */
  constructor(db: Database, to: { readonly trades: number; readonly transfers: number }, reading: Reading) {
    this.tradesTo = to.trades
    this.transfersTo = to.transfers
    this.#statements = prepareAll(db, AUDIT_SQL)
    this.#reading = reading
  }

  *positions(): Generator<StoredPosition, void> {
    let last: readonly [account: number, asset: number] = [-1, -1]
    for (;;) {
      const rows = this.#rows('positions', ...last, ROWS)
      for (const [account, asset, data] of rows) {
        last = [Number(account), Number(asset)]
        const [accountId, assetId] = last as [AccountId, AssetId]
        yield { accountId, assetId, row: believed(() => readPosition(accountId, assetId, data)) }
      }
      if (rows.length < ROWS) return
    }
  }

  *markets(): Generator<StoredMarket, void> {
    for (const [id, data] of this.#rows('markets')) {
      const symbolId = Number(id)
      yield { symbolId, row: believed(() => readMarket(symbolId, data)) }
    }
  }

  close(): void {
    finalizeAll(this.#statements)
  }

  #rows(name: StatementName, ...bindings: number[]): Row[] {
    return this.#reading(() => this.#statements[name].values(...bindings) as Row[])
  }
}
