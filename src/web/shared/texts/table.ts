/**
 * The rows of a table of texts: those of the English one, with any wording. A missing or an additional row
 * does not compile.
 */
import type { ENGLISH } from './english/english.ts'

export type Texts = Table<typeof ENGLISH>

export type Table<Row> = Row extends string
  ? string
  : Row extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof Row]: Table<Row[Name]> }
