/**
 * Snapshots that are damaged in every byte and in every way; `snapshot.test.ts` damages each byte in one way.
 */
import { describe, expect, test } from 'bun:test'
import { DAMAGES, refusedOfDamaged, SNAPSHOTS } from './snapshot.fixture.ts'

describe.each(SNAPSHOTS)('%s', (_, make) => {
  test('with any byte changed in several ways is refused each time, or is the one form of another state', () => {
    const bytes = make().encodeSnapshot()
    expect(refusedOfDamaged(bytes, () => DAMAGES)).toBeGreaterThan(bytes.length)
  })
})
