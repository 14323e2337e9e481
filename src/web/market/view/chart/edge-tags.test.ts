import { expect, test } from 'bun:test'
import { edgeTags } from './edge-tags.ts'

/** A price difference of 1 is ten pixels, and the price 100 is at the top of 200 pixels. */
const view = { height: 200, heightOf: (price: number) => (100 - price) * 10, priceText: String }
const line = (price: number) => ({ price, color: `of ${price}` })

test('an order in view has no tag; one beyond an edge has one there, the nearest first', () => {
  expect(edgeTags([line(90), line(104), line(101), line(79.5)], view)).toEqual([
    { y: 10, text: '▲ 101', color: 'of 101' },
    { y: 28, text: '▲ 104', color: 'of 104' },
    { y: 190, text: '▼ 79.5', color: 'of 79.5' },
  ])
})

test('an edge with more than three orders says at its last tag how many more there are', () => {
  const tags = edgeTags([105, 104, 103, 102, 101].map(line), view)
  expect(tags.map(({ text }) => text)).toEqual(['▲ 101', '▲ 102 +3'])
})

test('a scale without prices places no tags', () => {
  expect(edgeTags([line(1)], { ...view, heightOf: () => undefined })).toEqual([])
})
