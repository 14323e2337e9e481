import { expect, test } from 'bun:test'
import { matching } from '../reference-search.ts'

const ENTRIES = [
  { id: 'order', name: 'GET /order', text: 'One order by its id or clientOrderId.' },
  { id: 'newOrder', name: 'POST /order', text: 'Places an order. icebergQty: shown quantity.' },
  { id: 'ICEBERG', name: 'ICEBERG_TOO_LARGE', text: 'The shown quantity is above the order.' },
]
const found = (asked: string) => matching(ENTRIES, asked).map(({ id }) => id)

test('a search finds entries with every word, names before texts, in any case', () => {
  expect(found('iceberg')).toEqual(['ICEBERG', 'newOrder'])
  expect(found('POST order')).toEqual(['newOrder'])
  expect(found('CLIENTORDERID')).toEqual(['order'])
  expect(found('shown  quantity')).toEqual(['newOrder', 'ICEBERG'])
})

test('a search for an unknown word, or for nothing, finds nothing', () => {
  expect(found('margin')).toEqual([])
  expect(found('  ')).toEqual([])
})
