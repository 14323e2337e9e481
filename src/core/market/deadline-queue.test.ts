import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { OrderNumber } from '../../units/ids.ts'
import { timeMs } from '../../units/quantities.ts'
import { DeadlineQueue } from './deadline-queue.ts'

type Entry = { readonly number: OrderNumber; readonly time: ReturnType<typeof timeMs> }

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), at: fc.nat(30), by: fc.nat(200) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), at: fc.nat(30), by: fc.nat(200) }),
  },
)

const inTurn = (a: Entry, b: Entry): number => a.time - b.time || a.number - b.number

test('orders come out by their time, then by their number, whatever was added and removed before', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 400, size: 'max' }),
      fc.nat(31),
      fc.nat(20),
      (steps, until, max) => {
        const queue = new DeadlineQueue<OrderNumber>()
        let plain: Entry[] = []
        for (const { kind, at, by } of steps) {
          const number = by as OrderNumber
          const isThere = plain.some((entry) => entry.number === number)
          if (kind === 'add' && !isThere) {
            queue.add(number, timeMs(at))
            plain.push({ number, time: timeMs(at) })
          } else if (kind === 'remove') {
            expect(queue.remove(number)).toBe(isThere)
            plain = plain.filter((entry) => entry.number !== number)
          }
          expect(queue.timeOf(number)).toBe(plain.find((entry) => entry.number === number)?.time)
        }
        const sorted = plain.toSorted(inTurn)
        expect([queue.count, queue.firstTime]).toEqual([plain.length, sorted[0]?.time])
        const due = sorted.filter(({ time }) => time <= until).map(({ number }) => number)
        expect(queue.until(timeMs(until), max)).toEqual(due.slice(0, max))
        expect([...queue.byNumber()]).toEqual(plain.toSorted((a, b) => a.number - b.number))
      },
    ),
    { numRuns: 300 },
  )
})

test('an order has only one end time', () => {
  const queue = new DeadlineQueue<OrderNumber>()
  queue.add(7 as OrderNumber, timeMs(5))
  expect(() => queue.add(7 as OrderNumber, timeMs(6))).toThrow('7 already has an expiry time')
})
