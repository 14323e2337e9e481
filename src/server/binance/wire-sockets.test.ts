/** A connection ends when it is 24 hours old, and gets a message ten minutes before. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { openBinance } from './binance.fixture.ts'
import { SocketClient } from './socket-client.fixture.ts'

setDefaultTimeout(300_000)

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

test('a connection ends after 24 hours, with a notice ten minutes before in the form of its path, and a younger one stays', async () => {
  const f = await openBinance()
  try {
    const api = await SocketClient.open(f)
    const raw = await SocketClient.open(f, '/ws/btcusdt@trade')
    const combined = await SocketClient.open(f, '/stream?streams=btcusdt@trade')
    f.clock.time += DAY_MS - 10 * MINUTE_MS - 1
    const young = await SocketClient.open(f)
    expect((await young.ask('ping')).status).toBe(200)
    f.clock.time += 1
    const E = f.clock.time
    const told = { e: 'serverShutdown', E }
    const isTold = (text: string) => text.includes('serverShutdown')
    const texts = await Promise.all(
      [api, raw, combined].map((client) => client.until((message) => isTold(JSON.stringify(message)))),
    )
    expect(texts).toEqual([
      expect.objectContaining({ event: told }),
      expect.objectContaining(told),
      { stream: '!serverShutdown', data: told },
    ])
    f.clock.time += 10 * MINUTE_MS - 1
    expect((await api.ask('ping')).status).toBe(200)
    f.clock.time += 1
    for (const client of [api, raw, combined]) expect((await client.closed).code).toBe(1001)
    const times = [api, raw, combined].map(
      ({ messages }) => messages.filter((message) => isTold(JSON.stringify(message))).length,
    )
    expect(times).toEqual([1, 1, 1])
    expect((await young.ask('ping')).status).toBe(200)
    expect(young.events).toEqual([])
  } finally {
    await f.stop()
  }
})
