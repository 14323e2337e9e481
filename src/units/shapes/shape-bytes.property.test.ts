/**
 * The bytes of a shape are its fields in their order, without names, and a value that is read equals the one
 * written. A second, independent writer in this file walks the shape value by value and confirms this.
 */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ByteReader, BytesFault, ByteWriter } from '../bytes.ts'
import { InvariantError } from '../invariant.ts'
import {
  anyInteger,
  bit,
  byteString,
  checked,
  constant,
  type Fields,
  flag,
  idOrNone,
  integer,
  listOf,
  object,
  optional,
  orUndefined,
  own,
  type Shape,
  spread,
  text,
  timeMs,
  uint,
  uintOrNone,
  word,
  wordSet,
} from './shape.ts'
import { byteCodec, kindsCodec } from './shape-bytes.ts'
import { jsonOf } from './shape-json.ts'

const WORDS = ['NEW', 'FILLED', 'CANCELED'] as const

/** A shape, values of it, and their bytes from the independent writer. */
type Described = {
  readonly shape: Shape
  readonly values: fc.Arbitrary<unknown>
  readonly write: (w: ByteWriter, value: never) => void
}

type Presence = 'always' | 'optional' | 'orUndefined' | 'option' | 'optionOrUndefined' | 'optionBit'

type Member = Described & { readonly name: string; readonly presence: Presence }

const PRESENCES: readonly Presence[] = [
  'always',
  'optional',
  'orUndefined',
  'option',
  'optionOrUndefined',
  'optionBit',
]

/** The value of a flag is its bit in the bitmap, so nothing else is written. */
const BIT: Described = { shape: bit(), values: fc.boolean(), write: () => {} }

const uints = fc.oneof(fc.nat(300), fc.maxSafeNat())
const leaves = fc.constantFrom<Described>(
  { shape: uint(), values: uints, write: (w, value: number) => w.uint(value) },
  { shape: timeMs(), values: uints, write: (w, value: number) => w.uint(value) },
  { shape: text(), values: fc.string({ unit: 'binary' }), write: (w, value: string) => w.text(value) },
  { shape: flag(), values: fc.boolean(), write: (w, value: boolean) => w.u8(value ? 1 : 0) },
  { shape: constant('SPOT'), values: fc.constant('SPOT'), write: () => {} },
  { shape: integer(), values: fc.maxSafeInteger(), write: (w, value: number) => w.bigint(BigInt(value)) },
  { shape: anyInteger(), values: fc.bigInt(), write: (w, value: bigint) => w.bigint(value) },
  { shape: byteString(), values: fc.uint8Array(), write: (w, value: Uint8Array) => w.bytes(value) },
  {
    shape: word(WORDS),
    values: fc.constantFrom(...WORDS),
    write: (w, value: (typeof WORDS)[number]) => w.u8(WORDS.indexOf(value)),
  },
  {
    shape: wordSet(WORDS),
    values: fc.subarray([...WORDS]),
    write: (w, value: readonly string[]) => {
      w.u8(
        (value.includes('NEW') ? 1 : 0) +
          (value.includes('FILLED') ? 2 : 0) +
          (value.includes('CANCELED') ? 4 : 0),
      )
    },
  },
  {
    shape: own<string>({ write: (w, value) => w.text(`=${value}`), read: (r) => r.text().slice(1) }),
    values: fc.string(),
    write: (w, value: string) => w.text(`=${value}`),
  },
)

const { described } = fc.letrec<{ described: Described }>((tie) => ({
  described: fc.oneof({ depthSize: 'small' }, leaves, listsOf(tie('described')), objectsOf(tie('described'))),
}))

function listsOf(items: fc.Arbitrary<Described>): fc.Arbitrary<Described> {
  return items.map(({ shape, values, write }) => ({
    shape: listOf(shape),
    values: fc.array(values, { maxLength: 3 }),
    write: (w, list: readonly never[]) => {
      w.uint(list.length)
      for (const item of list) write(w, item)
    },
  }))
}

function shapeOf({ shape, presence }: Member): Shape {
  if (presence === 'optional') return optional(shape)
  return presence === 'orUndefined' || presence === 'optionOrUndefined' ? orUndefined(shape) : shape
}

/** The fields of an object, and the optional fields in its bitmap. */
function parted(members: readonly Member[]): readonly [own: Member[], options: Member[]] {
  const isOption = ({ presence }: Member) => presence.startsWith('option') && presence !== 'optional'
  return [members.filter((each) => !isOption(each)), members.filter(isOption)]
}

