import { expect, test } from 'bun:test'
import type { Drawing } from '../../../state/drawings.ts'
import { hitAt, toSegment } from './drawing-places.ts'

const level: Drawing = { id: 1, kind: 'LEVEL', price: 1 }
const trend: Drawing = { id: 2, kind: 'TREND', from: { time: 0, price: 1 }, to: { time: 1, price: 2 } }
const drawn = [
  { drawing: level, ends: { from: { x: 0, y: 50 }, to: { x: 300, y: 50 } } },
  { drawing: trend, ends: { from: { x: 100, y: 0 }, to: { x: 200, y: 100 } } },
  { drawing: { ...level, id: 3 }, ends: undefined },
]

test('the drawing that is picked is the one within reach, an end of it before its middle, and the later one of two', () => {
  const at = (x: number, y: number) => hitAt(drawn, { x, y }, 6)
  expect([at(10, 55), at(10, 57), at(100, 5), at(205, 103), at(130, 30)]).toEqual([
    { id: 1, part: 'whole' },
    undefined,
    { id: 2, part: 'from' },
    { id: 2, part: 'to' },
    { id: 2, part: 'whole' },
  ])
  // At their intersection.
  expect(at(150, 50)).toEqual({ id: 2, part: 'whole' })
})

test('the distance of a point from a line ends at the ends of the line', () => {
  const ends = { from: { x: 0, y: 0 }, to: { x: 10, y: 0 } }
  expect([toSegment({ x: 5, y: 3 }, ends), toSegment({ x: 13, y: 4 }, ends)]).toEqual([3, 5])
  expect(toSegment({ x: 3, y: 4 }, { from: ends.from, to: ends.from })).toBe(5)
})
