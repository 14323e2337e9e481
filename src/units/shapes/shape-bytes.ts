/**
 * The bytes of a shape's values. The functions that write and read them are generated as program text, at
 * first use, from field names and forms, in the way in which one would write them by hand; a name that is not
 * a plain identifier is refused. This is the only file of the program that generates code; `npm run check`
 * refuses any other.
 */
import { type ByteReader, BytesFault } from '../bytes.ts'
import { readList, readWord, writeList, writeWord } from '../field-codec.ts'
import { InvariantError, invariant } from '../invariant.ts'
import type { ByteCodec, ByteForm, Checks, LeafForm, Shape } from './shape.ts'

/** The bytes of a shape's values: fields in their order, without names. */
export function byteCodec<Value>(shape: Shape<Value>): ByteCodec<Value> {
  type Write = ByteCodec<Value>['write']
  type Read = ByteCodec<Value>['read']
  let write: Write | undefined
  let read: Read | undefined
  return {
    write: (w, value) => {
      write ??= writeOf(shape)
      write(w, value)
    },
    read: (r) => {
      read ??= readOf(shape)
      return read(r)
    },
  }
}

function writeOf<Value>(shape: Shape<Value>): ByteCodec<Value>['write'] {
  return new Code().function(['w', 'value'], (code) => writing(shape, 'value', code))
}

function readOf<Value>(shape: Shape<Value>): ByteCodec<Value>['read'] {
  return new Code().function(['r'], (code) => `return ${reading(shape, code)}`)
}

/** A kind of value: its first byte, and the shape of the whole value, `kind` included. */
export type KindArm = { readonly code: number; readonly shape: Shape }

/**
 * The bytes of values of several kinds: a kind's code, then its fields. `what` is the name of such a value,
 * for the error about invalid bytes.
 */
export function kindsCodec<Value extends { readonly kind: string }>(
  arms: Readonly<Record<string, KindArm>>,
  what: string,
): ByteCodec<Value> {
  type Write = ByteCodec<Value>['write']
  type Read = ByteCodec<Value>['read']
  const all = Object.entries(arms)
  invariant(
    new Set(all.map(([, { code }]) => code)).size === all.length,
    () => `two kinds of ${what} have the same code`,
  )
  const noKind = (kind: string): never => {
    throw new InvariantError(`unknown kind of ${what} ${kind}`)
  }
  const noCode = (code: number, r: ByteReader): never => {
    throw new BytesFault(`unknown ${what} code ${code} at byte ${r.at - 1}`)
  }
  let write: Write | undefined
  let read: Read | undefined
  return {
    write: (w, value) => {
      write ??= new Code().function<Write>(['w', 'value'], (code) => {
        const cases = all.map(([kind, { code: first, shape }]) => {
          return `case '${plain(kind)}': w.u8(${first}); ${writing(shape, 'value', code)} break;`
        })
        return `switch (value.kind) { ${cases.join(' ')} default: ${code.name(noKind)}(value.kind) }`
      })
      write(w, value)
    },
    read: (r) => {
      read ??= new Code().function<Read>(['r'], (code) => {
        const cases = all.map(
          ([, { code: first, shape }]) => `case ${first}: return ${reading(shape, code)};`,
        )
        return `const first = r.u8(); switch (first) { ${cases.join(' ')} } ${code.name(noCode)}(first, r)`
      })
      return read(r)
    },
  }
}

/** A function being generated: it collects the lists and functions to which its text refers by name. */
class Code {
  readonly #given: unknown[] = []
  #locals = 0

  /** The name under which the text can use a value. */
  name(given: unknown): string {
    const known = this.#given.indexOf(given)
    return `given${known < 0 ? this.#given.push(given) - 1 : known}`
  }

  /** The name of a new variable of the function. */
  local(): string {
    return `local${this.#locals++}`
  }

