/**
 * A proxy drops requests and answers of Binance's wire at random. A client that looks its order up by client
 * order id, sends the identical text again, or signs the same order again never places it twice, and finds
 * each of its orders by the id.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type BourseProcess, dataDirectory, sandbox } from '../support/bourse-process.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { CuttingProxy } from './support/cutting-proxy.ts'
import { WireClient, type WireKey, wireOf } from './support/wire-client.ts'

setDefaultTimeout(300_000)

const PLACEMENTS = 2_000
const UNDER_WAY = 16
const SHARES = { request: 0.1, answer: 0.3 }
const QUANTITY = '0.0001'
const ORDER = '/api/v3/order'
const SEED = 2_000

const data = dataDirectory()
let node: BourseProcess
let proxy: CuttingProxy
/** A client through the proxy, and one past it. */
let cut: WireClient
let whole: WireClient
let bob: WireClient

beforeAll(async () => {
  node = await sandbox(data.path)
  const { url, accounts } = wireOf(data.path)
  proxy = new CuttingProxy(new URL(url), randomNumbers(SEED), SHARES)
  cut = new WireClient(await proxy.listen(), accounts[0] as WireKey)
  whole = new WireClient(url, accounts[0] as WireKey)
  bob = await new WireClient(url, accounts[1] as WireKey).ready()
})
afterAll(async () => {
  proxy.close()
  await node.end('SIGTERM')
  data.remove()
})

const LIMIT = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }

/** Every second order fills at once, the others rest. */
function order(i: number) {
  const price = i % 2 === 0 ? '50000' : '40000'
  return { ...LIMIT, side: 'BUY', quantity: QUANTITY, price, newClientOrderId: `cut-${i}` }
}

type Ways = { looked: number; again: number; anew: number; duplicates: number }

/** Places one order in the way that the lost answers require; returns its number. */
async function place(i: number, random: () => number, ways: Ways): Promise<number> {
  const fields = order(i)
  let text = cut.text(fields)
  for (;;) {
    const answer = await cut.send('POST', ORDER, text).catch(() => undefined)
    if (answer?.status === 200) return answer.body.orderId
    if (answer !== undefined) {
      expect(answer).toMatchObject({ status: 400, body: { code: -2010, msg: 'Duplicate order sent.' } })
      ways.duplicates++
      return answer.body.orderId
    }
    const way = random()
    if (way < 1 / 3) {
      ways.again++
      continue
    }
    if (way < 2 / 3) ways.anew++
    else {
      ways.looked++
      const found = await find(fields.newClientOrderId)
      if (found !== undefined) return found
    }
    text = cut.text(fields)
  }
}

/** Asks until an answer arrives; undefined if there is no such order now. */
async function find(origClientOrderId: string): Promise<number | undefined> {
  for (;;) {
    const asked = { symbol: 'BTCUSDT', origClientOrderId }
    const answer = await cut.ask('GET', ORDER, asked).catch(() => undefined)
    if (answer?.status === 200) return answer.body.orderId
    if (answer !== undefined) {
      expect([answer.status, answer.body.code]).toEqual([400, -2013])
      return undefined
    }
  }
}

test('no placement of 2,000 whose answers are lost at random is repeated, and each is found by its id', async () => {
  const ask = { ...LIMIT, side: 'SELL', quantity: '1', price: '50000' }
  expect((await bob.ask('POST', ORDER, ask)).status).toBe(200)
  const random = randomNumbers(SEED + 1)
  const ways: Ways = { looked: 0, again: 0, anew: 0, duplicates: 0 }
  const numbers = new Map<string, number>()
  let next = 0
  const work = async () => {
    while (next < PLACEMENTS) {
      const i = next++
      numbers.set(`cut-${i}`, await place(i, random, ways))
    }
  }
  await Promise.all(Array.from({ length: UNDER_WAY }, work))
  expect([numbers.size, new Set(numbers.values()).size]).toEqual([PLACEMENTS, PLACEMENTS])

  const open = (await whole.ask('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })).body
  expect(open).toHaveLength(PLACEMENTS / 2)
  for (const { clientOrderId, orderId } of open) expect(numbers.get(clientOrderId)).toBe(orderId)
  for (const [origClientOrderId, orderId] of numbers) {
    const { body } = await whole.ask('GET', ORDER, { symbol: 'BTCUSDT', origClientOrderId })
    expect([body.clientOrderId, body.orderId, body.executedQty]).toEqual([
      origClientOrderId,
      orderId,
      open.some((each: { readonly orderId: number }) => each.orderId === orderId)
        ? '0.00000000'
        : '0.00010000',
    ])
  }
  const mine = (await whole.ask('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT', limit: 1_000 })).body
  expect(new Set(mine.map(({ orderId }: { readonly orderId: number }) => orderId)).size).toBe(PLACEMENTS / 2)
  const { balances } = (await whole.ask('GET', '/api/v3/account')).body
  const usdt = balances.find(({ asset }: { readonly asset: string }) => asset === 'USDT')
  // 1,000 orders of 0.0001 at 40,000 wait, and as many at 50,000 were filled.
  expect(usdt).toEqual({ asset: 'USDT', free: '4991000.00000000', locked: '4000.00000000' })

  const { cuts } = proxy
  expect(
    Math.min(cuts.requests, cuts.answers, ways.looked, ways.again, ways.anew, ways.duplicates),
  ).toBeGreaterThan(100)
  process.stdout.write(`seed ${SEED}: ${JSON.stringify({ ...cuts, ...ways })}\n`)
})
