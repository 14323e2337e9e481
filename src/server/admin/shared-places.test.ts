import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Holder, SharedPlaces } from './shared-places.ts'

test('one token has a share of the places, and a released place is free again', () => {
  const places = new SharedPlaces(4, 2)
  expect([places.take('ann'), places.take('ann'), places.take('ann')]).toEqual([true, true, false])
  places.leave('ann')
  expect([places.take('ann'), places.taken]).toEqual([true, 2])
})

test('a token that has no place finds one, whatever the others hold', () => {
  const places = new SharedPlaces(4, 2)
  for (const name of ['ann', 'ann', 'ben', 'ben']) places.take(name)
  expect([places.take('cleo'), places.take('cleo'), places.take(undefined)]).toEqual([true, false, true])
})

test('however places are taken and released, a token has its share at most and one place at least', () => {
  const holders = fc.constantFrom<Holder>('ann', 'ben', 'cleo', undefined)
  fc.assert(
    fc.property(fc.array(fc.tuple(holders, fc.boolean())), (steps) => {
      const places = new SharedPlaces(5, 3)
      const held = new Map<Holder, number>()
      for (const [holder, isTaken] of steps) {
        const own = held.get(holder) ?? 0
        if (isTaken) {
          const total = [...held.values()].reduce((sum, one) => sum + one, 0)
          const isGiven = places.take(holder)
          expect(isGiven).toBe(own === 0 || (own < 3 && total < 5))
          if (isGiven) held.set(holder, own + 1)
        } else if (own > 0) {
          places.leave(holder)
          held.set(holder, own - 1)
        }
        expect(places.taken).toBeLessThanOrEqual(5 + 4)
      }
    }),
  )
})
