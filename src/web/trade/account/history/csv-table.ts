/**
 * Histories as tables for files (RFC 4180), with the exchange's exact decimals unchanged, and times in ISO
 * 8601 as well as in milliseconds.
 */
import type { LedgerEntry } from '../../../../client/interface/answers.ts'
import type { Fill, Order } from '../../../../client/interface/orders.ts'
import { CSV_LINE_END, csvField } from '../../../../contract/csv.ts'

/** The value of a cell; undefined if it does not apply, which leaves the cell empty. */
type Cell = string | number | boolean | undefined

export type Column<Row> = readonly [name: string, cell: (row: Row) => Cell]

export const ORDER_COLUMNS: readonly Column<Order>[] = [
  ['id', (order) => order.id],
  ['createdAt', (order) => order.createdAt],
  ['createdDate', (order) => isoTime(order.createdAt)],
  ['updatedAt', (order) => order.updatedAt],
  ['updatedDate', (order) => isoTime(order.updatedAt)],
  ['symbol', (order) => order.symbol],
  ['side', (order) => order.side],
  ['type', (order) => order.type],
  ['timeInForce', (order) => order.timeInForce],
  ['price', (order) => order.price],
  ['stopPrice', (order) => order.stopPrice],
  ['trailingDelta', (order) => order.trailingDelta],
  ['quantity', (order) => order.quantity],
  ['visibleQuantity', (order) => order.visibleQuantity],
  ['total', (order) => order.total],
  ['executedQuantity', (order) => order.executedQuantity],
  ['executedTotal', (order) => order.executedTotal],
  ['averagePrice', (order) => order.averagePrice],
  ['commission', (order) => order.commission],
  ['commissionAsset', (order) => order.commissionAsset],
  ['preventedQuantity', (order) => order.preventedQuantity],
  ['status', (order) => order.status],
  ['endReason', (order) => order.endReason],
  ['selfTradePreventionMode', (order) => order.selfTradePreventionMode],
  ['expireTime', (order) => order.expireTime],
  ['expireDate', (order) => isoTime(order.expireTime)],
  ['clientOrderId', (order) => order.clientOrderId],
  ['listId', (order) => order.listId],
]

export const FILL_COLUMNS: readonly Column<Fill>[] = [
  ['id', (fill) => fill.id],
  ['time', (fill) => fill.time],
  ['date', (fill) => isoTime(fill.time)],
  ['orderId', (fill) => fill.orderId],
  ['symbol', (fill) => fill.symbol],
  ['side', (fill) => fill.side],
  ['price', (fill) => fill.price],
  ['quantity', (fill) => fill.quantity],
  ['total', (fill) => fill.total],
  ['commission', (fill) => fill.commission],
  ['commissionAsset', (fill) => fill.commissionAsset],
  ['isMaker', (fill) => fill.isMaker],
]

/** The columns of the exchange's own table (docs/reference/orders.md#csv). */
export const LEDGER_COLUMNS: readonly Column<LedgerEntry>[] = [
  ['id', (entry) => entry.id],
  ['time', (entry) => entry.time],
  ['date', (entry) => isoTime(entry.time)],
  ['asset', (entry) => entry.asset],
  ['wallet', (entry) => entry.wallet],
  ['cause', (entry) => entry.cause],
  ['amount', (entry) => entry.amount],
  ['balance', (entry) => entry.balance],
  ['symbol', (entry) => entry.symbol],
  ['orderId', (entry) => entry.orderId],
  ['tradeId', (entry) => entry.tradeId],
  ['reference', (entry) => entry.reference],
]

export function csvHead<Row>(columns: readonly Column<Row>[]): string {
  return csvLine(columns.map(([name]) => name))
}

export function csvRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => csvLine(columns.map(([, cell]) => cell(row)))).join('')
}

function csvLine(cells: readonly Cell[]): string {
  const fields = cells.map((cell) => csvField(typeof cell === 'boolean' ? String(cell) : cell))
  return fields.join(',') + CSV_LINE_END
}

/** In the format of the exchange: `2026-09-21T14:13:21.123+00:00`. */
function isoTime(timeMs: number | undefined): string | undefined {
  return timeMs === undefined ? undefined : new Date(timeMs).toISOString().replace('Z', '+00:00')
}
