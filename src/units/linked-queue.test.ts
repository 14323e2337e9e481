import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { LinkedQueue, type QueuePlace } from './linked-queue.ts'

test('a queue from which any entry may leave keeps the order of the others', () => {
  const step = fc.oneof(fc.constant('add' as const), fc.nat(20))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const queue = new LinkedQueue<number>()
      const places: QueuePlace<number>[] = []
      let last = 0
      for (const one of steps) {
        if (one === 'add') places.push(queue.add(++last))
        else for (const place of places.splice(one, 1)) queue.remove(place)
        expect([...queue]).toEqual(places.map(({ value }) => value))
        expect([queue.isEmpty, queue.first]).toEqual([places.length === 0, places[0]])
      }
    }),
  )
})
