import { expect, test } from 'bun:test'
import { ByteReader, BytesFault, ByteWriter } from './bytes.ts'
import { readList, readWord, wordIndex, writeList, writeWord } from './field-codec.ts'
import { InvariantError } from './invariant.ts'
import { SIDES, type Side } from './order-enums.ts'

test('an enum value is one byte, its position, and read back the same', () => {
  const w = new ByteWriter()
  for (const side of SIDES) writeWord(w, SIDES, side)
  expect(w.peek()).toEqual(Uint8Array.of(0, 1))
  const r = new ByteReader(w.take())
  expect([readWord(r, SIDES), readWord(r, SIDES)]).toEqual([...SIDES])
})

test('a position beyond the list is a fault; a value that is not in it is a bug', () => {
  expect(() => readWord(new ByteReader(Uint8Array.of(2)), SIDES)).toThrow(BytesFault)
  expect(() => writeWord(new ByteWriter(), SIDES, 'HOLD' as Side)).toThrow(InvariantError)
  expect(() => wordIndex(SIDES, 'buy' as Side)).toThrow(InvariantError)
})

test('a list is read back as written; a false length is a fault', () => {
  const w = new ByteWriter()
  writeList(w, ['a', '', 'ğ'], (to, text) => to.text(text))
  expect(readList(new ByteReader(w.peek()), (r) => r.text())).toEqual(['a', '', 'ğ'])
  w.reset()
  w.uint(Number.MAX_SAFE_INTEGER)
  w.u8(1)
  expect(() => readList(new ByteReader(w.peek()), (r) => r.u8())).toThrow(BytesFault)
})
