import { afterEach, describe, expect, test } from 'bun:test'
import { RawWebSocket } from '../../../../test/support/raw-websocket.ts'
import { streamServers } from '../../../../test/support/stream-server.ts'
import { until } from '../../../../test/support/until.ts'
import { NO_PAUSE } from '../pace.ts'
import { OpeningTurns } from './opening-turns.ts'

const { serve, cleanUp } = streamServers()
afterEach(cleanUp)

const POLLING = '/socket.io/?EIO=4&transport=polling'
const WEBSOCKET = '/socket.io/?EIO=4&transport=websocket'

/** Turns of the event loop that the test starts. */
function turns() {
  const due: (() => void)[] = []
  const soon = (task: () => void) => {
    due.push(task)
    return () => {}
  }
  return { due, pace: { ...NO_PAUSE, soon }, next: () => due.shift()?.() }
}

describe('turns of openings', () => {
  test('are given one by one, in the order of the requests', async () => {
    const { due, pace, next } = turns()
    const openings = new OpeningTurns(pace)
    const had: number[] = []
    for (const which of [1, 2, 3]) void openings.next().then(() => had.push(which))
    for (const expected of [[1], [1, 2], [1, 2, 3]]) {
      expect(due).toHaveLength(1)
      next()
      await Promise.resolve()
      await Promise.resolve()
      expect(had).toEqual(expected)
    }
    expect(due).toHaveLength(0)
    void openings.next().then(() => had.push(4))
    expect(due).toHaveLength(1)
  })
})

describe('simultaneous sessions of Socket.IO', () => {
  test('open one in a turn of the event loop, by either transport', async () => {
    const { due, pace, next } = turns()
    const { stream, origin } = serve({}, undefined, undefined, pace)
    const answered: number[] = []
    for (let count = 0; count < 2; count++)
      void fetch(`http://${origin}${POLLING}`).then(({ status }) => answered.push(status))
    const sockets = [RawWebSocket.open(origin, WEBSOCKET), RawWebSocket.open(origin, WEBSOCKET)]
    // The first waiting connection requests a turn, so the others must have arrived before it is given.
    const plain = await Promise.all([RawWebSocket.open(origin), RawWebSocket.open(origin)])
    expect([plain.length, stream.connections]).toEqual([2, 2])
    for (let opened = 1; opened <= 4; opened++) {
      await until('a session waits for its turn', () => due.length === 1)
      expect(stream.connections).toBe(1 + opened)
      next()
      await until('it has opened', () => stream.connections === 2 + opened)
    }
    await Promise.all(sockets)
    await until('the polls are answered', () => answered.length === 2)
    expect(answered).toEqual([200, 200])
  })

  test('are counted when they open, so that waiting ones do not exceed the limit together', async () => {
    const { due, pace, next } = turns()
    const { stream, origin } = serve({ connectionsPerAddressMax: 1 }, undefined, undefined, pace)
    const statuses: number[] = []
    for (let count = 0; count < 3; count++)
      void fetch(`http://${origin}${POLLING}`).then(({ status }) => statuses.push(status))
    for (let count = 0; count < 3; count++) {
      await until('a session waits for its turn', () => due.length === 1 || statuses.length === 3)
      next()
      await until('it is answered', () => statuses.length > count)
    }
    expect([statuses, stream.connections]).toEqual([[200, 429, 429], 1])
  })

  test('do not open where the server has begun to stop while they waited', async () => {
    const { due, pace, next } = turns()
    const { stream, origin } = serve({}, undefined, undefined, pace)
    const answer = fetch(`http://${origin}${POLLING}`)
    await until('a session waits for its turn', () => due.length === 1)
    const stopped = stream.stop()
    next()
    expect((await answer).status).toBe(503)
    await stopped
    expect(stream.connections).toBe(0)
  })
})
