import { expect, test } from 'bun:test'
import { parseBody } from './body.ts'
import { AdminRequestError } from './context.ts'

function refusalOf(text: string): unknown {
  try {
    return parseBody(text)
  } catch (error) {
    return error instanceof AdminRequestError ? [error.error.reason, error.error.field] : error
  }
}

test('a repeated name is refused by its name, however it is written', () => {
  for (const text of [
    '{"amount":"1","amount":"1000"}',
    '{"amount" : "1",\n"\\u0061mount"\t:"1"}',
    '{"note":"a \\" : b","amount":"1","amount":"1"}',
    '{"amount":[{"amount":"1"}]}',
  ]) {
    expect(refusalOf(text)).toEqual(['INVALID_FIELD', 'amount'])
  }
})

test('names within texts, and equal values, are not repeated names', () => {
  const body = { a: 'b', b: '"a":', c: ['a', 'a', '\\', '"'], d: '\\', e: '' }
  expect(parseBody(JSON.stringify(body))).toEqual(body)
  expect(parseBody('{"reference":"reference"}')).toEqual({ reference: 'reference' })
  expect(parseBody('')).toEqual({})
})

test('text that is not JSON is reported, and a long one takes time in proportion to its length', () => {
  for (const text of ['{', '{"a":1', 'null,', '{"a":"\ud800}'])
    expect(refusalOf(text)).toEqual(['INVALID_BODY', undefined])
  const long = JSON.stringify({ note: '\\"'.repeat(16_000) })
  expect(parseBody(long)).toEqual(JSON.parse(long))
})
