/**
 * The statements of history.sqlite and how records become rows and back. With `safeIntegers` every INTEGER comes
 * back as a bigint; amounts are TEXT.
 */

import { COMMAND_CODES, readCommand, writeCommand } from '../../core/exchange/codec/command-codec.ts'
import { readReply, writeReply } from '../../core/exchange/codec/reply-codec.ts'
import type { OperatorCommand } from '../../core/exchange/command.ts'
import type { ActionQuery, HistoryTrade, PartyRecord } from '../../engine/history.ts'
import type { Mark } from '../../engine/journal.ts'
import type { OperatorAction, PublicTrade, TradeRecord } from '../../engine/ports.ts'
import { ByteReader, ByteWriter } from '../../units/bytes.ts'
import type { AssetId, OrderNumber, SymbolId, TradeNumber } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { SIDES, type Side } from '../../units/order-words.ts'
import { amount, lots, price, seq, timeMs } from '../../units/quantities.ts'

/** A row in the order of the statement's columns. */
export type Row = readonly (bigint | string | Uint8Array)[]

/** A row is not what was written: the file is damaged. */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow'
}

export const RECORD_COLUMNS =
  'account, n, m, trade_number, time_ms, symbol, side, order_number, order_time_ms, price, quantity, total, commission, commission_asset, row_check'
export const ACTION_COLUMNS = 'seq, time_ms, actor, kind, command, reply, row_check'
export const TRADE_COLUMNS = 'symbol, seq, trade_number, price, quantity, time_ms, row_check'

