import { expect, test } from 'bun:test'
import { keptStorage, refusedStorage } from '../../shared/browser-storage.fixture.ts'
import { DRAWINGS_MAX, DRAWN_MARKETS_MAX, type Drawing, DrawingStore, moved } from './drawings.ts'
import { DRAWINGS_ENTRY } from './part-entries.ts'

const trend = { kind: 'TREND', from: { time: 1, price: 10 }, to: { time: 5, price: 30 } } as const
const level = { kind: 'LEVEL', price: 7 } as const

test('drawings are stored for each market separately', () => {
  const browser = keptStorage()
  const store = new DrawingStore(browser.tab())
  for (const drawing of [trend, level]) store.add('A/B', drawing)
  const other = store.add('C/D', level)
  const again = new DrawingStore(browser.tab())
  expect(again.read('A/B')).toEqual([
    { ...trend, id: 1 },
    { ...level, id: 2 },
  ])
  expect([again.read('C/D').length, again.read('E/F')]).toEqual([1, []])
  store.remove('C/D', other?.id ?? 0)
  expect(browser.values.get(DRAWINGS_ENTRY)).not.toContain('C/D')
})

test('two tabs draw in one market: neither removes what the other has drawn, moved or removed, and each is notified', () => {
  const browser = keptStorage()
  const [one, other] = [new DrawingStore(browser.tab()), new DrawingStore(browser.tab())]
  let heard = 0
  one.watch(() => heard++)
  const first = one.add('A/B', level)
  const second = other.add('A/B', trend)
  if (first === undefined || second === undefined) throw new Error('expected two drawings')
  expect([second.id === first.id, heard]).toEqual([false, 1])
  one.change('A/B', { ...first, price: 9 } as Drawing)
  other.remove('A/B', second.id)
  // The other tab removed it in the meantime: it must not reappear.
  one.change('A/B', moved(second, 'whole', 1, 1))
  expect(other.read('A/B')).toEqual([{ ...level, price: 9, id: first.id }])
  other.remove('A/B', first.id)
  expect([one.read('A/B'), heard]).toEqual([[], 3])
})

test('drawings keep their ids when others are removed, and last as long as the page is open in a browser without storage', () => {
  for (const storage of [keptStorage().tab(), refusedStorage()]) {
    const store = new DrawingStore(storage)
    const ids = [level, trend, level].map((drawing) => store.add('A/B', drawing)?.id)
    expect(ids).toEqual([1, 2, 3])
    store.remove('A/B', 1)
    expect(store.read('A/B').map(({ id }) => id)).toEqual([2, 3])
    expect(store.add('A/B', level)?.id).toBe(4)
  }
})

test('no more drawings and markets are stored than the limit: the market that was drawn in least recently is dropped first', () => {
  const store = new DrawingStore(keptStorage().tab())
  for (let count = 0; count < DRAWINGS_MAX; count++) expect(store.add('A/B', level)).toBeDefined()
  expect(store.add('A/B', level)).toBeUndefined()
  expect(store.read('A/B')).toHaveLength(DRAWINGS_MAX)
  for (let index = 0; index <= DRAWN_MARKETS_MAX; index++) store.add(`${index}/X`, level)
  expect([store.read('A/B'), store.read('0/X'), store.read('1/X').length]).toEqual([[], [], 1])
})

test('damaged drawings are left out', () => {
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
