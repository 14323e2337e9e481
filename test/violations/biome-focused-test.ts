// tool: biome; place: src/units/violation-only.test.ts; says: noFocusedTests
import { expect, test } from 'bun:test'

test.only('leaves the others out', () => {
  expect(1).toBe(1)
})
