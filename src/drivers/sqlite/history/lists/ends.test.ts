import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { aTrade } from '../../../../engine/history.contract.ts'
import { ByteWriter } from '../../../../units/bytes.ts'
import { endOf, ListEnds, type Owner, readEnds, symbolsOf, writeEnds } from './ends.ts'

/** Ends over rows in a map. */
function stage(listsMax: number) {
  const rows = new Map<Owner, Uint8Array>()
  const steps: number[][] = []
  const storage = {
    read: (owner: Owner) => rows.get(owner),
    write: (owner: Owner, data: Uint8Array) => void rows.set(owner, data.slice()),
    addStep: (...step: number[]) => void steps.push(step),
    step: (...key: number[]) => steps.find((step) => key.every((value, i) => step[i] === value))?.at(-1),
  }
  return { rows, steps, ends: new ListEnds(storage, listsMax) }
}

test('no more ends are kept than the limit and those of what came since they were stored', () => {
  const { rows, ends } = stage(10)
  let most = 0
  for (let number = 1; number <= 100; number++) {
    ends.link(aTrade({ number, maker: 2 * number, taker: 2 * number + 1, symbol: number % 3 }))
    most = Math.max(most, ends.size)
    if (ends.isFull) ends.store(new ByteWriter())
  }
  expect(most).toBeLessThanOrEqual(10 + 5)
  ends.store(new ByteWriter())
  // Two accounts a trade, and three symbols.
  expect(rows.size).toBe(203)
})

test('what was stored is stored again only when it has changed', () => {
  const { rows, ends } = stage(1_000)
  ends.link(aTrade({ number: 1, maker: 10, taker: 11 }))
  ends.store(new ByteWriter())
  rows.clear()
  ends.link(aTrade({ number: 2, maker: 12, taker: 11 }))
  ends.store(new ByteWriter())
  expect([...rows.keys()].sort((a, b) => a - b)).toEqual([-1, 11, 12])
})

test('each 64th record of a list is a step', () => {
  const { steps, ends } = stage(1_000)
  for (let number = 1; number <= 64; number++) ends.link(aTrade({ number, maker: 10, taker: 11 }))
  const lists = [
    [-1, -1],
    [10, -1],
    [10, 0],
    [11, -1],
    [11, 0],
  ]
  expect(steps).toEqual(lists.map((list) => [...list, 64, 64]))
})

test('ends come back as they were written, for their owner alone', () => {
  const end = fc.tuple(fc.maxSafeNat(), fc.maxSafeNat())
  const bySymbol = fc.uniqueArray(fc.tuple(fc.nat(9_999), end), { selector: ([symbol]) => symbol })
  fc.assert(
    fc.property(fc.integer({ min: -10_000, max: 10_000_000 }), end, bySymbol, (owner, all, symbols) => {
      const sorted = symbols.sort(([a], [b]) => a - b)
      const ends = [0, ...all, ...sorted.flatMap(([symbol, [n, trade]]) => [symbol, n, trade])]
      const data = writeEnds(new ByteWriter(), owner, ends).slice()
      expect(readEnds(owner, data)).toEqual(ends)
      expect(() => readEnds(owner + 1, data)).toThrow('are found as those of')
      expect(symbolsOf(ends) as number[]).toEqual(sorted.map(([symbol]) => symbol))
      for (const symbol of symbolsOf(ends)) {
        const [n, trade] = sorted.find(([each]) => each === symbol)?.[1] ?? []
        expect(endOf(ends, symbol)).toEqual({ n: n as number, trade: trade as number })
      }
    }),
  )
})