/** Every lookup here is one descent of a B-tree. */
export const SQL = {
  position: 'SELECT seq, journal_hash, row_check FROM position',
  movePosition: 'UPDATE position SET seq = ?, journal_hash = ?, row_check = ?',
  addTrade: `INSERT INTO trade (${TRADE_COLUMNS}) VALUES (${'?, '.repeat(6)}?)`,
  addRecord: `INSERT INTO record (${RECORD_COLUMNS}) VALUES (${'?, '.repeat(14)}?)`,
  accountTotal: 'SELECT coalesce(max(n), 0) FROM record WHERE account = ?',
  accountRecords: `SELECT ${RECORD_COLUMNS} FROM record WHERE account = ? AND n BETWEEN ? AND ? ORDER BY n DESC`,
  symbolTotal: 'SELECT coalesce(max(m), 0) FROM record WHERE account = ? AND symbol = ?',
  symbolRecords: `SELECT ${RECORD_COLUMNS} FROM record
    WHERE account = ? AND symbol = ? AND m BETWEEN ? AND ? ORDER BY m DESC`,
  recentTrades: `SELECT ${TRADE_COLUMNS} FROM trade
    WHERE symbol = ? AND seq <= ? ORDER BY seq DESC, trade_number DESC LIMIT ?`,
  addAction: `INSERT INTO action (${ACTION_COLUMNS}) VALUES (${'?, '.repeat(6)}?)`,
  actions: `SELECT ${ACTION_COLUMNS} FROM action WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
  actionsOfActor: `SELECT ${ACTION_COLUMNS} FROM action WHERE seq < ? AND actor = ? ORDER BY seq DESC LIMIT ?`,
  actionsOfKind: `SELECT ${ACTION_COLUMNS} FROM action WHERE seq < ? AND kind = ? ORDER BY seq DESC LIMIT ?`,
  actionsOfBoth: `SELECT ${ACTION_COLUMNS} FROM action
    WHERE seq < ? AND actor = ? AND kind = ? ORDER BY seq DESC LIMIT ?`,
  dropActions: 'DELETE FROM action',
  dropRecords: 'DELETE FROM record',
  dropTrades: 'DELETE FROM trade',
} as const

export type StatementName = keyof typeof SQL

/** The parameters of `movePosition`. */
export function bindPosition({ seq, hash }: Mark): (number | Uint8Array)[] {
  return checked([seq, hash])
}

/** The parameters of `addTrade`. */
export function bindTrade({ symbolId, seq, trade }: HistoryTrade): number[] {
  return checked([symbolId, seq, trade.tradeNumber, trade.price, trade.quantity, trade.time])
}

/** The parameters of `addRecord`: number `n` in the account's list and `m` in that of account and symbol. */
export function bindRecord({ accountId, record }: PartyRecord, n: number, m: number): (number | string)[] {
  return checked([
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
  ])
}

/** The parameters of `addAction`. */
export function bindAction({ seq, time, command, reply }: OperatorAction): (number | string | Uint8Array)[] {
  const writer = new ByteWriter()
  writeCommand(writer, command)
  const commandBytes = writer.take()
  writer.reset()
  writeReply(writer, reply)
  return checked([
    seq,
    time,
    command.operator.actor,
    COMMAND_CODES[command.kind],
    commandBytes,
    writer.take(),
  ])
}

/** The statement that finds what is asked for, and its parameters. */
export function actionLookup({ before, limit, actor, kind }: ActionQuery): {
  readonly name: StatementName
  readonly bindings: (number | string)[]
} {
  const start = before ?? Number.MAX_SAFE_INTEGER
  const code = kind === undefined ? undefined : COMMAND_CODES[kind]
  if (actor === undefined && code === undefined) return { name: 'actions', bindings: [start, limit] }
  if (code === undefined) return { name: 'actionsOfActor', bindings: [start, actor ?? '', limit] }
  if (actor === undefined) return { name: 'actionsOfKind', bindings: [start, code, limit] }
  return { name: 'actionsOfBoth', bindings: [start, actor, code, limit] }
}

/** A row of `actions` and its kin. */
export function readAction(row: Row): OperatorAction {
  verify(row)
  const command = readCommand(new ByteReader(row[4] as Uint8Array)) as OperatorCommand
  const reply = readReply(new ByteReader(row[5] as Uint8Array))
  return { seq: seq(Number(row[0])), time: timeMs(Number(row[1])), command, reply }
}

/** As `readAction`; what a row is looked up by must be what its command says. */
export function readSoundAction(row: Row): OperatorAction {
  const action = readAction(row)
  const { kind, operator } = action.command
  if (row[2] === operator.actor && Number(row[3]) === COMMAND_CODES[kind]) return action
  throw new DamagedRow(`a row of ${kind} by ${operator.actor} is found as ${row[3]} by ${row[2]}`)
}

/** A row of `accountRecords` or `symbolRecords`. Throws `DamagedRow`, as do the other two. */
export function readTradeRecord(row: Row): TradeRecord {
  verify(row)
  const number = (column: number): number => Number(row[column])
  return {
    tradeNumber: number(3) as TradeNumber,
    time: timeMs(number(4)),
    symbolId: number(5) as SymbolId,
    side: sideOf(number(6)),
    orderNumber: number(7) as OrderNumber,
    orderTime: timeMs(number(8)),
    price: price(number(9)),
    quantity: lots(number(10)),
    total: amount(BigInt(row[11] as string)),
    commission: amount(BigInt(row[12] as string)),
    commissionAssetId: number(13) as AssetId,
  }
}

/** The row of `position`. */
export function readPosition(row: Row): Mark {
  verify(row)
  return { seq: seq(Number(row[0])), hash: row[1] as Uint8Array }
}

/** A row of `recentTrades`. */
export function readPublicTrade(row: Row): PublicTrade {
  verify(row)
  return {
    tradeNumber: Number(row[2]) as TradeNumber,
    price: price(Number(row[3])),
    quantity: lots(Number(row[4])),
    time: timeMs(Number(row[5])),
  }
}

function sideOf(position: number): Side {
  const side = SIDES[position]
  invariant(side !== undefined, () => `side in history must be 0 or 1, found ${position}`)
  return side
}

/** The values and, last, their check. */
function checked<Value>(values: readonly Value[]): (Value | number)[] {
  return [...values, checkOf(values)]
}

/** A number and a bigint have the same text, so the check of what is read is that of what was written. */
function checkOf(values: readonly unknown[]): number {
  return Bun.hash.crc32(values.join())
}

function verify(row: Row): void {
  const [expected, found] = [row.at(-1), checkOf(row.slice(0, -1))]
  if (expected !== BigInt(found)) throw new DamagedRow(`a row has check ${found}, expected ${expected}`)
}
