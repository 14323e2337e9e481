/** Candles for an auditor: read row by row, with a report of each damaged row. */
import type { Database } from 'bun:sqlite'
import type { StoredCandle, StoredCandles } from '../../../../engine/audit/candles.ts'
import type { CandleWidth } from '../../../../engine/history/candles/base-widths.ts'
import type { SymbolId } from '../../../../units/ids.ts'
import { type TimeMs, timeMs } from '../../../../units/quantities.ts'
import type { Row } from '../check.ts'
import { believed, type Reading } from '../lists/stored.ts'
import { finalizeAll, prepareAll, type Statements } from '../statements.ts'
import { readCandle, widthCode } from './row.ts'
import { CANDLE_SQL } from './tables.ts'

const AUDIT_SQL = { from: CANDLE_SQL.from, symbols: 'SELECT DISTINCT symbol_id FROM candle' } as const

type StatementName = keyof typeof AUDIT_SQL

export class CandleRows implements StoredCandles {
  readonly #statements: Statements<StatementName>
  readonly #reading: Reading

  constructor(db: Database, reading: Reading) {
    this.#statements = prepareAll(db, AUDIT_SQL)
    this.#reading = reading
  }

  from(symbolId: SymbolId, width: CandleWidth, from: TimeMs, limit: number): readonly StoredCandle[] {
    return this.#rows('from', symbolId, widthCode(width), from, limit).map((row) => ({
      start: timeMs(Number(row[0])),
      row: believed(() => readCandle({ symbolId, width }, row)),
    }))
  }

  symbols(): readonly SymbolId[] {
    return this.#rows('symbols').map(([symbolId]) => Number(symbolId) as SymbolId)
  }

  close(): void {
    finalizeAll(this.#statements)
  }

  #rows(name: StatementName, ...bindings: number[]): Row[] {
    return this.#reading(() => this.#statements[name].values(...bindings) as Row[])
  }
}
