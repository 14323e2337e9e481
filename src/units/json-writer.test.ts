/** The writer of bytes and the writers of texts produce the same output. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { plainDecimal } from './decimal.ts'
import { type NumberedId, uuidOf } from './ids.ts'
import { JsonWriter, jsonPart } from './json-writer.ts'
import { type Decimals, timeMs, UNITS_MAX } from './quantities.ts'

const anyNumber = fc.oneof(
  fc.integer({ min: 0, max: 10_000 }),
  fc.maxSafeInteger().map(Math.abs),
  fc.constantFrom(0, 2 ** 31, 2 ** 31 - 1, 2 ** 53 - 1),
)

function written(write: (writer: JsonWriter) => void): string {
  const writer = new JsonWriter(1)
  write(writer)
  return writer.take()
}

test('a decimal is written as its text, however large, small or below zero', () => {
  const units = fc.oneof(anyNumber, anyNumber.map(BigInt), fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n }))
  fc.assert(
    fc.property(units, fc.integer({ min: 0, max: 18 }), (value, places) => {
      expect(written((w) => w.decimal(value, places as Decimals))).toBe(
        plainDecimal(value, places as Decimals),
      )
    }),
  )
})

test('a decimal of zeros and nines at the edge of what a number holds is written exactly', () => {
  for (let places = 0; places <= 15; places++) {
    for (let power = 0; power <= 15; power++) {
      for (const units of [
        10 ** power - 1,
        10 ** power,
        10 ** power + 1,
        UNITS_MAX - 10 ** power,
        UNITS_MAX,
      ]) {
        expect(written((w) => w.decimal(units, places as Decimals))).toBe(
          plainDecimal(BigInt(units), places as Decimals),
        )
      }
    }
  }
})

test('a whole number is written with its digits, and anything else is refused', () => {
  fc.assert(fc.property(anyNumber, (value) => expect(written((w) => w.whole(value))).toBe(String(value))))
  for (const wrong of [-1, 0.5, 2 ** 53, Number.NaN])
    expect(() => written((w) => w.whole(wrong))).toThrow('whole number')
})

test('an id is written as its text, of any kind, number and time, several times of one moment too', () => {
  const kind = fc.constantFrom('order', 'trade', 'list', 'session')
  const number = fc.oneof(anyNumber, fc.constantFrom(2 ** 24 - 1, 2 ** 24, 2 ** 48 - 1, 2 ** 48))
  const time = fc
    .oneof(
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 2 ** 31 - 1 }).map((each) => each * 2 ** 16),
    )
    .map(timeMs)
  fc.assert(
    fc.property(fc.array(fc.record({ kind, number, time })), (ids) => {
      const writer = new JsonWriter()
      for (const { kind, number, time } of ids) {
        writer.uuid(kind, number as NumberedId, time)
        expect(writer.take()).toBe(uuidOf(kind, number as NumberedId, time))
      }
    }),
  )
})

test('texts and parts of any length and script are written unchanged, one after another', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.string({ minLength: 90, maxLength: 300 }),
  )
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const asTexts = new JsonWriter(1)
      const asParts = new JsonWriter(1)
      for (const each of texts) {
        asTexts.text(each)
        asParts.part(jsonPart(each))
      }
      const both = new JsonWriter(1)
      both.char(0x5b)
      both.written(asTexts)
      expect(both.textFrom(1)).toBe(texts.join(''))
      expect(both.take()).toBe(`[${texts.join('')}`)
      expect(both.length).toBe(0)
      expect(asParts.take()).toBe(asTexts.take())
    }),
  )
})
