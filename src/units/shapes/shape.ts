/**
 * The shape of a value, described once. It determines the type; for an answer or a message also the order of
 * its fields and its published schema (`shape-json.ts`); for a value that is stored or sent its bytes
 * (`shape-bytes.ts`). It is plain data, except for functions that the bytes of a field need.
 */
import type { ByteReader, ByteWriter } from '../bytes.ts'
import type { Whole } from '../whole.ts'

/**
 * Forms that exist only in bytes: an exact integer in the form for its size, an integer of any size, bytes.
 */
export type ByteForm = 'integer' | 'bigint' | 'bytes'

/** Forms of single values, with the names that the reference uses. */
export type LeafForm =
  | 'decimal'
  | 'signedDecimal'
  | 'fixedDecimal'
  | 'exactNumber'
  | 'uuid'
  | 'isoTime'
  | 'text'
  | 'symbol'
  | 'asset'
  | 'clientOrderId'
  | 'whole'
  | 'signedWhole'
  | 'seq'
  | 'timeMs'
  | 'flag'

export type Shape<Value = unknown> = {
  readonly form:
    | { readonly is: LeafForm }
    /** One of these words. `isOpen` means that the list may grow, and readers must accept a new word. */
    | { readonly is: 'word'; readonly words: readonly string[]; readonly isOpen?: true }
    | { readonly is: 'matching'; readonly pattern: RegExp }
    | { readonly is: 'between'; readonly min: number; readonly max: number }
    | { readonly is: 'number'; readonly values: readonly number[] }
    | { readonly is: 'constant'; readonly value: string | number | boolean }
    | { readonly is: 'list'; readonly of: Shape; readonly min?: number; readonly max?: number }
    /** A list with a fixed number of elements, each with its own shape. */
    | { readonly is: 'tuple'; readonly of: readonly Shape[] }
    /** An object whose names all have one form. */
    | { readonly is: 'table'; readonly name: Shape; readonly of: Shape }
    /** A value of one of these shapes; `tag` is the field whose constant distinguishes them. */
    | { readonly is: 'either'; readonly of: readonly Shape[]; readonly tag?: string }
    | { readonly is: 'object'; readonly fields: Fields; readonly options?: Fields }
    | { readonly is: ByteForm }
    | { readonly is: 'wordSet'; readonly words: readonly string[] }
    | { readonly is: 'own'; readonly codec: OwnCodec }
    | { readonly is: 'checked'; readonly of: Shape; readonly checks: Checks<never> }
    | { readonly is: 'spread'; readonly names: readonly string[]; readonly codec: OwnCodec }
  /** Text for readers of the published files. */
  readonly doc?: string
  /** The name under which the published files have the shape, once. */
  readonly id?: string
  /** Text about this use of a named shape only, in addition to the shape's own text. */
  readonly note?: string
  readonly isOptional?: true
  /** The field is always present, and may be undefined. */
  readonly mayBeUndefined?: true
  /** The fields of its value are fields of the containing object itself. */
  readonly isSpread?: true
  /** The value is a bit of the bitmap in which the containing object marks its options. */
  readonly isBit?: true
  /** Never present: it exists only for the type. */
  readonly value?: Value
}

export type Fields = Readonly<Record<string, Shape>>

/** The encoding of a value in bytes. `read` throws `BytesFault` for anything else. */
export type ByteCodec<Value> = {
  readonly write: (w: ByteWriter, value: Value) => void
  readonly read: (r: ByteReader) => Value
}

/** The codec of a value whose type is known only to the shape that contains it. */
type OwnCodec = Pick<ByteCodec<never>, 'write'> & Pick<ByteCodec<unknown>, 'read'>

export type Checks<Value> = {
  readonly isPossible: (value: Value) => boolean
  /** The message about an impossible value. */
  readonly fault: (value: Value) => string
}

/** Whether each of these fields passes the check of its shape, if it has one. */
export function arePossible<const Of extends Fields>(shapes: Of, fields: OptionsOf<Of>): boolean {
  return Object.entries(shapes).every(([name, { form }]) => {
    const value: unknown = Reflect.get(fields, name)
    return value === undefined || form.is !== 'checked' || form.checks.isPossible(value as never)
  })
}

/** The values of a shape. Optional fields may be undefined, and are then left out of the JSON. */
export type ValueOf<Of> = Of extends Shape<infer Value> ? Value : never

