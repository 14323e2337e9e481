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
    message: 'the thread of the connection has not answered within 20 ms',
  })
  expect([places.length, ended]).toEqual([1, 1])
  expect(thread.ask(asked).kind).toBe('AWAY')
  expect([places.length, ended]).toEqual([2, 2])
})