function objectsOf(members: fc.Arbitrary<Described>): fc.Arbitrary<Described> {
  const one = fc.tuple(fc.stringMatching(/^[a-z]\w{0,5}$/), members, fc.constantFrom(...PRESENCES))
  return fc.uniqueArray(one, { selector: ([name]) => name, maxLength: 5 }).map((found) => {
    const all = found.map(([name, member, presence]): Member => {
      return { ...(presence === 'optionBit' ? BIT : member), name, presence }
    })
    const [fields, options] = parted(all)
    const shapes = (of: readonly Member[]): Fields =>
      Object.fromEntries(of.map((member) => [member.name, shapeOf(member)]))
    const values = all.map(({ name, values, presence }) => {
      const isAlways = presence === 'always' || presence === 'optionBit'
      return [name, isAlways ? values : fc.option(values, { nil: undefined })] as const
    })
    return {
      shape: object(shapes(fields), shapes(options)),
      values: fc.record(Object.fromEntries(values)),
      write: (w, value: Readonly<Record<string, never>>) => writeObject(w, fields, options, value),
    }
  })
}

function writeObject(
  w: ByteWriter,
  fields: readonly Member[],
  options: readonly Member[],
  value: Readonly<Record<string, never>>,
): void {
  for (const { name, presence, write } of fields) {
    if (presence !== 'always') w.u8(value[name] === undefined ? 0 : 1)
    if (value[name] !== undefined) write(w, value[name])
  }
  const there = options.filter(({ name, presence }) => {
    return presence === 'optionBit' ? value[name] : value[name] !== undefined
  })
  if (options.length > 0) w.uint(there.reduce((bits, member) => bits + 2 ** options.indexOf(member), 0))
  for (const { name, write } of there) write(w, value[name] as never)
}

const anyValue = described.chain((one) => one.values.map((value) => ({ ...one, value: value as never })))

function bytesOf(shape: Shape, value: unknown): Uint8Array {
  const w = new ByteWriter()
  byteCodec(shape).write(w, value)
  return w.take()
}

function readBack<Value>(shape: Shape<Value>, bytes: readonly number[] | Uint8Array): Value {
  const r = new ByteReader(Uint8Array.from(bytes))
  const value = byteCodec(shape).read(r)
  r.end()
  return value
}

test('the bytes of a shape are those of its fields, in their order and without names', () => {
  fc.assert(
    fc.property(anyValue, ({ shape, write, value }) => {
      const w = new ByteWriter()
      write(w, value)
      expect(bytesOf(shape, value)).toEqual(w.take())
    }),
    { numRuns: 500 },
  )
})

test('a written value is read back, and no byte is left', () => {
  fc.assert(
    fc.property(anyValue, ({ shape, value }) => {
      expect(readBack<unknown>(shape, bytesOf(shape, value))).toEqual(value)
    }),
    { numRuns: 500 },
  )
})

test('one codec reads and writes value after value', () => {
  const { write, read } = byteCodec(
    object({ name: text(), parts: listOf(object({}, { at: timeMs() })) }, { to: uint() }),
  )
  const values = [
    { name: 'a', parts: [{ at: 1 }, {}], to: 2 },
    { name: '', parts: [] },
    { name: 'b', parts: [{}] },
  ]
  const w = new ByteWriter()
  for (const value of values) write(w, value)
  const r = new ByteReader(w.take())
  expect(values.map(() => read(r))).toEqual(values)
})

test('an absent option is not a key of the value, one that may be undefined is', () => {
  const shape = object(
    { kept: orUndefined(uint()), left: optional(uint()) },
    { there: orUndefined(uint()), gone: uint() },
  )
  expect(Object.keys(readBack(shape, [0, 0, 0]))).toEqual(['kept', 'there'])
  expect(readBack(shape, [1, 7, 1, 8, 3, 9, 10])).toStrictEqual({ kept: 7, left: 8, there: 9, gone: 10 })
})

test('decoded bytes do not share memory with their source', () => {
  const bytes = Uint8Array.of(2, 5, 6)
  const found = byteCodec(byteString()).read(new ByteReader(bytes))
  bytes.fill(0)
  expect(found).toEqual(Uint8Array.of(5, 6))
})

describe('a value that no shape can be encoded from is a fault', () => {
  const faults: readonly (readonly [string, Shape, readonly number[], string])[] = [
    [
      'a bit of no option',
      object({}, { a: uint(), b: uint() }),
      [4],
      'expected the bits of 2 fields before byte 1, found 4',
    ],
    ['a bit of no word', wordSet(WORDS), [8], 'expected the bits of 3 words before byte 1, found 8'],
    ['a word beyond the list', word(WORDS), [3], 'expected 0 to 2 before byte 1, found 3'],
    [
      'a presence that is no flag',
      object({ a: optional(uint()) }),
      [2],
      'expected 0 or 1 at byte 0, found 2',
    ],
    ['a list longer than the bytes', listOf(uint()), [3, 1, 1], 'expected 1 bytes at byte 3 of 3'],
    [
      'a value that is not possible',
      checked(
        uint(),
        (value) => value > 0,
        (value) => `a limit of ${value} cannot be`,
      ),
      [0],
      'a limit of 0 cannot be, before byte 1',
    ],
  ]
  for (const [name, shape, bytes, sentence] of faults) {
    test(name, () => {
      expect(() => readBack<unknown>(shape, bytes)).toThrow(BytesFault)
      expect(() => readBack<unknown>(shape, bytes)).toThrow(sentence)
    })
  }
})

