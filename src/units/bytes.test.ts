import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { BIGINT_BYTES_MAX, ByteReader, BytesFault, ByteWriter, FIELD_BYTES_MAX } from './bytes.ts'
import { InvariantError } from './invariant.ts'
import { wholeOf } from './whole.ts'

type Field =
  | { kind: 'u8' | 'u32' | 'uint'; value: number }
  | { kind: 'bigint'; value: bigint }
  | { kind: 'bool'; value: boolean }
  | { kind: 'bytes'; value: Uint8Array }
  | { kind: 'text'; value: string }

/** Numbers around every length of their binary form. */
const uints = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc
    .integer({ min: 0, max: 52 })
    .chain((bits) => fc.integer({ min: 2 ** bits - 1, max: 2 ** (bits + 1) - 1 })),
  fc.integer({ min: 0, max: 53 }).map((bits) => 2 ** bits - 1),
  fc.integer({ min: 0, max: 52 }).map((bits) => 2 ** bits),
)
const bigints = fc.oneof(
  fc.bigInt({ min: -300n, max: 300n }),
  fc
    .tuple(fc.integer({ min: 0, max: 4_000 }), fc.bigInt({ min: -2n, max: 2n }), fc.boolean())
    .map(([bits, off, negative]) => (negative ? -1n : 1n) * (2n ** BigInt(bits) + off)),
)
/** Texts of about the length at which their encoding changes, ASCII and others. */
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'binary-ascii', minLength: 45, maxLength: 52 }),
  fc.string({ unit: fc.constantFrom('a', 'ğ', '€', '😀', '\0', '\ufeff'), maxLength: 60 }),
)

const fields: fc.Arbitrary<Field> = fc.oneof(
  fc.integer({ min: 0, max: 255 }).map((value): Field => ({ kind: 'u8', value })),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((value): Field => ({ kind: 'u32', value })),
  uints.map((value): Field => ({ kind: 'uint', value })),
  bigints.map((value): Field => ({ kind: 'bigint', value })),
  fc.boolean().map((value): Field => ({ kind: 'bool', value })),
  fc.uint8Array({ maxLength: 200 }).map((value): Field => ({ kind: 'bytes', value })),
  texts.map((value): Field => ({ kind: 'text', value })),
)
const records = fc.array(fields, { minLength: 1, maxLength: 20 })

function write(w: ByteWriter, field: Field): void {
  if (field.kind === 'bigint') w.bigint(field.value)
  else if (field.kind === 'bool') w.bool(field.value)
  else if (field.kind === 'bytes') w.bytes(field.value)
  else if (field.kind === 'text') w.text(field.value)
  else w[field.kind](field.value)
}

function bytesOf(record: readonly Field[], capacity?: number): Uint8Array {
  const w = new ByteWriter(capacity)
  for (const field of record) write(w, field)
  return w.take()
}

/** Reads fields of the same kinds as `like`. */
function readAs(like: readonly Field[], bytes: Uint8Array): Field[] {
  const r = new ByteReader(bytes)
  const found = like.map(({ kind }) => ({ kind, value: r[kind]() }) as Field)
  r.end()
  return found
}

