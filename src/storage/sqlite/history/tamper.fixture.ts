/**
 * Changes history.sqlite without its store, for tests: with correct checksums, as an informed attacker could.
 */
import { Database } from 'bun:sqlite'
import type { HistoryTrade } from '../../../engine/history/history.ts'
import type { EndedOrder } from '../../../engine/history/order-history.ts'
import { emptyPosition, type Position } from '../../../engine/history/positions/position.ts'
import { readUpdates, type StoredUpdate, UpdateWriter } from '../../../engine/history/update-codec.ts'
import type { HistoryTransfer } from '../../../engine/port/transfer.ts'
import type { Candle } from '../../../units/candle.ts'
import type { AccountId, AssetId } from '../../../units/ids.ts'
import type { Price, Seq, TimeMs } from '../../../units/quantities.ts'
import { type CandleList, widthCode } from './candles/row.ts'
import { CandleTables } from './candles/tables.ts'
import { EndedOrders } from './ended/ended-orders.ts'
import { readPage } from './ended/rows.ts'
import { Block, BlockWriter } from './lists/blocks.ts'
import { givenPlaces } from './lists/given-places.fixture.ts'
import { EMPTY_LISTS } from './lists/lists.ts'
import type { Linked, RecordKind } from './lists/record.ts'
import { ORDERS } from './orders.ts'
import { PositionTables } from './positions/tables.ts'
import { HistoryTables } from './tables.ts'
import { TRADES } from './trades.ts'
import { TRANSFERS } from './transfers.ts'
import { UpdateBlocks, updatesOfRow } from './updates.ts'

export type LinkedTrade = Linked<HistoryTrade>

/**
 * Replaces the stored trades by the result of `change`, each in its own row, with the given links. If the
 * same trade follows itself, it is stored in one row with the trade before it, and once more in a row of its
 * own. Returns the number of trades.
 */
export function rewriteTrades(
  file: string,
  change: (trades: LinkedTrade[]) => readonly LinkedTrade[],
): number {
  return rewrite(file, TRADES, change)
}

/** Replaces the stored transfers in the same way. */
export function rewriteTransfers(
  file: string,
  change: (transfers: Linked<HistoryTransfer>[]) => readonly Linked<HistoryTransfer>[],
): number {
  return rewrite(file, TRANSFERS, change)
}

/**
 * Removes all positions and all ends of lists of transfers, as if none had been stored yet; the caller
 * updates the checksum of history's position.
 */
export function dropPositions(file: string): void {
  const transfers = rewriteTransfers(file, (all) => all)
  const db = new Database(file, { safeIntegers: true })
  const tables = new PositionTables(db)
  const markets = tables.markets()
  tables.drop()
  for (const { terms } of markets) tables.setMarket(terms, 0 as Price)
  tables.close()
  db.run('DELETE FROM transfer_end')
  db.run('UPDATE position SET transfer_ends_to = 0, transfers_after = ?', [transfers])
  db.close()
}

/**
 * Keeps only the orders placed up to a command, and the ends that they had by then; returns the number of
 * orders.
 */
export function rewriteOrders(file: string, upTo: number): number {
  rewriteEnds(file, (ends) => ends.filter(({ seq }) => seq <= upTo))
  return rewrite(file, ORDERS, (orders) => orders.filter(({ record }) => record.seq <= upTo))
}

/**
 * Replaces the stored ends by the result of `change`, by order; updates the checksum of history's position.
 */
export function rewriteEnds(file: string, change: (ends: EndedOrder[]) => readonly EndedOrder[]): void {
  const db = new Database(file, { safeIntegers: true })
  const tables = new HistoryTables(db)
  const position = tables.position()
  const ended = new EndedOrders(tables.ended)
  ended.load(position.ended)
  ended.storeEnds()
  const pages = db.query('SELECT page, data FROM ended_page').values() as [bigint, Uint8Array][]
  const ends = change(pages.flatMap(([page, data]) => readPage(Number(page), data)))
  tables.ended.drop()
  ended.load(EMPTY_LISTS)
  ended.append([...ends].sort((a, b) => a.seq - b.seq))
  ended.storeEnds()
  tables.movePosition({ ...position, ended: ended.position })
  tables.close()
  db.close(true)
}

/** Keeps only the updates of accounts up to a command. */
export function rewriteUpdates(file: string, upTo: Seq): void {
  const db = new Database(file, { safeIntegers: true })
  const blocks = new UpdateBlocks(db)
  const writer = new UpdateWriter()
  const rows = db.query('SELECT last_seq, accounts, data FROM update_block ORDER BY last_seq').values()
  for (const [last, accounts, data] of rows) {
    const all = (): boolean => true
    readUpdates(updatesOfRow(Number(last), accounts, data).bytes, all, (update) => {
      if (update.seq <= upTo) writeStored(writer, update)
    })
  }
  blocks.drop()
  blocks.add(writer.take(), upTo)
  blocks.close()
  db.close(true)
}

function writeStored(writer: UpdateWriter, update: StoredUpdate): void {
  const { placed, changed, ended, trades, balances } = update
  writer.begin(update.seq, update.time, update.accountId)
  writer.count(placed.length + changed.length + ended.length)
  for (const orderNumber of placed) writer.placed(orderNumber)
  for (const order of changed) writer.changed(order)
  for (const orderNumber of ended) writer.ended(orderNumber)
  writer.count(trades.length)
  for (const tradeNumber of trades) writer.trade(tradeNumber)
  writer.count(balances.length)
  for (const balance of balances) writer.balance(balance)
  writer.end()
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

/**
 * Stores a candle with the link of the candle in its place, or of the one after it; `becomes` undefined
 * removes the candle.
 */
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

/** Replaces each position by the result of `change`; undefined removes its row. */
export function rewritePositions(
  file: string,
  change: (accountId: AccountId, assetId: AssetId, position: Position) => Position | undefined,
): void {
  const db = new Database(file, { safeIntegers: true })
  const tables = new PositionTables(db)
  const keys = db.query('SELECT account, asset FROM account_position').values() as [bigint, bigint][]
  for (const [account, asset] of keys) {
    const [accountId, assetId] = [Number(account) as AccountId, Number(asset) as AssetId]
    const changed = change(accountId, assetId, tables.position(accountId, assetId) as Position)
    if (changed !== undefined) tables.set(accountId, assetId, changed)
    else db.run('DELETE FROM account_position WHERE account = ? AND asset = ?', [accountId, assetId])
  }
  tables.close()
  db.close()
}

/** Stores an empty position of an account in the first asset. */
export function addPosition(file: string, accountId: AccountId): void {
  const db = new Database(file, { safeIntegers: true })
  const tables = new PositionTables(db)
  tables.set(accountId, 0 as AssetId, emptyPosition())
  tables.close()
  db.close()
}
