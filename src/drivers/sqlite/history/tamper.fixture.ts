/** Changes of history.sqlite behind its back, for tests: by someone who knows how rows are checked. */
import { Database } from 'bun:sqlite'
import type { HistoryTrade } from '../../../engine/history.ts'
import type { HistoryTransfer } from '../../../engine/transfer.ts'
import type { Candle } from '../../../units/candle.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { type CandleList, widthCode } from './candles/row.ts'
import { CandleTables } from './candles/tables.ts'
import { Block, BlockWriter } from './lists/blocks.ts'
import { givenPlaces } from './lists/given-places.fixture.ts'
import type { Linked, RecordKind } from './lists/record.ts'
import { ORDERS, readEnd } from './orders.ts'
import { TRADES } from './trades.ts'
import { TRANSFERS } from './transfers.ts'

export type LinkedTrade = Linked<HistoryTrade>

/**
 * Stores the trades that `change` makes of those stored, each in a row of its own, with the links that they are given. One
 * that comes twice in a row is stored with the one before it, and once more alone. Answers how many there are.
 */
export function rewriteTrades(
  file: string,
  change: (trades: LinkedTrade[]) => readonly LinkedTrade[],
): number {
  return rewrite(file, TRADES, change)
}

/** The same of transfers. */
export function rewriteTransfers(
  file: string,
  change: (transfers: Linked<HistoryTransfer>[]) => readonly Linked<HistoryTransfer>[],
): number {
  return rewrite(file, TRANSFERS, change)
}

/** Leaves the orders that were placed up to a command, and the ends that they had by then; answers how many orders. */
export function rewriteOrders(file: string, upTo: number): number {
  const db = new Database(file, { safeIntegers: true })
  for (const [number, data] of db.query('SELECT number, data FROM ended').values() as [
    bigint,
    Uint8Array,
  ][]) {
    const { seq } = readEnd(Number(number), data)
    if (seq > upTo) db.run('DELETE FROM ended WHERE number = ?', [number])
  }
  db.close(true)
  return rewrite(file, ORDERS, (orders) => orders.filter(({ record }) => record.seq <= upTo))
}

function rewrite<Value>(
  file: string,
  kind: RecordKind<Value>,
  change: (records: Linked<Value>[]) => readonly Linked<Value>[],
): number {
  const table = `${kind.word}_block`
  const db = new Database(file, { safeIntegers: true })
  const stored = db.query(`SELECT first, data FROM ${table} ORDER BY first`).values()
  const blocks = (stored as [bigint, Uint8Array][]).map(
    ([first, data]) => new Block(kind, Number(first), data),
  )
  const records = change(blocks.flatMap((block) => block.records()))
  db.run(`DELETE FROM ${table}`)
  const block = new BlockWriter(kind)
  const numberOf = (linked: Linked<Value> | undefined) => linked && kind.headOf(linked.record).number
  for (const [i, { record, places }] of records.entries()) {
    block.add(kind.headOf(record), record, givenPlaces(places))
    const [next, afterNext] = [records[i + 1], records[i + 2]]
    if (next !== undefined && numberOf(next) === numberOf(afterNext)) continue
    db.run(`INSERT INTO ${table} VALUES (?, ?)`, [block.first ?? 0, block.end()])
  }
  db.close(true)
  return records.length
}

/** Stores a candle, linked as the one that stands there or the one after its place is; undefined takes it away. */
export function rewriteCandle(
  file: string,
  list: CandleList,
  start: TimeMs,
  becomes: Candle | undefined,
): void {
  const db = new Database(file, { safeIntegers: true })
  const tables = new CandleTables(db)
  if (becomes === undefined) {
    db.run('DELETE FROM candle WHERE symbol_id = ? AND width_s = ? AND start_ms = ?', [
      list.symbolId,
      widthCode(list.width),
      start,
    ])
  } else tables.set(list, { candle: becomes, previous: tables.oldestFrom(list, start)?.previous })
  tables.close()
  db.close(true)
}