describe('any record', () => {
  test('is read back as it was written, whatever room the writer began with', () => {
    fc.assert(
      fc.property(records, fc.nat({ max: 64 }), (record, capacity) => {
        const bytes = bytesOf(record, capacity)
        expect(readAs(record, bytes)).toEqual(record)
        expect(bytesOf(record)).toEqual(bytes)
      }),
      { numRuns: 500 },
    )
  })

  test('cut anywhere is a fault', () => {
    fc.assert(
      fc.property(records, fc.nat(), (record, at) => {
        const bytes = bytesOf(record)
        expect(() => readAs(record, bytes.subarray(0, at % bytes.length))).toThrow(BytesFault)
      }),
      { numRuns: 500 },
    )
  })

  test('with a byte too many is a fault', () => {
    expect(() => readAs([{ kind: 'u8', value: 1 }], Uint8Array.of(1, 0))).toThrow(BytesFault)
  })

  test('of any bytes at all is a fault, or exactly what a writer would write', () => {
    const kinds: fc.Arbitrary<Field[]> = fc.array(
      fc.constantFrom<Field[]>(
        { kind: 'u32', value: 0 },
        { kind: 'uint', value: 0 },
        { kind: 'bigint', value: 0n },
        { kind: 'bool', value: true },
        { kind: 'bytes', value: new Uint8Array() },
        { kind: 'text', value: '' },
      ),
      { minLength: 1, maxLength: 3 },
    )
    const bytes = fc.array(
      fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.integer({ min: 0, max: 255 })),
      {
        maxLength: 24,
      },
    )
    fc.assert(
      fc.property(kinds, bytes, (like, found) => {
        const given = Uint8Array.from(found)
        let read: Field[]
        try {
          read = readAs(like, given)
        } catch (fault) {
          expect(fault).toBeInstanceOf(BytesFault)
          return
        }
        expect(bytesOf(read)).toEqual(given)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('numbers', () => {
  test('from 0 to 2^53-1 take one to eight bytes', () => {
    const lengthOf = (value: number) => bytesOf([{ kind: 'uint', value }]).length
    expect([0, 127, 128, 2 ** 28 - 1, 2 ** 28, 2 ** 32, Number.MAX_SAFE_INTEGER].map(lengthOf)).toEqual([
      1, 1, 2, 4, 5, 5, 8,
    ])
  })

  test('that cannot be encoded are a bug of the writer', () => {
    const w = new ByteWriter()
    for (const value of [-1, 0.5, 2 ** 40 + 0.5, -(2 ** 40), 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => w.uint(value), `${value}`).toThrow(InvariantError)
      expect(() => w.u8(value), `${value}`).toThrow(InvariantError)
      expect(() => w.u32(value), `${value}`).toThrow(InvariantError)
    }
    expect(() => w.u8(256)).toThrow(InvariantError)
    expect(() => w.u32(2 ** 32)).toThrow(InvariantError)
    expect(() => w.bigint(2n ** BigInt(7 * BIGINT_BYTES_MAX))).toThrow(InvariantError)
  })

  test('above 2^53-1, or longer than they need be, are a fault', () => {
    const uint = (...bytes: number[]) => new ByteReader(Uint8Array.from(bytes)).uint()
    const ff = Array.from({ length: 7 }, () => 0xff)
    expect(uint(...ff, 0x0f)).toBe(Number.MAX_SAFE_INTEGER)
    expect(() => uint(...ff, 0x10)).toThrow(BytesFault)
    expect(() => uint(...ff, 0xff, 0x01)).toThrow(BytesFault)
    expect(() => uint(0x80, 0x00)).toThrow(BytesFault)
    expect(() => new ByteReader(Uint8Array.of(...ff, 0xff, 0x00)).bigint()).toThrow(BytesFault)
  })

  test('around every boundary of their forms are read back', () => {
    const largest = 2n ** BigInt(7 * BIGINT_BYTES_MAX - 1) - 1n
    const values = [largest, -largest - 1n]
    for (const near of [2n ** 52n, 2n ** 53n, 2n ** 63n, 2n ** 64n]) {
      for (let off = -2n; off <= 2n; off++) values.push(near + off, -near + off)
    }
    for (const value of values) {
      const record: Field[] = [{ kind: 'bigint', value }]
      expect(readAs(record, bytesOf(record))).toEqual(record)
    }
    expect(() => new ByteWriter().bigint(largest + 1n)).toThrow(InvariantError)
    const tooLong = new Uint8Array(BIGINT_BYTES_MAX + 1).fill(0xff)
    tooLong[BIGINT_BYTES_MAX] = 1
    expect(() => new ByteReader(tooLong).bigint()).toThrow(BytesFault)
  })

  test('that never end are a fault, in bounded time', () => {
    const endless = new Uint8Array(1_000_000).fill(0xff)
    expect(() => new ByteReader(endless).uint()).toThrow(BytesFault)
    expect(() => new ByteReader(endless).bigint()).toThrow(BytesFault)
  })

  test('of four bytes can be overwritten later, and in no other place', () => {
    const w = new ByteWriter(1)
    w.u32(0)
    w.u8(7)
    w.u32At(0, 0xdeadbeef)
    expect(w.take()).toEqual(Uint8Array.of(0xef, 0xbe, 0xad, 0xde, 7))
    expect(() => w.u32At(2, 1)).toThrow(InvariantError)
    expect(() => w.u32At(-1, 1)).toThrow(InvariantError)
  })
})

describe('texts and byte strings', () => {
  test('a field made of what was written is the field of those bytes, at any length', () => {
    for (const size of [0, 1, 127, 128, 300, 16_383, 16_384, 70_000]) {
      const data = Uint8Array.from({ length: size }, (_, i) => i * 7 + size)
      const [made, expected] = [new ByteWriter(1), new ByteWriter(1)]
      for (const w of [made, expected]) w.u32(size)
      const start = made.beginField()
      made.raw(data)
      made.endField(start)
      expected.bytes(data)
      for (const w of [made, expected]) w.u8(9)
      expect(made.take()).toEqual(expected.take())
    }
    expect(() => new ByteWriter().endField(1)).toThrow(InvariantError)
    expect(() => new ByteWriter().endField(0)).toThrow(InvariantError)
  })

  test('a text that cannot be encoded in UTF-8 is a bug of the writer, at any length', () => {
    for (const text of ['\ud800', 'a\udc00', `${'x'.repeat(60)}\ud83d`]) {
      expect(() => new ByteWriter().text(text)).toThrow(InvariantError)
    }
  })

  test('malformed UTF-8 is a fault, at any length', () => {
    const text = (...bytes: number[]) => new ByteReader(Uint8Array.of(bytes.length, ...bytes)).text()
    const long = Array.from({ length: 60 }, () => 0x61)
    for (const bad of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [...long, 0x80]]) {
      expect(() => text(...bad)).toThrow(BytesFault)
    }
    expect(text(0xef, 0xbb, 0xbf, 0x61)).toBe('\ufeffa')
  })

  test('a field above 64 MiB is a bug of the writer and a fault to the reader', () => {
    expect(() => new ByteWriter().bytes(new Uint8Array(FIELD_BYTES_MAX + 1))).toThrow(InvariantError)
    const w = new ByteWriter()
    w.uint(FIELD_BYTES_MAX + 1)
    const bytes = new Uint8Array(w.length + FIELD_BYTES_MAX + 1)
    bytes.set(w.peek())
    expect(() => new ByteReader(bytes).bytes()).toThrow(BytesFault)
  })

  test('a false length is a fault and takes no memory', () => {
    const w = new ByteWriter()
    w.uint(Number.MAX_SAFE_INTEGER)
    w.u8(1)
    for (const read of ['bytes', 'text'] as const) {
      expect(() => new ByteReader(w.take())[read]()).toThrow(BytesFault)
    }
  })
})

describe('the buffer', () => {
  test('bytes taken from it are not touched by later writes', () => {
    const w = new ByteWriter(4)
    w.u32(1)
    const taken = w.take()
    w.reset()
    w.u32(2)
    expect(taken).toEqual(Uint8Array.of(1, 0, 0, 0))
    expect(w.peek()).toEqual(Uint8Array.of(2, 0, 0, 0))
    expect(w.length).toBe(4)
  })

  test('a reader keeps to its part of a larger buffer', () => {
    const part = Uint8Array.of(9, 1, 2, 9).subarray(1, 3)
    const r = new ByteReader(part)
    expect([r.u8(), r.at, r.u8(), r.atEnd]).toEqual([1, 1, 2, true])
    expect(() => r.u8()).toThrow(BytesFault)
    expect(() => new ByteReader(part, 1).u32()).toThrow(BytesFault)
  })
})

test('a whole number has the bytes of the same bigint, and is read back in the form of its size', () => {
  const edges = [0n, 2n ** 52n, -(2n ** 52n), 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n) + 1n, -(2n ** 53n)]
  const rule = fc.property(fc.oneof(bigints, fc.constantFrom(...edges)), (value) => {
    const [plain, whole] = [new ByteWriter(1), new ByteWriter(1)]
    plain.bigint(value)
    whole.whole(wholeOf(value))
    expect(whole.take()).toEqual(plain.take())
    expect(new ByteReader(whole.take()).whole()).toBe(wholeOf(value))
  })
  fc.assert(rule)
})
