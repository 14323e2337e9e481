/** The condition that a benchmark waits for after the orders of a load. */
import { afterEach, expect, test } from 'bun:test'
import { untilHistoryShows } from './ack-targets.ts'

const servers: Bun.Server<unknown>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) void server.stop(true)
})

const NO_LEADER = { status: 503, reason: 'NO_LEADER' }

/** A server that gives these answers in turn and then repeats the last one; it counts the requests. */
function answering(...answers: readonly { readonly status: number; readonly reason?: string }[]) {
  let asked = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => {
      const answer = answers[Math.min(asked++, answers.length - 1)]
      return new Response(answer?.reason ?? '{}', { status: answer?.status ?? 500 })
    },
  })
  servers.push(server)
  return { trader: { port: server.port ?? 0, apiKey: 'key', secret: 'secret' }, asked: () => asked }
}

test('a history without a leader for a moment is asked again', async () => {
  const { trader, asked } = answering(NO_LEADER, NO_LEADER, { status: 200 })
  await untilHistoryShows(trader)
  expect(asked()).toBe(3)
})

test('a history that stays without a leader ends the wait with its own message', async () => {
  const { trader } = answering(NO_LEADER)
  await expect(untilHistoryShows(trader, 0)).rejects.toThrow('the trade history answered 503: NO_LEADER')
})

test('a history that refuses the key is not asked again', async () => {
  const { trader, asked } = answering({ status: 401, reason: 'INVALID_API_KEY' }, { status: 200 })
  await expect(untilHistoryShows(trader)).rejects.toThrow('401: INVALID_API_KEY')
  expect(asked()).toBe(1)
})
