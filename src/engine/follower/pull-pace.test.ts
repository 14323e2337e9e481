import { expect, test } from 'bun:test'
import { PullPace } from './pull-pace.ts'

/** A pace whose timer the test triggers. */
function paced() {
  const timers = new Set<() => void>()
  const state = { isAwaited: false }
  const scheduler = {
    later: (task: () => void) => {
      timers.add(task)
      return () => timers.delete(task)
    },
  }
  const pace = new PullPace({ scheduler, pauseMs: 5, isAwaited: () => state.isAwaited })
  let pauses = 0
  const pause = (): void => void pace.pause().then(() => pauses++)
  return { pace, timers, state, pause, ended: () => pauses }
}

test('a pause without a waiter lasts until its timer', async () => {
  const { timers, pause, ended } = paced()
  pause()
  await Promise.resolve()
  expect([timers.size, ended()]).toEqual([1, 0])
  for (const timer of timers) timer()
  await Promise.resolve()
  expect([timers.size, ended()]).toEqual([0, 1])
})

test('a new waiter ends the pause, and its timer with it', async () => {
  const { pace, timers, pause, ended } = paced()
  pause()
  pace.end()
  pace.end()
  await Promise.resolve()
  expect([timers.size, ended()]).toEqual([0, 1])
})

test('there is no pause while a question waits', async () => {
  const { timers, state, pause, ended } = paced()
  state.isAwaited = true
  pause()
  await Promise.resolve()
  expect([timers.size, ended()]).toEqual([0, 1])
})
