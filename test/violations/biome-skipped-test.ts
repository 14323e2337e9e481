// tool: biome; place: src/units/violation-skip.test.ts; says: noSkippedTests
import { expect, test } from 'bun:test'

test.skip('is left out', () => {
  expect(1).toBe(1)
})