  function<Made>(parameters: readonly string[], bodyOf: (code: this) => string): Made {
    const body = bodyOf(this)
    const locals = Array.from({ length: this.#locals }, (_, i) => `local${i}`)
    const declared = locals.length === 0 ? '' : `let ${locals.join(', ')};`
    const text = `return (${parameters.join(', ')}) => { ${declared} ${body} }`
    return new Function(...this.#given.map((_, i) => `given${i}`), text)(...this.#given) as Made
  }
}

/** Program text that writes the value of the expression `at`. */
function writing({ form, isOptional, mayBeUndefined }: Shape, at: string, code: Code): string {
  const there = writingForm(form, at, code)
  if (!isOptional && !mayBeUndefined) return there
  return `w.bool(${at} !== undefined); if (${at} !== undefined) { ${there} }`
}

function writingForm(form: Shape['form'], at: string, code: Code): string {
  switch (form.is) {
    case 'object':
      return writingObject(form, at, code)
    case 'list':
      return `${code.name(writeList)}(w, ${at}, ${code.name(writeOf(form.of))});`
    case 'constant':
      return ''
    case 'word':
      return `${code.name(writeWord)}(w, ${code.name(form.words)}, ${at});`
    case 'wordSet':
      return `w.u8(${code.name(maskOf)}(${code.name(form.words)}, ${at}));`
    case 'own':
    case 'spread':
      return `${code.name(form.codec)}.write(w, ${at});`
    case 'checked':
      return writing(form.of, at, code)
    case 'matching':
    case 'between':
    case 'number':
    case 'tuple':
    case 'table':
    case 'either':
    case 'signedWhole':
      throw new InvariantError(`a shape of form ${form.is} has no bytes`)
    default:
      return `w.${METHODS[form.is]}(${at});`
  }
}

type ObjectForm = Extract<Shape['form'], { readonly is: 'object' }>

function writingObject({ fields, options = {} }: ObjectForm, at: string, code: Code): string {
  const own = Object.entries(fields).map(([name, shape]) => {
    return writing(shape, shape.isSpread ? at : `${at}.${plain(name)}`, code)
  })
  const extras = Object.entries(options)
  if (extras.length === 0) return own.join(' ')
  invariant(extras.length <= BITMAP_FIELDS_MAX, () => `${extras.length} fields do not fit in one bitmap`)
  const bits = extras.map(([name, { isBit }], bit) => {
    const isThere = isBit ? `${at}.${plain(name)}` : `${at}.${plain(name)} !== undefined`
    return `(${isThere} ? ${2 ** bit} : 0)`
  })
  const there = extras.map(([name, { form, isBit }]) => {
    if (isBit) return ''
    return `if (${at}.${name} !== undefined) { ${writingForm(form, `${at}.${name}`, code)} }`
  })
  return [...own, `w.uint(${bits.join(' | ')});`, ...there].join(' ')
}

/** Program text for the value being read. */
function reading({ form, isOptional, mayBeUndefined }: Shape, code: Code): string {
  const there = readingForm(form, code)
  return isOptional || mayBeUndefined ? `(r.bool() ? ${there} : undefined)` : there
}

function readingForm(form: Shape['form'], code: Code): string {
  switch (form.is) {
    case 'object':
      return readingObject(form, code)
    case 'list':
      return `${code.name(readList)}(r, ${code.name(readOf(form.of))})`
    case 'constant':
      return JSON.stringify(form.value)
    case 'word':
      return `${code.name(readWord)}(r, ${code.name(form.words)})`
    case 'wordSet':
      return `${code.name(readWordSet)}(r, ${code.name(form.words)})`
    case 'own':
    case 'spread':
      return `${code.name(form.codec)}.read(r)`
    case 'checked': {
      const [value, checks] = [code.local(), code.name(form.checks)]
      const isPossible = `${checks}.isPossible(${value} = ${reading(form.of, code)})`
      return `(${isPossible} ? ${value} : ${code.name(refuse)}(${value}, ${checks}, r))`
    }
    case 'bytes':
      return 'r.bytes().slice()'
    case 'matching':
    case 'between':
    case 'number':
    case 'tuple':
    case 'table':
    case 'either':
    case 'signedWhole':
      throw new InvariantError(`a shape of form ${form.is} has no bytes`)
    default:
      return `r.${METHODS[form.is]}()`
  }
}

function readingObject({ fields, options = {} }: ObjectForm, code: Code): string {
  const own = Object.entries(fields).map(([name, shape]) => {
    if (shape.form.is === 'spread') return readingSpread(shape.form, code)
    if (!shape.isOptional) return `${plain(name)}: ${reading(shape, code)}`
    return `...(r.bool() ? { ${plain(name)}: ${readingForm(shape.form, code)} } : undefined)`
  })
  const extras = Object.entries(options)
  if (extras.length === 0) return `{ ${own.join(', ')} }`
  invariant(extras.length <= BITMAP_FIELDS_MAX, () => `${extras.length} fields do not fit in one bitmap`)
  const bitmap = code.local()
  const read = `(${bitmap} = ${code.name(readBitmap)}(r, ${extras.length}))`
  const there = extras.map(([name, { form, mayBeUndefined, isBit }], bit) => {
    const isThere = `${bit === 0 ? read : bitmap} & ${2 ** bit}`
    if (isBit) return `${plain(name)}: (${isThere}) !== 0`
    const value = readingForm(form, code)
    if (mayBeUndefined) return `${plain(name)}: ${isThere} ? ${value} : undefined`
    return `...(${isThere} ? { ${plain(name)}: ${value} } : undefined)`
  })
  return `{ ${[...own, ...there].join(', ')} }`
}

function readingSpread(form: Extract<Shape['form'], { readonly is: 'spread' }>, code: Code): string {
  const [first, ...others] = form.names.map(plain)
  const group = code.local()
  const read = `${first}: (${group} = ${readingForm(form, code)}).${first}`
  return [read, ...others.map((name) => `${name}: ${group}.${name}`)].join(', ')
}

/** The methods that `ByteWriter` and `ByteReader` have for each form. All texts share one. */
const METHODS: Readonly<
  Record<Exclude<LeafForm, 'signedWhole'> | ByteForm, 'uint' | 'bool' | 'whole' | 'bigint' | 'bytes' | 'text'>
> = {
  ...{ whole: 'uint', timeMs: 'uint', flag: 'bool', integer: 'whole', bigint: 'bigint', bytes: 'bytes' },
  ...{ decimal: 'text', signedDecimal: 'text', uuid: 'text', isoTime: 'text', text: 'text' },
  ...{ symbol: 'text', asset: 'text', clientOrderId: 'text', fixedDecimal: 'text', exactNumber: 'text' },
  seq: 'uint',
}

/** Maximum number of fields in a bitmap: the bits of an integer operand, without the sign. */
const BITMAP_FIELDS_MAX = 31

function readBitmap(r: ByteReader, fields: number): number {
  const bits = r.uint()
  if (bits < 2 ** fields) return bits
  throw new BytesFault(`expected the bits of ${fields} fields before byte ${r.at}, found ${bits}`)
}

function maskOf(words: readonly string[], chosen: readonly string[]): number {
  return words.reduce((mask, word, bit) => (chosen.includes(word) ? mask | (1 << bit) : mask), 0)
}

function readWordSet(r: ByteReader, words: readonly string[]): string[] {
  const mask = r.u8()
  if (mask < 1 << words.length) return words.filter((_, bit) => mask & (1 << bit))
  throw new BytesFault(`expected the bits of ${words.length} words before byte ${r.at}, found ${mask}`)
}

function refuse<Value>(value: Value, { fault }: Checks<Value>, r: ByteReader): never {
  throw new BytesFault(`${fault(value)}, before byte ${r.at}`)
}

function plain(name: string): string {
  invariant(/^[A-Za-z]\w*$/.test(name), () => `field ${JSON.stringify(name)} is not a plain identifier`)
  return name
}
