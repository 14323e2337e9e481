import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { type HeapPlace, MeldableHeap } from './meldable-heap.ts'

const step = fc.oneof(
  fc.record({ does: fc.constant('add' as const), heap: fc.nat(3) }),
  fc.record({ does: fc.constant('remove' as const), which: fc.nat() }),
  fc.record({ does: fc.constant('take' as const), heap: fc.nat(3) }),
  fc.record({ does: fc.constant('absorb' as const), heap: fc.nat(3), other: fc.nat(3) }),
)

/** A heap, and a plain set of its values for comparison. */
type Twin = { readonly heap: MeldableHeap<number>; readonly values: Set<number> }

test('a heap has the values that were added, and the least of them first, whatever is removed or merged', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), fc.infiniteStream(fc.nat()), (steps, keys) => {
      const heapOf = () => ({ heap: new MeldableHeap<number>((a, b) => a < b), values: new Set<number>() })
      const twins: Twin[] = [heapOf(), heapOf(), heapOf(), heapOf()]
      const placeByValue = new Map<number, HeapPlace<number>>()
      const remove = (twin: Twin, value: number) => {
        twin.heap.remove(placeByValue.get(value) as HeapPlace<number>)
        placeByValue.delete(value)
        twin.values.delete(value)
      }
      for (const one of steps) {
        if (one.does === 'remove') {
          const value = [...placeByValue.keys()][one.which % Math.max(1, placeByValue.size)]
          const twin = twins.find(({ values }) => value !== undefined && values.has(value))
          if (twin !== undefined && value !== undefined) remove(twin, value)
        } else if (one.does === 'add') {
          const { value } = keys.next()
          if (placeByValue.has(value)) continue
          const twin = twins[one.heap] as Twin
          placeByValue.set(value, twin.heap.add(value))
          twin.values.add(value)
        } else if (one.does === 'take') {
          const twin = twins[one.heap] as Twin
          if (twin.heap.first !== undefined) remove(twin, twin.heap.first)
        } else if (one.heap !== one.other) {
          const [twin, other] = [twins[one.heap] as Twin, twins[one.other] as Twin]
          twin.heap.absorb(other.heap)
          for (const value of other.values) twin.values.add(value)
          other.values.clear()
        }
        for (const { heap, values } of twins) {
          expect(heap.first).toBe(values.size === 0 ? undefined : Math.min(...values))
          expect(heap.isEmpty).toBe(values.size === 0)
        }
      }
      const sorted = (values: Iterable<number>) => [...values].sort((a, b) => a - b)
      for (const { heap, values } of twins) expect(sorted(heap)).toEqual(sorted(values))
    }),
    { numRuns: 200 },
  )
})

test('a heap of many values is emptied from its first, its middle and its end in their order', () => {
  const heap = new MeldableHeap<number>((a, b) => a < b)
  const places = Array.from({ length: 20_000 }, (_, i) => heap.add((i * 7_919) % 20_011))
  for (const place of places.slice(5_000, 15_000)) heap.remove(place)
  const rest = places.filter((_, i) => i < 5_000 || i >= 15_000).map(({ value }) => value)
  const taken: number[] = []
  const placeByValue = new Map(places.map((place) => [place.value, place]))
  for (let first = heap.first; first !== undefined; first = heap.first) {
    taken.push(first)
    heap.remove(placeByValue.get(first) as HeapPlace<number>)
  }
  expect(taken).toEqual(rest.sort((a, b) => a - b))
})
