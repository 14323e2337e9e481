import { expect, test } from 'bun:test'
import { keptStorage } from '../../shared/browser-storage.fixture.ts'
import { DRAWINGS_ENTRY } from './chart-choice.ts'
import {
  DRAWINGS_MAX,
  DRAWN_MARKETS_MAX,
  type Drawing,
  DrawingStore,
  moved,
  type NewDrawing,
  withDrawing,
} from './drawings.ts'

const trend = { kind: 'TREND', from: { time: 1, price: 10 }, to: { time: 5, price: 30 } } as const
const level = { kind: 'LEVEL', price: 7 } as const
const drawn = (...drawings: readonly NewDrawing[]) =>
  drawings.reduce<readonly Drawing[]>((all, one) => withDrawing(all, one), [])

test('drawings are kept for each market by itself', () => {
  const browser = keptStorage()
  const store = new DrawingStore(browser.tab())
  store.write('A/B', drawn(trend, level))
  store.write('C/D', drawn(level))
  const again = new DrawingStore(browser.tab())
  expect(again.read('A/B')).toEqual([
    { ...trend, id: 1 },
    { ...level, id: 2 },
  ])
  expect([again.read('C/D').length, again.read('E/F')]).toEqual([1, []])
  store.write('C/D', [])
  expect(browser.values.get(DRAWINGS_ENTRY)).not.toContain('C/D')
})

test('no more drawings and no more markets are kept than there is room for: the market drawn in longest ago goes first', () => {
  const many = drawn(...Array(DRAWINGS_MAX + 5).fill(level))
  expect(many).toHaveLength(DRAWINGS_MAX)
  const store = new DrawingStore(keptStorage().tab())
  for (let index = 0; index <= DRAWN_MARKETS_MAX; index++) store.write(`${index}/X`, drawn(level))
  expect([store.read('0/X'), store.read('1/X').length]).toEqual([[], 1])
})

test('what is damaged is left out', () => {
  const read = (kept: unknown) =>
    new DrawingStore(keptStorage({ [DRAWINGS_ENTRY]: JSON.stringify(kept) }).tab()).read('A/B')
  const damaged = [
    {},
    null,
    { kind: 'LEVEL', price: -1 },
    { kind: 'LEVEL' },
    { ...trend, to: { time: 'x', price: 1 } },
  ]
  expect(read([['A/B', [...damaged, level]]])).toEqual([{ ...level, id: 1 }])
  for (const kept of [{}, 7, [['A/B']], [[7, []]]]) expect(read(kept)).toEqual([])
})

test('a trend line is moved as a whole or by an end, and no price falls to zero', () => {
  const line = { ...trend, id: 1 }
  expect(moved(line, 'whole', 2, 5)).toEqual({
    ...line,
    from: { time: 3, price: 15 },
    to: { time: 7, price: 35 },
  })
  expect(moved(line, 'from', 2, 5)).toEqual({ ...line, from: { time: 3, price: 15 } })
  expect(moved(line, 'to', 2, 5)).toEqual({ ...line, to: { time: 7, price: 35 } })
  expect(moved({ ...level, id: 2 }, 'whole', 9, -7)).toEqual({ ...level, id: 2 })
})