export type ObjectOf<Of extends Fields> = {
  readonly [Name in keyof Of as Of[Name] extends { readonly isOptional: true } | { readonly isSpread: true }
    ? never
    : Name]: ValueOf<Of[Name]>
} & SpreadOf<Of> & {
    readonly [Name in keyof Of as Of[Name] extends { readonly isOptional: true } ? Name : never]?:
      | ValueOf<Of[Name]>
      | undefined
  }

/**
 * Functions whose parameters are the values of spread fields; from these the compiler infers the combined
 * type.
 */
type Spreads<Of extends Fields> = {
  readonly [Name in keyof Of as Of[Name] extends { readonly isSpread: true } ? Name : never]: (
    spread: ValueOf<Of[Name]>,
  ) => void
}
type SpreadOf<Of extends Fields> = [keyof Spreads<Of>] extends [never]
  ? unknown
  : Spreads<Of>[keyof Spreads<Of>] extends (all: infer All) => void
    ? All
    : never

type AlwaysThere = { readonly mayBeUndefined: true } | { readonly isBit: true }

/** The values of fields whose presence is marked in a bitmap. */
export type OptionsOf<Of extends Fields> = {
  readonly [Name in keyof Of as Of[Name] extends AlwaysThere ? Name : never]: ValueOf<Of[Name]>
} & {
  readonly [Name in keyof Of as Of[Name] extends AlwaysThere ? never : Name]?: ValueOf<Of[Name]> | undefined
}

type NoFields = Readonly<Record<never, Shape>>

const said = (doc: string | undefined) => (doc === undefined ? {} : { doc })
const leaf =
  <Value>(is: LeafForm) =>
  (doc?: string): Shape<Value> => ({ form: { is }, ...said(doc) })

export const decimal = leaf<string>('decimal')
export const signedDecimal = leaf<string>('signedDecimal')
/** A decimal with all the decimal places of its symbol. */
export const fixedDecimal = leaf<string>('fixedDecimal')
/**
 * A JSON number with any number of digits, which no number of the program can represent: its JSON is written
 * by hand.
 */
export const exactNumber = leaf<never>('exactNumber')
export const uuid = leaf<string>('uuid')
export const isoTime = leaf<string>('isoTime')
export const text = leaf<string>('text')
export const symbolName = leaf<string>('symbol')
export const assetCode = leaf<string>('asset')
export const clientOrderId = leaf<string>('clientOrderId')
export const whole = leaf<number>('whole')
export const signedWhole = leaf<number>('signedWhole')
export const seq = leaf<number>('seq')
export const timeMs = leaf<number>('timeMs')
export const flag = leaf<boolean>('flag')

export const word = <const Word extends string>(words: readonly Word[], doc?: string): Shape<Word> => ({
  form: { is: 'word', words },
  ...said(doc),
})
/** A word of a list that may grow: readers must accept a new word. */
export const openWord = (words: readonly string[], doc: string): Shape<string> => ({
  form: { is: 'word', words, isOpen: true },
  doc,
})
export const matching = (pattern: RegExp, doc?: string): Shape<string> => ({
  form: { is: 'matching', pattern },
  ...said(doc),
})
/** An integer from `min` to `max`. */
export const between = (min: number, max: number, doc?: string): Shape<number> => ({
  form: { is: 'between', min, max },
  ...said(doc),
})
export const numberOf = <const Of extends number>(values: readonly Of[], doc?: string): Shape<Of> => ({
  form: { is: 'number', values },
  ...said(doc),
})
export const constant = <const Value extends string | number | boolean>(
  value: Value,
  doc?: string,
): Shape<Value> => ({ form: { is: 'constant', value }, ...said(doc) })
export const listOf = <Value>(
  of: Shape<Value>,
  doc?: string,
  bounds: { readonly min?: number; readonly max?: number } = {},
): Shape<readonly Value[]> => ({ form: { is: 'list', of, ...bounds }, ...said(doc) })
export const tuple = <const Of extends readonly Shape[]>(
  ...of: Of
): Shape<{ readonly [Index in keyof Of]: ValueOf<Of[Index]> }> => ({ form: { is: 'tuple', of } })
export const tableOf = <Value>(
  name: Shape<string>,
  of: Shape<Value>,
  doc?: string,
): Shape<Readonly<Record<string, Value>>> => ({ form: { is: 'table', name, of }, ...said(doc) })
export const either = <const Of extends readonly Shape[]>(...of: Of): Shape<ValueOf<Of[number]>> => ({
  form: { is: 'either', of },
})
/** Objects, each with a different constant in the field `tag`. */
export const eitherBy = <const Of extends readonly Shape[]>(
  tag: string,
  ...of: Of
): Shape<ValueOf<Of[number]>> => ({ form: { is: 'either', of, tag } })
/**
 * `options` are optional fields, whose presence is marked in one bitmap after the other fields. A later
 * option is a new bit; none moves.
 */
