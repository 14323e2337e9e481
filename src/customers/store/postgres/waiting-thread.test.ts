import { expect, test } from 'bun:test'
import type { ThreadPlace } from './messages.ts'
import { WaitingThread } from './waiting-thread.ts'

test('a thread that does not answer is replaced after the time limit, and its late answer answers no other request', () => {
  const places: ThreadPlace[] = []
  let ended = 0
  const thread = new WaitingThread((place) => {
    places.push(place)
    return { terminate: () => ended++ }
  }, 20)
  const asked = { kind: 'RUN', text: 'SELECT 1', values: [], transaction: 'NONE' } as const
  expect(thread.ask(asked)).toEqual({
    kind: 'AWAY',
    message: 'the connection thread did not answer within 20 ms',
  })
  expect([places.length, ended]).toEqual([1, 1])
  expect(thread.ask(asked).kind).toBe('AWAY')
  expect([places.length, ended]).toEqual([2, 2])
})

test('a thread that was closed is not started again: each further request is answered as away at once', () => {
  let started = 0
  const thread = new WaitingThread(() => {
    started++
    return { terminate: () => {} }
  }, 20)
  const asked = { kind: 'RUN', text: 'SELECT 1', values: [], transaction: 'NONE' } as const
  thread.ask(asked)
  for (let times = 0; times < 2; times++) thread.close()
  for (let times = 0; times < 3; times++)
    expect(thread.ask(asked)).toEqual({ kind: 'AWAY', message: 'it was closed' })
  expect(started).toBe(1)
})
