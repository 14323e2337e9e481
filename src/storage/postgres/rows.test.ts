import { expect, test } from 'bun:test'
import { INSERT_TEXT, insertManyText } from './rows.ts'

test('the statement that inserts many rows has a value for each column of each row, in order', () => {
  const places = (text: string) => [...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place))
  const columns = places(INSERT_TEXT).length
  for (const rows of [1, 2, 100]) {
    const values = places(insertManyText(rows))
    expect(values).toEqual(Array.from({ length: rows * columns }, (_, i) => i + 1))
  }
  expect(insertManyText(1)).toBe(INSERT_TEXT)
})
