/**
 * The statements of history.sqlite, and how what they are about becomes rows and back.
 */

import { COMMAND_CODES, readCommand, writeCommand } from '../../../core/exchange/codec/command-codec.ts'
import { readReply, writeReply } from '../../../core/exchange/codec/reply-codec.ts'
import type { OperatorCommand } from '../../../core/exchange/command.ts'
import { type ActionQuery, EMPTY_POSITION } from '../../../engine/history.ts'
import type { Mark } from '../../../engine/journal.ts'
import type { OperatorAction } from '../../../engine/ports.ts'
import { ByteReader, ByteWriter } from '../../../units/bytes.ts'
import { seq, timeMs } from '../../../units/quantities.ts'
import { checked, DamagedRow, type Row, verify } from './check.ts'
import { Block } from './lists/blocks.ts'

export const ACTION_COLUMNS = 'seq, time_ms, actor, kind, command, reply, row_check'
export const STEP_COLUMNS = 'owner, symbol, n, trade_number, row_check'

/** Every lookup here is one descent of a B-tree. */
export const SQL = {
  position: 'SELECT seq, journal_hash, ends_to, trades_after, row_check FROM position',
  movePosition: 'UPDATE position SET seq = ?, journal_hash = ?, ends_to = ?, trades_after = ?, row_check = ?',
  addBlock: 'INSERT INTO block (first, data) VALUES (?, ?)',
  /** The block that has a trade, if any has. */
  blockOf: 'SELECT first, data FROM block WHERE first <= ? ORDER BY first DESC LIMIT 1',
  blockAfter: 'SELECT first, data FROM block WHERE first > ? ORDER BY first LIMIT 1',
  listEnd: 'SELECT data FROM list_end WHERE owner = ?',
  setListEnd: `INSERT INTO list_end (owner, data) VALUES (?, ?)
    ON CONFLICT (owner) DO UPDATE SET data = excluded.data`,
  addStep: `INSERT INTO step (${STEP_COLUMNS}) VALUES (?, ?, ?, ?, ?)`,
  step: `SELECT ${STEP_COLUMNS} FROM step WHERE owner = ? AND symbol = ? AND n = ?`,
  addAction: `INSERT INTO action (${ACTION_COLUMNS}) VALUES (${'?, '.repeat(6)}?)`,
  actions: `SELECT ${ACTION_COLUMNS} FROM action WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
  actionsOfActor: `SELECT ${ACTION_COLUMNS} FROM action WHERE seq < ? AND actor = ? ORDER BY seq DESC LIMIT ?`,
  actionsOfKind: `SELECT ${ACTION_COLUMNS} FROM action WHERE seq < ? AND kind = ? ORDER BY seq DESC LIMIT ?`,
  actionsOfBoth: `SELECT ${ACTION_COLUMNS} FROM action
    WHERE seq < ? AND actor = ? AND kind = ? ORDER BY seq DESC LIMIT ?`,
  dropActions: 'DELETE FROM action',
  dropBlocks: 'DELETE FROM block',
  dropListEnds: 'DELETE FROM list_end',
  dropSteps: 'DELETE FROM step',
} as const

export type StatementName = keyof typeof SQL

/** Where history stands, up to which trade the ends of lists are stored, and how many trades came after that one. */
export type StoredPosition = { readonly mark: Mark; readonly endsTo: number; readonly tradesAfter: number }

export const EMPTY: StoredPosition = { mark: EMPTY_POSITION, endsTo: 0, tradesAfter: 0 }

/** The parameters of `movePosition`. */
export function bindPosition({ mark, endsTo, tradesAfter }: StoredPosition): (number | Uint8Array)[] {
  return checked([mark.seq, mark.hash, endsTo, tradesAfter])
}

/** The row of `position`. Throws `DamagedRow`, as do the others. */
export function readPosition(row: Row | undefined): StoredPosition {
  if (row === undefined) throw new DamagedRow('the row of the position is missing')
  verify(row)
  const mark = { seq: seq(Number(row[0])), hash: row[1] as Uint8Array }
  return { mark, endsTo: Number(row[2]), tradesAfter: Number(row[3]) }
}

/** Throws `DamagedRow` unless `found` trades after those whose ends are stored are all of them. */
export function assertAllAfter({ endsTo, tradesAfter }: StoredPosition, found: number): void {
  if (found === tradesAfter) return
  throw new DamagedRow(`${found} trades come after trade ${endsTo}, expected ${tradesAfter}`)
}

/** The parameters of `addStep`: record `n` of a list, and its trade. */
export function bindStep(owner: number, symbol: number, n: number, number: number): number[] {
  return checked([owner, symbol, n, number])
}

/** The trade of a row of `step`. */
export function readStep(row: Row): number {
  verify(row)
  return Number(row[3])
}

/** A row of `blockOf` or `blockAfter`. */
export function readBlock(row: Row): Block {
  return new Block(Number(row[0]), row[1] as Uint8Array)
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
