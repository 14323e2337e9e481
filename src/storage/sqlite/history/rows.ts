/**
 * The statements of history.sqlite for its position and for operators' actions, and the conversion of these
 * to rows and back. The statements for lists are in `lists/tables.ts`.
 */

import { COMMAND_CODES, type OperatorCommand } from '../../../core/commands/command.ts'
import { readCommand, writeCommand } from '../../../core/commands/command-codec.ts'
import { readReply, writeReply } from '../../../core/questions/reply-codec.ts'
import { type ActionQuery, EMPTY_POSITION } from '../../../engine/history/history.ts'
import type { Mark } from '../../../engine/port/journal.ts'
import { type OperatorAction, referenceOf } from '../../../engine/port/ports.ts'
import { ByteReader, ByteWriter } from '../../../units/bytes.ts'
import type { AccountId } from '../../../units/ids.ts'
import { seq, timeMs } from '../../../units/quantities.ts'
import { checked, DamagedRowFault, type Row, verify } from './check.ts'
import { EMPTY_LISTS, type ListsPosition } from './lists/lists.ts'

export const ACTION_COLUMNS = 'seq, time_ms, actor, kind, account, reference, command, reply, row_check'

/** In place of an account's id. */
const NO_ACCOUNT = -1

const POSITION_COLUMNS = [
  'seq',
  'journal_hash',
  'trade_ends_to',
  'trades_after',
  'transfer_ends_to',
  'transfers_after',
  'order_ends_to',
  'orders_after',
  'ended_to',
  'ended_after',
  'markets',
  'row_check',
] as const

