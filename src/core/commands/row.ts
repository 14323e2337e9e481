/**
 * The declaration of a kind of command: one row has its code, the rules version from which it may be
 * journaled, and its fields, in the order of their bytes. Its type and its codec are derived from the row.
 *
 * A code is never reused, and the bytes of its command never change: a new field is an option of a kind that
 * has options already, or belongs to a new code beside the old one, which stays readable.
 */
import {
  type ByteCodec,
  constant,
  type Fields,
  type ObjectOf,
  type OptionsOf,
  object,
  text,
} from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import { FIRST_RULES_VERSION } from '../exchange/rules.ts'
import type { Operator } from './operator.ts'

const OPERATOR = object({ actor: text(), note: text() })

export type CommandRow<Value> = {
  /** The command's first byte. 0 is no code, so that zeroed storage is never a command. */
  readonly code: number
  /**
   * The rules from which the command may be journaled; `FIRST_RULES_VERSION` for commands as old as the
   * rules' floor, or older.
   */
  readonly since: number
  /** The codec of everything after the code. */
  readonly codec: ByteCodec<Value>
  /** The form, under a second code, of commands with fields that were added later. */
  readonly later?: LaterForm<Value> | undefined
}

export type LaterForm<Value> = {
  readonly code: number
  readonly codec: ByteCodec<Value>
  /** Whether a command has those later fields. */
  readonly isOf: (command: Value) => boolean
}

type Declared = {
  readonly code: number
  /** Absent for commands as old as the rules' floor, or older. */
  readonly since?: number
  readonly fields?: Fields
  readonly options?: Fields
  /** Later fields, which follow the others under a second code; a command without them has the first code. */
  readonly later?: { readonly code: number; readonly fields: Fields }
}

type FieldsOf<One extends Declared> = (One extends { readonly fields: infer Of extends Fields }
  ? ObjectOf<Of>
  : unknown) &
  (One extends { readonly options: infer Of extends Fields } ? OptionsOf<Of> : unknown) &
  (One extends { readonly later: { readonly fields: infer Of extends Fields } }
    ? { readonly [Name in keyof ObjectOf<Of>]?: ObjectOf<Of>[Name] | undefined }
    : unknown)

type RowsOf<All extends Readonly<Record<string, Declared>>, Head> = {
  readonly [Kind in keyof All]: CommandRow<{ readonly kind: Kind } & Head & FieldsOf<All[Kind]>>
}

/** The command of a kind, or of all kinds, of a table of rows. */
export type CommandIn<Rows, Kind extends keyof Rows = keyof Rows> = {
  [One in Kind]: Rows[One] extends CommandRow<infer Value> ? Value : never
}[Kind]

/** Commands of traders, and of the engine itself. */
export function commandRows<const All extends Readonly<Record<string, Declared>>>(
  declared: All,
): RowsOf<All, unknown> {
  return rowsOf(declared, {}) as RowsOf<All, unknown>
}

/** Commands of operators: the operator precedes the fields. */
export function operatorRows<const All extends Readonly<Record<string, Declared>>>(
  declared: All,
): RowsOf<All, { readonly operator: Operator }> {
  return rowsOf(declared, { operator: OPERATOR }) as RowsOf<All, { readonly operator: Operator }>
}

function laterForm(own: Fields, { code, fields }: NonNullable<Declared['later']>) {
  const names = Object.keys(fields)
  const isOf = (command: object) => names.every((name) => Reflect.get(command, name) !== undefined)
  return { code, codec: byteCodec(object({ ...own, ...fields })), isOf }
}

/** One row for each kind; the compiler cannot infer that each has the type of its fields. */
function rowsOf(declared: Readonly<Record<string, Declared>>, head: Fields): object {
  const rows = Object.entries(declared).map(
    ([kind, { code, since = FIRST_RULES_VERSION, fields, options, later }]) => {
      const own = { kind: constant(kind), ...head, ...fields }
      const codec = byteCodec(object(own, options))
      return [kind, { code, since, codec, later: later && laterForm(own, later) }]
    },
  )
  return Object.fromEntries(rows)
}
