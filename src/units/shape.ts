/**
 * The shape of an answer, described once: its type, its JSON and its published schema come from it. The function that writes the JSON is made of
 * program text, at first use, from field names and the forms below, as somebody would write it by hand; a name that is no plain word is
 * refused. This is the only file of the program that makes code; `npm run check` refuses another one.
 */
import { invariant } from './invariant.ts'

/** Forms whose text needs no escape in JSON. */
export const PLAIN_FORMS = ['decimal', 'signedDecimal', 'uuid', 'isoTime'] as const
/** Forms of texts from outside. */
export const TEXT_FORMS = ['text', 'symbol', 'asset', 'clientOrderId'] as const
/** Forms that JSON has as they are. */
export const BARE_FORMS = ['whole', 'timeMs', 'flag'] as const

export type LeafForm =
  | (typeof PLAIN_FORMS)[number]
  | (typeof TEXT_FORMS)[number]
  | (typeof BARE_FORMS)[number]

export type Shape<Value = unknown> = {
  readonly form:
    | { readonly is: LeafForm }
    /** One of these words; `isOpen`: the list may grow, and readers must bear a new one. */
    | { readonly is: 'word'; readonly words: readonly string[]; readonly isOpen?: true }
    | { readonly is: 'constant'; readonly value: string | number | boolean }
    | { readonly is: 'list'; readonly of: Shape }
    | { readonly is: 'object'; readonly fields: Fields; readonly id?: string }
  /** For those who read the published files alone. */
  readonly doc?: string
  readonly isOptional?: true
  /** Never there: it carries the type. */
  readonly value?: Value
}

type Fields = Readonly<Record<string, Shape>>

/** What a shape describes; fields that may be absent are undefined then, and left out of the JSON. */
export type ValueOf<Of> = Of extends Shape<infer Value> ? Value : never

type ObjectOf<Of extends Fields> = {
  readonly [Name in keyof Of as Of[Name] extends { readonly isOptional: true } ? never : Name]: ValueOf<
    Of[Name]
  >
} & {
  readonly [Name in keyof Of as Of[Name] extends { readonly isOptional: true } ? Name : never]?:
    | ValueOf<Of[Name]>
    | undefined
}

const said = (doc: string | undefined) => (doc === undefined ? {} : { doc })
const leaf =
  <Value>(is: LeafForm) =>
  (doc?: string): Shape<Value> => ({ form: { is }, ...said(doc) })

export const decimal = leaf<string>('decimal')
export const signedDecimal = leaf<string>('signedDecimal')
export const text = leaf<string>('text')
export const symbolName = leaf<string>('symbol')
export const assetCode = leaf<string>('asset')
export const whole = leaf<number>('whole')
export const timeMs = leaf<number>('timeMs')

export const word = <const Word extends string>(words: readonly Word[], doc?: string): Shape<Word> => ({
  form: { is: 'word', words },
  ...said(doc),
})
export const openWord = <const Word extends string>(words: readonly Word[], doc: string): Shape<Word> => ({
  form: { is: 'word', words, isOpen: true },
  doc,
})
export const constant = <const Value extends string | number | boolean>(
  value: Value,
  doc?: string,
): Shape<Value> => ({ form: { is: 'constant', value }, ...said(doc) })
export const listOf = <Value>(of: Shape<Value>, doc?: string): Shape<readonly Value[]> => ({
  form: { is: 'list', of },
  ...said(doc),
})
export const object = <const Of extends Fields>(fields: Of): Shape<ObjectOf<Of>> => ({
  form: { is: 'object', fields },
})
/** An object that the published files have under a name of its own. */
export const component = <const Of extends Fields>(
  id: string,
  doc: string,
  fields: Of,
): Shape<ObjectOf<Of>> => ({
  form: { is: 'object', fields, id },
  doc,
})
export const optional = <Value>(shape: Shape<Value>): Shape<Value> & { readonly isOptional: true } => ({
  ...shape,
  isOptional: true,
})

type Write = (value: never) => string

const written = new WeakMap<Shape, Write>()

/** The JSON of a value, with its fields in the order of the shape. */
export function jsonOf<Value>(shape: Shape<Value>, value: NoInfer<Value>): string {
  let write = written.get(shape) as ((value: Value) => string) | undefined
  if (write === undefined) {
    write = writerOf(shape)
    written.set(shape, write)
  }
  return write(value)
}

function writerOf<Value>(shape: Shape<Value>): (value: Value) => string {
  const expression = expressionOf(shape, 'value')
  return new Function('value', `return ${expression}`) as (value: Value) => string
}

/** Program text for the JSON of what `at` is. */
function expressionOf({ form }: Shape, at: string): string {
  switch (form.is) {
    case 'object':
      return objectExpression(form.fields, at)
    case 'list':
      return `('[' + ${at}.map((item) => ${expressionOf(form.of, 'item')}).join(',') + ']')`
    case 'constant':
      return JSON.stringify(JSON.stringify(form.value))
    case 'word':
      return `JSON.stringify(${at})`
    default:
      if (includes(PLAIN_FORMS, form.is)) return `('"' + ${at} + '"')`
      return includes(BARE_FORMS, form.is) ? `String(${at})` : `JSON.stringify(${at})`
  }
}

function objectExpression(fields: Fields, at: string): string {
  const pieces = Object.entries(fields).map(([name, shape], i) => {
    invariant(
      /^[A-Za-z]\w*$/.test(name),
      () => `a field is called ${JSON.stringify(name)}, which is no plain word`,
    )
    const comma = i === 0 && !shape.isOptional ? '' : ','
    const member = `'${comma}"${name}":' + ${expressionOf(shape, `${at}.${name}`)}`
    return shape.isOptional ? `(${at}.${name} === undefined ? '' : ${member})` : member
  })
  if (pieces.length === 0) return "'{}'"
  // Where the first member may be left out, whichever is the first brings a comma, which is dropped.
  const isCut = Object.values(fields)[0]?.isOptional === true
  return isCut ? `('{' + (${pieces.join(' + ')}).slice(1) + '}')` : `('{' + ${pieces.join(' + ')} + '}')`
}

function includes(forms: readonly LeafForm[], form: LeafForm): boolean {
  return forms.includes(form)
}
