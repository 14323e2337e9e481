/**
 * Compares history's records for the private feed with the machine itself, in more random runs than the fast
 * part.
 */
import { expect, test } from 'bun:test'
import { changesIn } from './update-projection.fixture.ts'

const SEEDS = [5, 6, 7, 8, 9, 10, 11, 12]
const LEAST_CHANGES = 350

test('every change of an order or a balance is in an update of its account in long runs too', async () => {
  let changes = 0
  for (const seed of SEEDS) changes += await changesIn(seed)
  expect(changes).toBeGreaterThan(LEAST_CHANGES)
})
