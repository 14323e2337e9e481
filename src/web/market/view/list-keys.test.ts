import { expect, test } from 'bun:test'
import { rowOfKey } from './list-keys.ts'

test('keys move through a list by row, by page and to its ends, and never beyond them', () => {
  const rows = (key: string, shiftKey = false) =>
    [-1, 0, 150, 299].map((at) => rowOfKey({ key, shiftKey }, at, 300))
  expect(rows('ArrowDown')).toEqual([0, 1, 151, 299])
  expect(rows('ArrowUp')).toEqual([0, 0, 149, 298])
  expect(rows('PageDown')).toEqual([9, 10, 160, 299])
  expect(rows('PageUp')).toEqual([0, 0, 140, 289])
  expect([rows('Home'), rows('End')]).toEqual([Array(4).fill(0), Array(4).fill(299)])
  expect([rows('Home', true), rows('a')]).toEqual([Array(4).fill(undefined), Array(4).fill(undefined)])
  expect(rowOfKey({ key: 'End', shiftKey: false }, -1, 0)).toBe(undefined)
})