/** Every lookup in these tables is one descent of a B-tree. */
export const SQL = {
  position: `SELECT ${POSITION_COLUMNS.join(', ')} FROM position`,
  movePosition: `UPDATE position SET ${POSITION_COLUMNS.map((column) => `${column} = ?`).join(', ')}`,
  addPosition: `INSERT INTO position (id, ${POSITION_COLUMNS.join(', ')})
    VALUES (0, ${POSITION_COLUMNS.map(() => '?').join(', ')})`,
  addAction: `INSERT INTO action (${ACTION_COLUMNS}) VALUES (${'?, '.repeat(8)}?)`,
  actions: `SELECT ${ACTION_COLUMNS} FROM action WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
  actionsOfActor: `SELECT ${ACTION_COLUMNS} FROM action WHERE seq < ? AND actor = ? ORDER BY seq DESC LIMIT ?`,
  actionsOfKind: `SELECT ${ACTION_COLUMNS} FROM action WHERE seq < ? AND kind = ? ORDER BY seq DESC LIMIT ?`,
  actionsOfBoth: `SELECT ${ACTION_COLUMNS} FROM action
    WHERE seq < ? AND actor = ? AND kind = ? ORDER BY seq DESC LIMIT ?`,
  actionsOfAccount: `SELECT ${ACTION_COLUMNS} FROM action
    WHERE seq < ? AND account = ? AND account >= 0 ORDER BY seq DESC LIMIT ?`,
  actionsOfAccountAndKind: `SELECT ${ACTION_COLUMNS} FROM action
    WHERE seq < ? AND account = ? AND kind = ? AND account >= 0 ORDER BY seq DESC LIMIT ?`,
  actionsOfReference: `SELECT ${ACTION_COLUMNS} FROM action
    WHERE seq < ? AND reference = ? AND reference <> '' ORDER BY seq DESC LIMIT ?`,
  dropActions: 'DELETE FROM action',
} as const

export type StatementName = keyof typeof SQL

/**
 * The end of the last stored batch, and the positions of the lists of each kind of record and of the ends of
 * orders.
 */
export type StoredPosition = {
  readonly mark: Mark
  readonly trades: ListsPosition
  readonly transfers: ListsPosition
  readonly orders: ListsPosition
  readonly ended: ListsPosition
  /** Number of stored markets. */
  readonly markets: number
}

export const EMPTY: StoredPosition = {
  mark: EMPTY_POSITION,
  trades: EMPTY_LISTS,
  transfers: EMPTY_LISTS,
  orders: EMPTY_LISTS,
  ended: EMPTY_LISTS,
  markets: 0,
}

/** The parameters of `movePosition`. */
export function bindPosition({ mark, markets, ...lists }: StoredPosition): (number | Uint8Array)[] {
  const { trades, transfers, orders, ended } = lists
  const places = [trades.endsTo, trades.after, transfers.endsTo, transfers.after]
  places.push(orders.endsTo, orders.after, ended.endsTo, ended.after)
  return checked([mark.seq, mark.hash, ...places, markets])
}

/** Reads the row of `position`. Throws `DamagedRowFault`, as the other functions do. */
export function readPosition(row: Row | undefined): StoredPosition {
  if (row === undefined) throw new DamagedRowFault('the row of the position is missing')
  verify(row)
  const mark = { seq: seq(Number(row[0])), hash: row[1] as Uint8Array }
  const placeAt = (column: number): ListsPosition => ({
    endsTo: Number(row[column]),
    after: Number(row[column + 1]),
  })
  const [trades, transfers, orders, ended] = [placeAt(2), placeAt(4), placeAt(6), placeAt(8)]
  return { mark, trades, transfers, orders, ended, markets: Number(row[10]) }
}

/** The parameters of `addAction`. */
export function bindAction(action: OperatorAction): (number | string | Uint8Array)[] {
  const { seq, time, command, reply, accountId } = action
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
    accountId ?? NO_ACCOUNT,
    referenceOf(command) ?? '',
    commandBytes,
    writer.take(),
  ])
}

/** The statement that finds the requested actions, and its parameters. */
export function actionLookup(query: ActionQuery): {
  readonly name: StatementName
  readonly bindings: (number | string)[]
} {
  const { before, limit, actor, kind, accountId, reference } = query
  const start = before ?? Number.MAX_SAFE_INTEGER
  const code = kind === undefined ? undefined : COMMAND_CODES[kind]
  if (reference !== undefined) return { name: 'actionsOfReference', bindings: [start, reference, limit] }
  if (accountId !== undefined) {
    if (code === undefined) return { name: 'actionsOfAccount', bindings: [start, accountId, limit] }
    return { name: 'actionsOfAccountAndKind', bindings: [start, accountId, code, limit] }
  }
  if (actor === undefined && code === undefined) return { name: 'actions', bindings: [start, limit] }
  if (code === undefined) return { name: 'actionsOfActor', bindings: [start, actor ?? '', limit] }
  if (actor === undefined) return { name: 'actionsOfKind', bindings: [start, code, limit] }
  return { name: 'actionsOfBoth', bindings: [start, actor, code, limit] }
}

/** Reads a row of `actions` and of similar statements. */
export function readAction(row: Row): OperatorAction {
  verify(row)
  const account = Number(row[4])
  const accountId = account === NO_ACCOUNT ? undefined : (account as AccountId)
  const command = readCommand(new ByteReader(row[6] as Uint8Array)) as OperatorCommand
  const reply = readReply(new ByteReader(row[7] as Uint8Array))
  return { seq: seq(Number(row[0])), time: timeMs(Number(row[1])), command, reply, accountId }
}

/** Like `readAction`, and checks that the columns used for lookups match the command. */
export function readSoundAction(row: Row): OperatorAction {
  const action = readAction(row)
  const { kind, operator } = action.command
  const isOfKind = row[2] === operator.actor && Number(row[3]) === COMMAND_CODES[kind]
  if (!isOfKind)
    throw new DamagedRowFault(`a row of ${kind} by ${operator.actor} is stored as ${row[3]} by ${row[2]}`)
  const reference = referenceOf(action.command) ?? ''
  if (row[5] === reference) return action
  throw new DamagedRowFault(`a row of ${kind} with reference ${reference} is stored with reference ${row[5]}`)
}
