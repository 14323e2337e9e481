/** Changes of history.sqlite behind its back, for tests: by someone who knows how rows are checked. */
import { Database } from 'bun:sqlite'
import type { HistoryTrade } from '../../../engine/history.ts'
import type { Candle } from '../../../units/candle.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { type CandleList, widthCode } from './candles/row.ts'
import { CandleTables } from './candles/tables.ts'
import { Block, BlockWriter } from './lists/blocks.ts'
import { givenPlaces } from './lists/given-places.fixture.ts'
import type { Linked } from './lists/record.ts'
import { TRADES } from './trades.ts'

export type LinkedTrade = Linked<HistoryTrade>

/**
 * Stores the trades that `change` makes of those stored, each in a row of its own, with the links that they are given. One
 * that comes twice in a row is stored with the one before it, and once more alone. Answers how many there are.
 */
export function rewriteTrades(
  file: string,
  change: (trades: LinkedTrade[]) => readonly LinkedTrade[],
): number {
  const db = new Database(file, { safeIntegers: true })
  const stored = db.query('SELECT first, data FROM trade_block ORDER BY first').values()
  const blocks = (stored as [bigint, Uint8Array][]).map(
    ([first, data]) => new Block(TRADES, Number(first), data),
  )
  const trades = change(blocks.flatMap((block) => block.records()))
  db.run('DELETE FROM trade_block')
  const block = new BlockWriter(TRADES)
  for (const [i, { record, places }] of trades.entries()) {
    block.add(TRADES.headOf(record), record, givenPlaces(places))
    const [next, afterNext] = [trades[i + 1], trades[i + 2]]
    const isNextDoubled = next?.record.trade.tradeNumber === afterNext?.record.trade.tradeNumber
    if (next !== undefined && isNextDoubled) continue
    db.run('INSERT INTO trade_block VALUES (?, ?)', [block.first ?? 0, block.end()])
  }
  db.close(true)
  return trades.length
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
