/**
 * Rules for every binary format: written values are read back, and damage is a `BytesFault` or another value
 * with exactly those bytes, never a guess and never another error.
 */
import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'

export type Codec<T> = {
  readonly write: (w: ByteWriter, value: T) => void
  readonly read: (r: ByteReader) => T
}

export function encodeWith<T>(codec: Codec<T>, value: T): Uint8Array<ArrayBuffer> {
  const w = new ByteWriter(1)
  codec.write(w, value)
  return w.take()
}

/** Decodes bytes that must hold one value and nothing else. */
export function decodeWith<T>(codec: Codec<T>, bytes: Uint8Array): T {
  const r = new ByteReader(bytes)
  const value = codec.read(r)
  r.end()
  return value
}

/**
 * Defines the tests that hold for every codec; `arbitraryByKind` has a source of values for each kind.
 * `share` is the share of the values to damage, for values so long that damaging all would take seconds; a
 * slow test damages all.
 */
export function testCodec<T>(
  codec: Codec<T>,
  arbitraryByKind: Readonly<Record<string, fc.Arbitrary<T>>>,
  share = 1,
): void {
  const arbitrary = fc.oneof(...Object.values(arbitraryByKind))

  describe('what was written is read back', () => {
    for (const [kind, values] of Object.entries(arbitraryByKind)) {
      test(kind, () => {
        const rule = fc.property(values, (value) => {
          expect(decodeWith(codec, encodeWith(codec, value))).toEqual(value)
        })
        fc.assert(rule, { numRuns: 300 })
      })
    }
  })

  test('values follow one another without separators', () => {
    const rule = fc.property(fc.array(arbitrary, { maxLength: 20 }), (values) => {
      const w = new ByteWriter(1)
      for (const value of values) codec.write(w, value)
      const r = new ByteReader(w.peek())
      expect(values.map(() => codec.read(r))).toEqual(values)
      r.end()
    })
    fc.assert(rule, { numRuns: 50 })
  })

  test('a decoded value does not share memory with the bytes it was read from', () => {
    const rule = fc.property(arbitrary, (value) => {
      const bytes = encodeWith(codec, value)
      const decoded = decodeWith(codec, bytes)
      bytes.fill(0xff)
      expect(decoded).toEqual(value)
    })
    fc.assert(rule)
  })

  test('a value cut anywhere is a fault', () => {
    const rule = fc.property(arbitrary, (value) => {
      const bytes = encodeWith(codec, value)
      const understood: number[] = []
      for (let length = 0; length < bytes.length; length++) {
        if (!isFault(codec, bytes.subarray(0, length))) understood.push(length)
      }
      expect(understood).toEqual([])
    })
    fc.assert(rule, { numRuns: 150 * share })
  })

  test('flipped bytes are a fault or the one form of another value', () => {
    const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 3,
    })
    const rule = fc.property(arbitrary, flips, (value, flips) => {
      const bytes = encodeWith(codec, value)
      for (const [at, mask] of flips) bytes[at % bytes.length] = (bytes[at % bytes.length] as number) ^ mask
      expectFaultOrOneForm(codec, bytes)
    })
    fc.assert(rule, { numRuns: 5_000 * share })
  })

  test('random bytes are a fault or the one form of a value', () => {
    const rule = fc.property(
      fc.integer({ min: 0, max: 20 }),
      fc.uint8Array({ maxLength: 40 }),
      (code, rest) => {
        expectFaultOrOneForm(codec, Uint8Array.of(code, ...rest))
      },
    )
    fc.assert(rule, { numRuns: 5_000 })
  })
}

/** Whether reading the bytes is a `BytesFault`, and no other error. */
function isFault<T>(codec: Codec<T>, bytes: Uint8Array): boolean {
  try {
    decodeWith(codec, bytes)
    return false
  } catch (error) {
    if (error instanceof BytesFault) return true
    throw error
  }
}

function expectFaultOrOneForm<T>(codec: Codec<T>, bytes: Uint8Array): void {
  let decoded: T
  try {
    decoded = decodeWith(codec, bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(BytesFault)
    return
  }
  expect(Buffer.from(encodeWith(codec, decoded))).toEqual(Buffer.from(bytes))
}
