import { expect, test } from 'bun:test'
import { WebhookPace } from './pace.ts'

test('turns come in the order of the requests, with the gap between them, and none is saved up', async () => {
  let now = 100
  const slept: number[] = []
  const sleep = async (ms: number): Promise<void> => {
    slept.push(ms)
  }
  const pace = new WebhookPace(5, { nowMs: () => now, sleep })
  const { signal } = new AbortController()
  for (let i = 0; i < 4; i++) await pace.turn(signal)
  expect(slept).toEqual([5, 10, 15])
  now = 1_000
  await pace.turn(signal)
  await pace.turn(signal)
  expect(slept).toEqual([5, 10, 15, 5])
})
