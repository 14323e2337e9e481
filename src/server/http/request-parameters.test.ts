/**
 * Query string and body are signed as one text: the position of the boundary between them never changes the
 * meaning of a request.
 */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Refusal } from '../common/refusal.ts'
import { readParameters } from './request-parameters.ts'

const FORM = 'application/x-www-form-urlencoded'
const encoder = new TextEncoder()
const bytesOf = (text: string) => (text === '' ? undefined : encoder.encode(text))

/** The meaning of the request, or the reason for its refusal. */
function meaning(query: string, body: Uint8Array | undefined, type: string | null = FORM) {
  const parameters = readParameters(query, body, type)
  if (parameters instanceof Refusal) return parameters.reason
  const pairs = parameters.names().map((name) => [name, parameters.get(name), parameters.isRepeated(name)])
  return JSON.stringify(pairs)
}

const cut = (query: string, body: string) => meaning(query, bytesOf(body))
const isRefused = (answer: string) => !answer.startsWith('[')

/** A text that clients might sign: raw `=`, empty pieces, valid and broken encodings, repeated names. */
const signedText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'price=90000',
        'timeInForce=IOC',
        'timestamp=1790000000123',
        'a=b=c',
        '=',
        'a',
        '&',
        '?',
      ),
      fc.constantFrom('x=%26y%3D1', 'x=%C3%BC', 'x=ü', 'x=%', 'x=%zz', 'x=%C3', '+=+', 'price=9', '?price=1'),
      fc.string({ unit: fc.constantFrom(...'ab=&%26+?C3'), maxLength: 12 }),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join('&'))

test('every accepted cut of a signed text has the meaning of the whole text', () => {
  let accepted = 0
  fc.assert(
    fc.property(signedText, (text) => {
      const whole = cut('', text)
      const bytes = encoder.encode(text)
      for (let at = 1; at <= bytes.length; at++) {
        // A query with other characters never arrives here as it was sent: the runtime encodes them first.
        const query = Buffer.from(bytes.subarray(0, at)).toString('latin1')
        if (/[^\x20-\x7e]/.test(query)) break
        const rest = bytes.subarray(at)
        const answer = meaning(query, rest.length === 0 ? undefined : rest)
        if (isRefused(answer)) continue
        accepted++
        expect(answer).toBe(whole)
      }
    }),
    { numRuns: 3_000 },
  )
  expect(accepted).toBeGreaterThan(1_000)
})

test('a text is accepted whole in the query, whole in the body, and cut beside any of its separators', () => {
  const piece = fc.constantFrom('price=90000', 'a=b=c', 'x=%26', 'y=+', 'z', '')
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
      const text = pieces.join('&')
      const whole = cut('', text)
      expect(isRefused(whole)).toBe(false)
      expect(cut(text, '')).toBe(whole)
      for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
        expect(cut(text.slice(0, at), text.slice(at))).toBe(whole)
        expect(cut(text.slice(0, at + 1), text.slice(at + 1))).toBe(whole)
      }
    }),
  )
})

describe('a text that is cut between query and body without & on either side is refused', () => {
  test.each([
    ['price=9', '0000&timestamp=1'],
    ['price=90000', 'timeInForce=IOC'],
    ['price=9', '0000timeInForce=IOC'],
    ['timeIn', 'Force=IOC'],
    ['x=%', '26'],
    ['x=%26', 'y=1'],
    ['x=', '1'],
    ['x', '=1'],
    ['+', '+'],
    ['?', 'x=1'],
  ])('%p | %p', (query, body) => {
    expect(cut(query, body)).toBe('SEPARATOR_REQUIRED')
  })
})

test('separators may be doubled at the joint, and a part of nothing but separators is one', () => {
  for (const [query, body] of [
    ['a=1&', '&b=2'],
    ['a=1&&', 'b=2'],
    ['a=1', '&&b=2'],
    ['&', 'a=1&b=2'],
    ['a=1&b=2', '&'],
    ['', 'a=1&b=2'],
    ['a=1&b=2', ''],
  ] as const) {
    expect(cut(query, body)).toBe(cut('', 'a=1&b=2'))
  }
})

test('a name on both sides of the joint is a repeated one', () => {
  expect(cut('a=1&', 'a=2')).toBe(cut('', 'a=1&a=2'))
  expect(cut('a=1&', 'a=2')).toContain('true')
})

describe('a fault of the body is reported before one of the joint, and that before one of the query', () => {
  const of = (query: string, body: string | Uint8Array, type: string | null = FORM) =>
    meaning(query, typeof body === 'string' ? bytesOf(body) : body, type)

  test('content type and UTF-8 first', () => {
    expect(of('x=%', 'a=%', 'text/plain')).toBe('UNSUPPORTED_CONTENT_TYPE')
    expect(of('x=%', 'a=%', null)).toBe('UNSUPPORTED_CONTENT_TYPE')
    expect(of('x=%', Uint8Array.of(0xbc))).toBe('UNREADABLE_BODY')
  })

  test('then the joint, then the encoding of the body, then that of the query', () => {
    expect(of('x=%', 'a=%')).toBe('SEPARATOR_REQUIRED')
    expect(of('x=%&', 'a=%')).toBe('UNREADABLE_BODY')
    expect(of('x=%&', 'a=1')).toBe('UNREADABLE_QUERY')
    expect(of('x=%', '')).toBe('UNREADABLE_QUERY')
  })
})

test('the number of parameters is limited over query and body together', () => {
  const names = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `p${from + at}=1`).join('&')
  expect(isRefused(cut(`${names(0, 32)}&`, names(32, 64)))).toBe(false)
  expect(cut(`${names(0, 32)}&`, names(32, 65))).toBe('TOO_MANY_PARAMETERS')
})
