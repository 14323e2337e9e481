import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PARAMETERS_MAX, Parameters } from '../common/parameters.ts'
import { addForm } from './form.ts'

const parse = (text: string) => {
  const parameters = new Parameters()
  return { parameters, fault: addForm(parameters, text) }
}

test('form data encoded by any client is decoded to the original', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(name, fc.string({ unit: 'grapheme' })), {
        selector: ([n]) => n,
        maxLength: 20,
      }),
      (pairs) => {
        const { parameters, fault } = parse(new URLSearchParams(pairs).toString())
        expect(fault).toBeUndefined()
        expect([...parameters.names()]).toEqual(pairs.map(([n]) => n))
        for (const [n, value] of pairs) expect(parameters.get(n)).toBe(value)
        expect(parameters.firstRepeated()).toBeUndefined()
      },
    ),
  )
})

test('a form is parsed in the same way whatever forms were parsed before it', () => {
  const name = fc.constantFrom('', 'a', 'b', 'ab', 'abc', 'symbol')
  const value = fc.constantFrom(
    undefined,
    '',
    '1',
    '12',
    '=',
    '1=',
    'x'.repeat(31),
    'x'.repeat(32),
    'x'.repeat(33),
  )
  const pair = fc.tuple(name, value)
  const form = fc.array(pair, { maxLength: 20 })
  fc.assert(
    fc.property(fc.array(form, { maxLength: 5 }), (forms) => {
      for (const pairs of forms) {
        const { parameters, fault } = parse(
          pairs.map(([n, v]) => (v === undefined ? n : `${n}=${v}`)).join('&'),
        )
        expect(fault).toBeUndefined()
        const meant = new Map<string, string>()
        for (const [n, v] of pairs) if (!meant.has(n) && (n !== '' || v !== undefined)) meant.set(n, v ?? '')
        expect([...parameters.names()]).toEqual([...meant.keys()])
        for (const [n, v] of meant) expect(parameters.get(n)).toBe(v)
      }
    }),
  )
})

test.each(['a=%', 'a=%4', 'a=%zz', 'a=%ff', 'a=%c3%28', 'a=%ed%a0%80', '%=1', 'a=%C0%80', 'ok=1&a=%f5'])(
  '%p is malformed, never repaired',
  (text) => {
    expect(parse(text).fault).toBe('MALFORMED')
  },
)

test('a name given twice is recorded, however it is encoded and wherever it is', () => {
  expect(parse('symbol=1&s%79mbol=1').parameters.firstRepeated()).toBe('symbol')
  const { parameters } = parse('a=1')
  addForm(parameters, 'b=2&a=1')
  expect(parameters.firstRepeated()).toBe('a')
  expect(parameters.isRepeated('a')).toBe(true)
  expect(parameters.isRepeated('b')).toBe(false)
})

test('values without a name belong to no parameter, and are not repetitions', () => {
  const { parameters } = parse('&=&=&=1&symbol=1')
  expect(parameters.firstRepeated()).toBeUndefined()
  expect(parameters.isRepeated('')).toBe(false)
  expect(parameters.get('symbol')).toBe('1')
})

test('names of JavaScript’s own properties are names like any other', () => {
  const { parameters } = parse('__proto__=1&constructor=2&toString=3')
  expect(parameters.get('__proto__')).toBe('1')
  expect(parameters.get('hasOwnProperty')).toBeUndefined()
  expect(parameters.has('valueOf')).toBe(false)
})

describe('the form', () => {
  test('may have empty pieces and names without a value', () => {
    const { parameters } = parse('&&a&b=&=c&d=e=f&')
    expect([...parameters.names()]).toEqual(['a', 'b', '', 'd'])
    expect(parameters.get('a')).toBe('')
    expect(parameters.get('d')).toBe('e=f')
  })

  test('has a bounded number of parameters', () => {
    const names = Array.from({ length: PARAMETERS_MAX + 1 }, (_, at) => `p${at}=1`)
    expect(parse(names.slice(1).join('&')).fault).toBeUndefined()
    expect(parse(names.join('&')).fault).toBe('TOO_MANY')
  })

  test('of any bytes is read or refused without an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        [undefined, 'MALFORMED', 'TOO_MANY'].includes(parse(text).fault),
      ),
    )
  })
})
