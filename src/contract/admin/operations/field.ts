/**
 * A field of an operation's request: its form, and its texts on the command line, on the page and in the
 * reference. All of it is data, from which each side (the server's check, the type, an option, an input) is
 * derived.
 */
import { ASSET_CODE_MAX, NAME_MAX } from '../../../units/limits.ts'
import { DECIMALS_MAX } from '../../../units/quantities.ts'
import { PAGE_MAX } from './bounds.ts'

/**
 * The form of a field. `text` is written by a person and shown to others; `known` names something that
 * exists.
 */
export type Form =
  | {
      readonly is: 'known' | 'text' | 'textOrEmpty' | 'newName' | 'accountName' | 'address' | 'day' | 'moment'
    }
  /**
   * Text that the operation itself parses or opens, such as a path, a URL or a public key: any characters, up
   * to a maximum length.
   */
  | { readonly is: 'line'; readonly lengthMax: number }
  /**
   * Text that matches a pattern, described in words by `expected`; `isKept`: the characters that the pattern
   * leaves open are checked as in a `text`.
   */
  | { readonly is: 'pattern'; readonly pattern: RegExp; readonly expected: string; readonly isKept?: true }
  | { readonly is: 'whole'; readonly min: number; readonly max?: number }
  | { readonly is: 'flag' }
  | { readonly is: 'oneOf'; readonly values: readonly string[] }
  | { readonly is: 'list'; readonly of: Form; readonly min: number; readonly max?: number }

export type Field<Value = unknown> = {
  readonly form: Form
  /** A phrase for the person who fills it in. */
  readonly help: string
  /** Name of its option on the command line; by default the field's own, in lower case with hyphens. */
  readonly option?: string
  /** For an option that must be given; `words` are always required. */
  readonly isRequired?: true
  /** The value that the command line and the page send by default; the server's own default may differ. */
  readonly proposed?: string
  /** Never present: only carries the type. */
  readonly value?: Value
}

export type Fields = Readonly<Record<string, Field>>

/** The values of fields by name; those of options may be left out unless they are required. */
export type ValuesOf<Of extends Fields, AreRequired extends boolean = false> = {
  readonly [Name in RequiredNames<Of, AreRequired>]: ValueOf<Of[Name]>
} & { readonly [Name in Exclude<keyof Of, RequiredNames<Of, AreRequired>>]?: ValueOf<Of[Name]> | undefined }

type RequiredNames<Of extends Fields, AreRequired extends boolean> = AreRequired extends true
  ? keyof Of
  : { [Name in keyof Of]: Of[Name] extends { readonly isRequired: true } ? Name : never }[keyof Of]

type ValueOf<Of> = Of extends { readonly value?: infer Value } ? Exclude<Value, undefined> : never

export const known = (help: string): Field<string> => ({ form: { is: 'known' }, help })
export const text = (help: string): Field<string> => ({ form: { is: 'text' }, help })
/** An empty text means none. Decimals are such texts; their allowed form depends on the asset. */
export const textOrEmpty = (help: string): Field<string> => ({ form: { is: 'textOrEmpty' }, help })
export const decimal = textOrEmpty
export const newName = (help: string): Field<string> => ({ form: { is: 'newName' }, help })
export const accountName = (help: string): Field<string> => ({ form: { is: 'accountName' }, help })
export const day = (help: string): Field<string> => ({ form: { is: 'day' }, help })
/** The number of a command, or a time. */
export const moment = (help: string): Field<string> => ({ form: { is: 'moment' }, help })
export const line = (lengthMax: number, help: string): Field<string> => ({
  form: { is: 'line', lengthMax },
  help,
})
export const flag = (help: string): Field<boolean> => ({ form: { is: 'flag' }, help })

/** `{range}` in the help is replaced by the range: `1 to 1000`. */
export const whole = (min: number, max: number | undefined, help: string): Field<number> => ({
  form: max === undefined ? { is: 'whole', min } : { is: 'whole', min, max },
  help: help.replace('{range}', `${min} to ${max}`),
})
export const fraction = (help: string): Field<number> => whole(0, DECIMALS_MAX, help)

export const oneOf = <const Value extends string>(values: readonly Value[], help: string): Field<Value> => ({
  form: { is: 'oneOf', values },
  help,
})

export const listOf = <Value>(
  of: Field<Value>,
  min: number,
  max: number | undefined,
  help: string,
): Field<readonly Value[]> => ({
  form: max === undefined ? { is: 'list', of: of.form, min } : { is: 'list', of: of.form, min, max },
  help,
})

export const pattern =
  (of: RegExp, expected: string) =>
  (help: string): Field<string> => ({
    form: { is: 'pattern', pattern: of, expected },
    help,
  })
export const assetCode = pattern(
  new RegExp(`^[A-Z0-9]{1,${ASSET_CODE_MAX}}$`),
  `expected 1 to ${ASSET_CODE_MAX} characters of A-Z and 0-9`,
)
export const symbolName = pattern(/^[A-Z0-9]+\/[A-Z0-9]+$/, 'expected <BASE>/<QUOTE>, for example BTC/USDT')
export const binanceSymbol = pattern(
  new RegExp(`^[A-Z0-9]{1,${2 * ASSET_CODE_MAX}}$`),
  `expected 1 to ${2 * ASSET_CODE_MAX} characters of A-Z and 0-9`,
)
export const plainName = pattern(
  new RegExp(`^[A-Za-z0-9._@-]{1,${NAME_MAX}}$`),
  `expected 1 to ${NAME_MAX} letters, digits or any of . _ @ -`,
)
export const ownRoleName = pattern(
  new RegExp(`^[a-z0-9._@-]{1,${NAME_MAX}}$`),
  `expected 1 to ${NAME_MAX} lowercase letters, digits or any of . _ @ -`,
)
export const accountLabel = pattern(
  /^[a-z0-9._-]{1,32}$/,
  'expected 1 to 32 lowercase letters, digits or any of . _ -',
)
export const customerId = pattern(
  /^[A-Za-z0-9._@:/+-]{0,64}$/,
  'expected at most 64 letters, digits or any of . _ @ : / + -',
)
export const profileField: Field<string> = {
  form: {
    is: 'pattern',
    pattern: /^[a-z0-9._-]{1,32}=.+$/s,
    expected: 'expected name=value, with a name of 1 to 32 lowercase letters, digits or any of . _ -',
    isKept: true,
  },
  help: '',
}
/**
 * An address or a range of addresses, without a zone: a zone names a network interface of one machine, and
 * the address of a received request has none.
 */
export const peerAddress: Field<string> = { form: { is: 'address' }, help: '' }

export const required = <Value>(field: Field<Value>): Field<Value> & { readonly isRequired: true } => ({
  ...field,
  isRequired: true,
})
/** The field with another name on the command line. */
export const named = <Of extends Field>(option: string, field: Of): Of => ({ ...field, option })
export const proposed = <Of extends Field>(value: string, field: Of): Of => ({ ...field, proposed: value })

export const account = known('name of the account')
/** A page of a list: the entries after the named one, up to a number. Without either, the complete list. */
export const page = (what: string) => ({
  after: known(`only those after this ${what}`),
  limit: whole(1, PAGE_MAX, 'at most this many, {range}'),
})
