/** The growth and the reset of the timeout for a linked leader. */
import { expect, test } from 'bun:test'
import { LinkedTimeout } from './linked-timeout.ts'

test('a linked leader may be silent for one, two and at most four timeouts, after each loss for twice as long', () => {
  let nowMs = 0
  const patience = new LinkedTimeout(700, () => nowMs)
  expect(patience.ms).toBe(700)
  for (const ms of [1_400, 2_800, 2_800]) {
    patience.spent()
    nowMs += 1_000
    expect(patience.ms).toBe(ms)
  }
})

test('sixty timeouts after the last loss of a linked leader one timeout is enough again', () => {
  let nowMs = 0
  const patience = new LinkedTimeout(100, () => nowMs)
  patience.spent()
  nowMs = 1_000
  patience.spent()
  expect(patience.ms).toBe(400)
  nowMs = 6_500
  expect(patience.ms).toBe(200)
  nowMs = 7_001
  expect(patience.ms).toBe(100)
})
