/** A node that was stopped or killed and restarted answers every question with the same text as before. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { until } from '../support/until.ts'
import { depthText } from './support/kept-book.ts'
import { plainListener } from './support/listeners.ts'
import { type NodeProcess, startSandbox } from './support/node-process.ts'
import { type Market, markets, RandomTraffic, runSeed } from './support/random-traffic.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

const REQUESTS = 1_000

let node: NodeProcess
let all: Market[]
let seed: number

beforeAll(async () => {
  node = await startSandbox({ limits: { isEnabled: false } })
  all = await markets(node.alice)
  seed = runSeed()
})
afterAll(() => node.stop())

async function trade(): Promise<void> {
  const traders = { alice: node.alice, bob: node.bob }
  seed += 1_000_003
  await new RandomTraffic({ traders, markets: all, seed, requests: REQUESTS, concurrency: 8 }).run()
}

/** The text of every answer. */
async function everything(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  const ask = async (path: string, fields: Record<string, string | number>) => {
    for (const [name, client] of Object.entries({ alice: node.alice, bob: node.bob })) {
      const { status, text } = await client.request('GET', `/api/v3/${path}`, fields)
      expect(status).toBe(200)
      texts[`${name} ${path} ${JSON.stringify(fields)}`] = text
    }
  }
  await ask('exchangeInfo', {})
  await ask('wallet/balance', {})
  await ask('order/active', {})
  for (const size of [1000, 7]) await ask('order/trade/history', { size, page: 1 })
  for (const { symbol } of all) {
    await ask('depth', { symbol, limit: 5000 })
    await ask('trades', { symbol, limit: 1000 })
    await ask('order/active', { symbol })
    await ask('order/trade/history', { symbol, size: 1000 })
  }
  return texts
}

for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const) {
  test(`after ${signal} every answer is what it was, and the stream begins with the same book`, async () => {
    await trade()
    const before = await everything()
    node = await node.restart(signal)
    expect(await everything()).toEqual(before)
    for (const { symbol } of all) {
      const listener = await plainListener('after the restart', node.streamUrl)
      listener.send('join', symbol)
      const expected = depthText(await node.alice.depth(symbol))
      await until('the book comes', () => listener.book.messages === 2)
      expect(listener.book.text()).toBe(expected)
      expect(listener.book.trades).toHaveLength(Math.min(500, (await node.alice.trades(symbol)).length))
      listener.close()
    }
  })
}
