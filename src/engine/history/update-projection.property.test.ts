/**
 * Compares history's records for the private feed with the machine itself, in a few random runs; the slow
 * test beside it has more.
 */
import { expect, test } from 'bun:test'
import { changesIn } from './update-projection.fixture.ts'

const SEEDS = [1, 2, 3, 4]
const LEAST_CHANGES = 150

test('every change of an order or a balance is in an update of its account, as it is right after the command', async () => {
  let changes = 0
  for (const seed of SEEDS) changes += await changesIn(seed)
  expect(changes).toBeGreaterThan(LEAST_CHANGES)
})
