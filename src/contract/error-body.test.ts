import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { errorBody } from './error-body.ts'

test('an error body has exactly the documented fields in their order, and the reason', () => {
  expect(errorBody('MISSING_PARAMETER', { name: 'symbol' }, 'en')).toBe(
    '{"status":false,"code":"4001","msg":["The parameter symbol is required."],"reason":"MISSING_PARAMETER"}',
  )
})

test('details beside the reason follow it', () => {
  const args = { name: 'price', max: 2 }
  const nearest = { parameter: 'price', value: '1.5' }
  expect(errorBody('TOO_MANY_DECIMALS', args, 'en', { nearest })).toEndWith(
    '"reason":"TOO_MANY_DECIMALS","nearest":"1.5","parameter":"price"}',
  )
  expect(errorBody('UNKNOWN_CLIENT_ORDER_ID', {}, 'en', { isFinal: false })).toEndWith(
    '"reason":"UNKNOWN_CLIENT_ORDER_ID","isFinal":false}',
  )
})

test('code and reason do not change with the language, the text does', () => {
  const turkish = JSON.parse(errorBody('MISSING_PARAMETER', { name: 'symbol' }, 'tr'))
  expect(turkish).toEqual({
    status: false,
    code: '4001',
    msg: ['symbol parametresi zorunludur.'],
    reason: 'MISSING_PARAMETER',
  })
})

test('an argument in two languages is shown in the language of the text', () => {
  const args = { name: 'x', expected: { en: 'green', tr: 'yeşil' } }
  expect(JSON.parse(errorBody('INVALID_PARAMETER', args, 'tr')).msg[0]).toContain('yeşil')
})

test('whatever a client calls its parameters, the body is JSON that repeats only the start of a name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (name) => {
      const { msg } = JSON.parse(errorBody('MISSING_PARAMETER', { name }, 'en'))
      expect(msg[0]).toStartWith(`The parameter ${name.slice(0, 50)}`)
      expect(msg[0].length).toBeLessThan(160)
    }),
  )
})

test('a client cannot smuggle in another argument by writing a placeholder', () => {
  const args = { name: '{expected}', expected: 'secret' }
  expect(JSON.parse(errorBody('MISSPELLED_PARAMETER', args, 'en')).msg[0]).toBe(
    'The parameter {expected} must be written secret.',
  )
})
