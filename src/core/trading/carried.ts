/**
 * Fields of an order that do not affect its execution. They are in its command, in its event and so in
 * history, in the open order, and in the snapshot. A new one goes to the end: history stores orders in this
 * form.
 */
import type { KeyNumber } from '../../units/ids.ts'
import { type OptionsOf, orUndefined, uint } from '../../units/shapes/shape.ts'
import { KEY_NUMBER_RULES } from '../exchange/rules.ts'

export const CARRIED = {
  /**
   * The number of the account's key that placed the order; undefined if the key has no number, or the rules
   * do not number keys.
   */
  keyNumber: orUndefined(uint<KeyNumber>()),
}

export interface Carried extends OptionsOf<typeof CARRIED> {}

type Row<Value> = {
  /** The rules from which a command may have the field. */
  readonly since: number
  /** The section of the snapshot that has the field for open orders. */
  readonly section: number
  readonly name: string
  readonly isPossible: (value: Value) => boolean
}

export const CARRIED_ROWS: { readonly [Name in keyof Carried]: Row<NonNullable<Carried[Name]>> } = {
  keyNumber: {
    since: KEY_NUMBER_RULES,
    section: 30,
    name: 'the keys of open orders',
    isPossible: (keyNumber) => keyNumber > 0,
  },
}

export const CARRIED_NAMES = Object.keys(CARRIED_ROWS) as (keyof Carried)[]

/** The carried fields of an object. */
export function carriedOf({ keyNumber }: Partial<Carried>): Carried {
  return { keyNumber }
}
