/**
 * Values of several kinds, each kind declared by one row: its code, which is its first byte, and its fields
 * in the order of their bytes. The type and the codec of all kinds are derived from the rows.
 */
import {
  type ByteCodec,
  constant,
  type Fields,
  type ObjectOf,
  type OptionsOf,
  object,
  type Shape,
} from './shape.ts'
import { kindsCodec } from './shape-bytes.ts'

/**
 * The code of a kind is never reused for another kind; a later field is an option, after the existing ones.
 */
type Declared = { readonly code: number; readonly fields?: Fields; readonly options?: Fields }

type KindRow<Value> = { readonly code: number; readonly shape: Shape<Value> }

type FieldsOf<One extends Declared> = (One extends { readonly fields: infer Of extends Fields }
  ? ObjectOf<Of>
  : unknown) &
  (One extends { readonly options: infer Of extends Fields } ? OptionsOf<Of> : unknown)

type RowsOf<All extends Readonly<Record<string, Declared>>> = {
  readonly [Kind in keyof All]: KindRow<{ readonly kind: Kind } & FieldsOf<All[Kind]>>
}

/** The value of a kind, or of all kinds, of a table of rows. */
export type KindIn<Rows, Kind extends keyof Rows = keyof Rows> = {
  [One in Kind]: Rows[One] extends KindRow<infer Value> ? Value : never
}[Kind]

export function kindRows<const All extends Readonly<Record<string, Declared>>>(declared: All): RowsOf<All> {
  const rows = Object.entries(declared).map(([kind, { code, fields, options }]) => {
    return [kind, { code, shape: object({ kind: constant(kind), ...fields }, options) }]
  })
  // The compiler cannot infer that each row has the type of its fields.
  return Object.fromEntries(rows) as RowsOf<All>
}

/** `what` is the name of such a value, for the error about invalid bytes. */
export function kindCodec<Rows extends Readonly<Record<string, KindRow<unknown>>>>(
  rows: Rows,
  what: string,
): ByteCodec<KindIn<Rows> & { readonly kind: string }> {
  return kindsCodec(rows, what)
}
