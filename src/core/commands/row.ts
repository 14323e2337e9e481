/**
 * The declaration of a kind of command: one row has its code, the rules version from which it may be
 * journaled, and its fields, in the order of their bytes. Its type and its codec are derived from the row.
 *
 * A code is never reused, and its command never changes its shape: a new field is an option of a kind that
 * has options already, or a new code beside the old one, which stays readable.
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
  /** Its first byte. 0 is none, so that zeroed storage is never a command. */
  readonly code: number
  /** The rules from which on it may be journaled; the first, too, for those of the floor or below. */
  readonly since: number
  /** The codec of everything after the code. */
  readonly codec: ByteCodec<Value>
  /** The form of commands that have fields which came later, under a code of its own. */
  readonly later?: LaterForm<Value> | undefined
}

export type LaterForm<Value> = {
  readonly code: number
  readonly codec: ByteCodec<Value>
  /** Whether a command has those fields. */
  readonly isOf: (command: Value) => boolean
}

type Declared = {
  readonly code: number
  /** Absent: the rules of the floor, or of a time before it. */
  readonly since?: number
  readonly fields?: Fields
  readonly options?: Fields
  /** Fields of a second code, after the others; the first code is that of a command without them. */
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

/** One row for each kind; the compiler cannot see that each has the type of its fields. */
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
