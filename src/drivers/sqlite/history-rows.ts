/**
 * The statements of history.sqlite and how records become rows and back. With `safeIntegers` every INTEGER comes
 * back as a bigint; amounts are TEXT.
 */
import type { HistoryTrade, PartyRecord } from '../../engine/history.ts'
import type { Mark } from '../../engine/journal.ts'
import type { PublicTrade, TradeRecord } from '../../engine/ports.ts'
import type { AssetId, OrderNumber, SymbolId, TradeNumber } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { SIDES, type Side } from '../../units/order-words.ts'
import { amount, lots, price, seq, timeMs } from '../../units/quantities.ts'

/** A row in the order of the statement's columns. */
export type Row = readonly (bigint | string | Uint8Array)[]

const RECORD_COLUMNS =
  'trade_number, time_ms, symbol, side, order_number, order_time_ms, price, quantity, total, commission, commission_asset'

/** Every lookup here is one descent of a B-tree. */
export const SQL = {
  position: 'SELECT seq, journal_hash FROM position',
  movePosition: 'UPDATE position SET seq = ?, journal_hash = ?',
  addTrade:
    'INSERT INTO trade (symbol, seq, trade_number, price, quantity, time_ms) VALUES (?, ?, ?, ?, ?, ?)',
  addRecord: `INSERT INTO record (account, n, m, ${RECORD_COLUMNS}) VALUES (${'?, '.repeat(13)}?)`,
  accountTotal: 'SELECT coalesce(max(n), 0) FROM record WHERE account = ?',
  accountTradeNumber: 'SELECT trade_number FROM record WHERE account = ? AND n = ?',
  accountRecords: `SELECT ${RECORD_COLUMNS} FROM record WHERE account = ? AND n BETWEEN ? AND ? ORDER BY n DESC`,
  symbolTotal: 'SELECT coalesce(max(m), 0) FROM record WHERE account = ? AND symbol = ?',
  symbolTradeNumber: 'SELECT trade_number FROM record WHERE account = ? AND symbol = ? AND m = ?',
  symbolRecords: `SELECT ${RECORD_COLUMNS} FROM record
    WHERE account = ? AND symbol = ? AND m BETWEEN ? AND ? ORDER BY m DESC`,
  recentTrades: `SELECT trade_number, price, quantity, time_ms FROM trade
    WHERE symbol = ? AND seq <= ? ORDER BY seq DESC, trade_number DESC LIMIT ?`,
  dropRecords: 'DELETE FROM record',
  dropTrades: 'DELETE FROM trade',
} as const

export type StatementName = keyof typeof SQL

/** The parameters of `addTrade`. */
export function bindTrade({ symbolId, seq, trade }: HistoryTrade): number[] {
  return [symbolId, seq, trade.tradeNumber, trade.price, trade.quantity, trade.time]
}

/** The parameters of `addRecord`: number `n` in the account's list and `m` in that of account and symbol. */
export function bindRecord({ accountId, record }: PartyRecord, n: number, m: number): (number | string)[] {
  return [
    accountId,
    n,
    m,
    record.tradeNumber,
    record.time,
    record.symbolId,
    SIDES.indexOf(record.side),
    record.orderNumber,
    record.orderTime,
    record.price,
    record.quantity,
    record.total.toString(),
    record.commission.toString(),
    record.commissionAssetId,
  ]
}

/** A row of `accountRecords` or `symbolRecords`. */
export function readTradeRecord(row: Row): TradeRecord {
  const number = (column: number): number => Number(row[column])
  return {
    tradeNumber: number(0) as TradeNumber,
    time: timeMs(number(1)),
    symbolId: number(2) as SymbolId,
    side: sideOf(number(3)),
    orderNumber: number(4) as OrderNumber,
    orderTime: timeMs(number(5)),
    price: price(number(6)),
    quantity: lots(number(7)),
    total: amount(BigInt(row[8] as string)),
    commission: amount(BigInt(row[9] as string)),
    commissionAssetId: number(10) as AssetId,
  }
}

/** The row of `position`. */
export function readPosition(row: Row): Mark {
  return { seq: seq(Number(row[0])), hash: row[1] as Uint8Array }
}

/** A row of `recentTrades`. */
export function readPublicTrade(row: Row): PublicTrade {
  return {
    tradeNumber: Number(row[0]) as TradeNumber,
    price: price(Number(row[1])),
    quantity: lots(Number(row[2])),
    time: timeMs(Number(row[3])),
  }
}

function sideOf(position: number): Side {
  const side = SIDES[position]
  invariant(side !== undefined, () => `side in history must be 0 or 1, found ${position}`)
  return side
}
