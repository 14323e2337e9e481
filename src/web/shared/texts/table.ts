/** Which rows a table of texts has: those of the English one, with any words in them. One that is missing, or one too many, does not compile. */
import type { ENGLISH } from './english/english.ts'

export type Texts = Table<typeof ENGLISH>

export type Table<Row> = Row extends string
  ? string
  : Row extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof Row]: Table<Row[Name]> }
