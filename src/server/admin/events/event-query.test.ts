import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { AdminRequestError } from '../context.ts'
import { eventRequestOf } from './event-query.ts'

test('a query has the same meaning as the operation’s body', () => {
  expect(eventRequestOf('after=12&limit=5&kinds=CREDIT,FILL&account=a%20b&journal=x&wait=0')).toEqual({
    ...{ after: 12, limit: 5, kinds: ['CREDIT', 'FILL'], account: 'a b', journal: 'x', wait: 0 },
  })
  expect(eventRequestOf('')).toEqual({})
})

test('a number has one form, and ends at the largest number', () => {
  for (const text of ['01', '+1', '1.0', '1e3', ' 1', '', '0x1', '99999999999999999', '9007199254740992']) {
    expect([text, fault(`after=${encodeURIComponent(text)}`)]).toEqual([text, 'after'])
  }
  expect(eventRequestOf('after=9007199254740991')).toEqual({ after: Number.MAX_SAFE_INTEGER })
})

test('any query is either valid or refused with a parameter', () => {
  const names = fc.constantFrom(
    'after',
    'limit',
    'kinds',
    'account',
    'journal',
    'wait',
    '__proto__',
    'constructor',
    'x',
  )
  const values = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('1', '-1', 'CREDIT', ',', 'CREDIT,CREDIT'),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(names, values)), fc.string(), (pairs, rest) => {
      const query = `${new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()]))}&${rest}`
      try {
        const request = eventRequestOf(query)
        for (const name of Object.keys(request)) expect(query).toContain(name)
      } catch (error) {
        if (!(error instanceof AdminRequestError)) throw error
        expect(error.error.field).toBeString()
      }
    }),
  )
})

function fault(query: string): string | undefined {
  try {
    eventRequestOf(query)
    return undefined
  } catch (error) {
    return error instanceof AdminRequestError ? error.error.field : String(error)
  }
}
