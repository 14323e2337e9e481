/** The table of candles: its rows are read and written one at a time; transactions belong to the caller. */
import type { Database } from 'bun:sqlite'
import type { ListedCandle } from '../../../../engine/history/candles/running-candles.ts'
import { ByteWriter } from '../../../../units/bytes.ts'
import type { TimeMs } from '../../../../units/quantities.ts'
import type { Row } from '../check.ts'
import { finalizeAll, prepareAll, type Statements } from '../statements.ts'
import { type CandleList, readCandle, widthCode, writeCandle } from './row.ts'

/**
 * `candle` has a row for each window of a base width (`width_s` seconds) in which the symbol had trades; see
 * `row.ts`.
 */
export const CANDLE_TABLE = `
CREATE TABLE candle (
  symbol_id INTEGER NOT NULL,
  width_s INTEGER NOT NULL CHECK (width_s IN (1, 60, 900, 7200, 86400)),
  start_ms INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (symbol_id, width_s, start_ms)
) STRICT, WITHOUT ROWID;
`

const OF_LIST = 'SELECT start_ms, data FROM candle WHERE symbol_id = ? AND width_s = ?'

/** Every lookup in this table is one descent of a B-tree. */
export const CANDLE_SQL = {
  setCandle: `INSERT INTO candle (symbol_id, width_s, start_ms, data) VALUES (?, ?, ?, ?)
    ON CONFLICT (symbol_id, width_s, start_ms) DO UPDATE SET data = excluded.data`,
  within: `${OF_LIST} AND start_ms >= ? AND start_ms < ? ORDER BY start_ms DESC LIMIT ?`,
  from: `${OF_LIST} AND start_ms >= ? ORDER BY start_ms LIMIT ?`,
  dropCandles: 'DELETE FROM candle',
} as const

/** Earlier than every time. */
const NEVER = -1 as TimeMs

export class CandleTables {
  readonly #statements: Statements<keyof typeof CANDLE_SQL>
  readonly #row = new ByteWriter()

  /** Throws SQLite's error if a statement does not fit the table. */
  constructor(db: Database) {
    this.#statements = prepareAll(db, CANDLE_SQL)
  }

  set(list: CandleList, listed: ListedCandle): void {
    const data = writeCandle(this.#row, list, listed)
    this.#statements.setCandle.run(list.symbolId, widthCode(list.width), listed.candle.start, data)
  }

  /**
   * Candles that begin at `from` or later and before `before`, newest first. Throws `DamagedRowFault`, as the
   * other methods do.
   */
  within(list: CandleList, from: TimeMs, before: TimeMs, limit: number): ListedCandle[] {
    return this.#rows(list, 'within', from, before, limit)
  }

  /** The newest candle that begins before `before`. */
  newestBefore(list: CandleList, before: TimeMs): ListedCandle | undefined {
    return this.within(list, NEVER, before, 1)[0]
  }

  /** The oldest candle that begins at `from` or later. */
  oldestFrom(list: CandleList, from: TimeMs): ListedCandle | undefined {
    return this.#rows(list, 'from', from, 1)[0]
  }

  /** Deletes all rows, so that the table is as if new. */
  drop(): void {
    this.#statements.dropCandles.run()
  }

  close(): void {
    finalizeAll(this.#statements)
  }

  #rows(list: CandleList, name: 'within' | 'from', ...bindings: number[]): ListedCandle[] {
    const rows = this.#statements[name].values(list.symbolId, widthCode(list.width), ...bindings) as Row[]
    return rows.map((row) => readCandle(list, row))
  }
}
