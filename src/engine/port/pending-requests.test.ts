import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { PendingRequests } from './pending-requests.ts'

test('requests are found, removed once and listed in the order of their numbers, however many have come since', () => {
  const step = fc.record({
    /** Number of further requests; their answers come at once, except for the requests that wait. */
    come: fc.integer({ min: 1, max: 3_000 }),
    waits: fc.nat(5),
    taken: fc.array(fc.nat(40), { maxLength: 4 }),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      const pending = new PendingRequests<{ readonly number: number }>()
      const waiting: number[] = []
      let last = 0
      for (const { come, waits, taken } of steps) {
        for (let left = come; left > 0; left--) {
          pending.add({ number: ++last })
          if (left <= waits) waiting.push(last)
          else expect(pending.take(last)?.number).toBe(last)
        }
        for (const place of taken) {
          const [number] = waiting.splice(place, 1)
          if (number === undefined) continue
          expect(pending.has(number)).toBe(true)
          expect(pending.take(number)?.number).toBe(number)
          expect(pending.take(number)).toBeUndefined()
          expect(pending.has(number)).toBe(false)
        }
        expect(pending.size).toBe(waiting.length)
        expect(pending.upTo(last).map(({ number }) => number)).toEqual(waiting)
        const some = waiting[2] ?? 0
        expect(pending.upTo(some).map(({ number }) => number)).toEqual(waiting.filter((n) => n <= some))
      }
      pending.clear()
      expect([pending.size, pending.upTo(last)]).toEqual([0, []])
    }),
    { numRuns: 50 },
  )
})