export const object = <const Of extends Fields, const Options extends Fields = NoFields>(
  fields: Of,
  options?: Options,
): Shape<ObjectOf<Of> & OptionsOf<Options>> => ({
  form: { is: 'object', fields, ...(options === undefined ? {} : { options }) },
})
/** A shape with a name of its own in the published files. */
export const named = <Value>(id: string, doc: string, shape: Shape<Value>): Shape<Value> => ({
  ...shape,
  id,
  doc,
})
/** An object with a name of its own. */
export const component = <const Of extends Fields>(
  id: string,
  doc: string,
  fields: Of,
): Shape<ObjectOf<Of>> => named(id, doc, object(fields))
export const noted = <Value>(note: string, shape: Shape<Value>): Shape<Value> => ({ ...shape, note })
export const optional = <Value>(shape: Shape<Value>): Shape<Value> & { readonly isOptional: true } => ({
  ...shape,
  isOptional: true,
})
export const orUndefined = <Value>(
  shape: Shape<Value>,
): Shape<Value | undefined> & { readonly mayBeUndefined: true } => ({
  ...shape,
  mayBeUndefined: true,
})

/** Like `orUndefined`, for a field that may also be absent from a value; it is read as undefined. */
export const orAbsent = <Value>(shape: Shape<Value>): Shape<Value> => orUndefined(shape) as Shape<Value>
/** A flag among the options of an object, stored only as a bit of the bitmap. */
export const bit = (): Shape<boolean> & { readonly isBit: true } => ({ ...flag(), isBit: true })

/** A number in the type's own unit, from 0 to 2^53-1. */
export const uint = <Value extends number = number>(): Shape<Value> => ({ form: { is: 'whole' } })
export const integer = <Value extends Whole>(): Shape<Value> => ({ form: { is: 'integer' } })
export const anyInteger = (): Shape<bigint> => ({ form: { is: 'bigint' } })
/** The bytes that are read are copied: a view would keep the whole buffer in memory. */
export const byteString = (): Shape<Uint8Array> => ({ form: { is: 'bytes' } })
/** A set of words from a short list, in the list's order: a byte with a bit for each. */
export const wordSet = <const Word extends string>(words: readonly Word[]): Shape<readonly Word[]> => ({
  form: { is: 'wordSet', words },
})
/** A field without bytes: the reader of the whole value has it from elsewhere, and fills it in. */
export const given = <Value extends number>(): Shape<Value> => ({ form: { is: 'constant', value: 0 } })
/** A value that was read, while some of its fields are filled in. */
export type Filled<Value> = { -readonly [Name in keyof Value]: Value[Name] }
/** A value for which no form exists in this file: these functions write and read its bytes. */
export const own = <Value>(codec: ByteCodec<Value>): Shape<Value> => ({ form: { is: 'own', codec } })
/** An optional number, written as 0 if there is none; the field itself is never 0. */
export const uintOrNone = <Value extends number>(): Shape<Value | undefined> =>
  own({ write: (w, value) => w.uint(value ?? 0), read: (r) => (r.uint() || undefined) as Value | undefined })
/** An optional number from 0 on: it is stored plus one, and 0 means that there is none. */
export const idOrNone = <Value extends number>(): Shape<Value | undefined> =>
  own({
    write: (w, value) => w.uint(value === undefined ? 0 : value + 1),
    read: (r) => {
      const place = r.uint()
      return place === 0 ? undefined : ((place - 1) as Value)
    },
  })
/**
 * Fields of an object that share bytes, which `codec` writes from the object. An object has at most one such
 * group.
 */
export const spread = <Value extends object>(
  names: readonly (keyof Value & string)[],
  codec: ByteCodec<Value>,
): Shape<Value> & { readonly isSpread: true } => ({ form: { is: 'spread', names, codec }, isSpread: true })
/** An impossible value that is read causes a `BytesFault`. */
export const checked = <Value>(
  of: Shape<Value>,
  isPossible: (value: Value) => boolean,
  fault: (value: Value) => string,
): Shape<Value> => ({ form: { is: 'checked', of, checks: { isPossible, fault } } })