test('a field whose name is program text is refused, and no code is made of it', () => {
  for (const name of ['a"+alert(1)+"', 'a b', '', '1a', 'a-b', '__proto__x.y']) {
    const shapes = [object({ [name]: uint() }), object({}, { [name]: uint() })]
    for (const shape of shapes) {
      expect(() => bytesOf(shape, { [name]: 1 })).toThrow('not a plain identifier')
      expect(() => readBack<unknown>(shape, [1, 1])).toThrow('not a plain identifier')
    }
  }
})

test('a bitmap has as many fields as the operators of numbers have bits', () => {
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, uint()]))
  const all = Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`f${i}`, i]))
  const full = object({}, fields(31))
  expect(readBack<unknown>(full, bytesOf(full, all))).toEqual(all)
  const beyond = object({}, fields(32))
  expect(() => bytesOf(beyond, {})).toThrow(InvariantError)
  expect(() => readBack<unknown>(beyond, [0])).toThrow(InvariantError)
})

test('a shape of bytes alone has no JSON', () => {
  const shapes = [
    integer(),
    anyInteger(),
    byteString(),
    wordSet(WORDS),
    own({ write: () => {}, read: () => 1 }),
  ]
  for (const shape of shapes) expect(() => jsonOf<unknown>(shape, 1)).toThrow('has no JSON')
})

test('an optional number is itself, or one more where it may be 0, and 0 where it is absent', () => {
  const shape = object({ at: uintOrNone(), id: idOrNone() })
  for (const [value, bytes] of [
    [{ at: undefined, id: undefined }, [0, 0]],
    [{ at: 5, id: 0 }, [5, 1]],
    [{ at: 1, id: 6 }, [1, 7]],
  ] as const) {
    expect([...bytesOf(shape, value)]).toEqual([...bytes])
    expect(readBack(shape, bytes)).toStrictEqual(value)
  }
})

test('fields that share bytes are in the object itself, and nothing else that was read', () => {
  const shape = object({
    before: uint(),
    pair: spread<{ high: number; low: number }>(['high', 'low'], {
      write: (w, { high, low }) => w.uint(high * 16 + low),
      read: (r) => {
        const both = r.uint()
        return { high: both >> 4, low: both & 15, both }
      },
    }),
    after: uint(),
  })
  const value = { before: 1, high: 2, low: 3, after: 4 }
  expect([...bytesOf(shape, value)]).toEqual([1, 35, 4])
  expect(readBack(shape, [1, 35, 4])).toStrictEqual(value)
})

describe('values of several kinds', () => {
  const arms = {
    Opened: { code: 0, shape: object({ kind: constant('Opened'), at: uint() }) },
    Closed: { code: 9, shape: object({ kind: constant('Closed') }, { why: text() }) },
  }
  type Door = { readonly kind: string; readonly at?: number; readonly why?: string }
  const { write, read } = kindsCodec<Door>(arms, 'door')
  const written = (value: Door): Uint8Array => {
    const w = new ByteWriter()
    write(w, value)
    return w.take()
  }

  test('a value is the code of its kind and the fields of that kind', () => {
    for (const [value, bytes] of [
      [{ kind: 'Opened', at: 7 }, [0, 7]],
      [{ kind: 'Closed' }, [9, 0]],
      [{ kind: 'Closed', why: 'A' }, [9, 1, 1, 65]],
    ] as const) {
      expect([...written(value)]).toEqual([...bytes])
      expect(read(new ByteReader(written(value)))).toEqual(value)
    }
  })

  test('a kind and a code that do not exist are faults that name them', () => {
    expect(() => written({ kind: 'Painted' })).toThrow(new InvariantError('unknown kind of door Painted'))
    expect(() => read(new ByteReader(Uint8Array.of(3)))).toThrow(
      new BytesFault('unknown door code 3 at byte 0'),
    )
  })

  test('two kinds of one code are refused before anything is written', () => {
    const twice = { ...arms, Locked: { ...arms.Opened, code: 9 } }
    expect(() => kindsCodec(twice, 'door')).toThrow('two kinds of door have the same code')
  })
})
