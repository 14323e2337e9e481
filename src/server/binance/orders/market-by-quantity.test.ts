/**
 * MARKET BUY by `quantity` while 50 orders of the same account are on their way over HTTP and over the
 * WebSocket API: it buys all of its quantity, and never costs more than was free just before it.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomNumbers } from '../../../../test/support/random-numbers.ts'
import { amount } from '../../../units/quantities.ts'
import type { Trader } from '../../public/gateway.fixture.ts'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'
import { hmac, type Message, SocketClient } from '../socket-client.fixture.ts'

const ROUNDS = 12
const ORDERS = 50
const SEED = 50
const OPERATOR = { actor: 'test', note: '' }
const UNITS = 100_000_000
/** 10,000,000 USDT. */
const MONEY = 10n ** 15n
const LIMIT = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }

let f: BinanceFixture
let racer: Trader
let client: SocketClient

beforeAll(async () => {
  f = await openBinance({ isOfWire: () => true })
  const opened = await f.submit({ kind: 'CreateAccount', operator: OPERATOR, name: 'racer' })
  if (opened.kind !== 'AccountOpened') throw new Error(`expected AccountOpened, found ${opened.kind}`)
  const { accountId } = opened
  const money = { asset: 'USDT', amount: amount(MONEY), reference: 'racer' }
  await f.submit({ kind: 'Credit', operator: OPERATOR, accountId, ...money })
  racer = await f.createKey(accountId)
  client = await SocketClient.open(f)
  const { status } = await client.signed('userDataStream.subscribe.signature', {}, hmac(racer))
  expect(status).toBe(200)
})
afterAll(async () => {
  client.socket.close()
  await f.stop()
})

const units = (text: string): bigint => BigInt(text.replace('.', ''))
const text = (of: number): string => (Math.floor(of * UNITS) / UNITS).toFixed(8)

async function money(): Promise<{ readonly free: bigint; readonly locked: bigint }> {
  f.clock.time += 1
  const { body } = await f.signed('GET', '/api/v3/account', {}, racer)
  const { free, locked } = body.balances.find(({ asset }: Message) => asset === 'USDT')
  return { free: units(free), locked: units(locked) }
}

/** Offers far more than the racer can pay, at 100 prices. */
async function offer(): Promise<void> {
  for (let i = 0; i < 100; i++) {
    f.clock.time += 1
    const ask = { ...LIMIT, side: 'SELL', quantity: '5', price: String(50_000 + i * 100) }
    expect((await f.signed('POST', '/api/v3/order', ask, f.bob)).status).toBe(200)
  }
}

/** Sends an order over one of the two transports; resolves with the order, or with the error. */
async function send(fields: Readonly<Record<string, string>>, isBySocket: boolean): Promise<Message> {
  if (isBySocket) {
    const { result, error } = await client.signed('order.place', fields, hmac(racer))
    return result ?? error
  }
  return (await f.signed('POST', '/api/v3/order', fields, racer)).body
}

/** From events: the free money before each market order, its cost, and the free money after it. */
function purchases(events: readonly Message[], markets: ReadonlySet<number>, before: bigint) {
  let free = before
  let paid: bigint | undefined
  const found: { readonly free: bigint; readonly paid: bigint; readonly left: bigint }[] = []
  for (const event of events) {
    if (event.e === 'executionReport' && event.x === 'TRADE' && markets.has(event.i)) paid = units(event.Z)
    if (event.e !== 'outboundAccountPosition') continue
    const usdt = event.B.find(({ a }: Message) => a === 'USDT')
    const left = usdt === undefined ? free : units(usdt.f)
    if (paid !== undefined) found.push({ free, paid, left })
    paid = undefined
    free = left
  }
  return found
}

test('a MARKET BUY by quantity never costs more than is free while 50 orders of its account race it', async () => {
  const random = randomNumbers(SEED)
  const seen = { filled: 0, refused: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    f.clock.time += 1
    await f.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' }, racer)
    await f.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' }, f.bob)
    await offer()
    const { free: before, locked } = await money()
    expect(locked).toBe(0n)
    const each = Number(before) / UNITS / ORDERS
    const from = client.events.length
    const at = Math.floor(random() * ORDERS)
    const sent: Promise<Message>[] = []
    const markets: Promise<Message>[] = []
    for (let i = 0; i < ORDERS; i++) {
      f.clock.time += 1
      const isBySocket = random() < 0.5
      const price = random() < 0.3 ? 60_000 : 40_000
      const quantity = text((each * (0.5 + random())) / price)
      sent.push(send({ ...LIMIT, side: 'BUY', price: String(price), quantity }, isBySocket))
      if (i % 10 !== at % 10) continue
      // Costs between a tenth and all of the money that was free at the start.
      const bought = text(((0.1 + 0.9 * random()) * Number(before)) / UNITS / 52_000)
      markets.push(send({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: bought }, !isBySocket))
    }
    const answers = await Promise.all([...sent, ...markets])
    const bought = await Promise.all(markets)
    for (const answer of bought) {
      if (answer.code === undefined)
        expect([answer.status, answer.executedQty]).toEqual(['FILLED', answer.origQty])
      else
        expect([answer.code, answer.msg]).toEqual([
          -2010,
          'Account has insufficient balance for requested action.',
        ])
      seen[answer.code === undefined ? 'filled' : 'refused']++
    }
    const spent = answers.reduce((sum, { cummulativeQuoteQty: paid = '0' }) => sum + units(paid), 0n)
    const after = await money()
    expect([after.free >= 0n, after.free + after.locked]).toEqual([true, before - spent])

    const numbers = new Set<number>(bought.flatMap(({ orderId }) => (orderId === undefined ? [] : [orderId])))
    await client.until(() => {
      const paid = purchases(client.events.slice(from), numbers, before)
      return paid.length === numbers.size
    })
    for (const { free, paid, left } of purchases(client.events.slice(from), numbers, before))
      expect([paid > 0n, paid <= free, left]).toEqual([true, true, free - paid])
  }
  expect([seen.filled > ROUNDS, seen.refused > ROUNDS]).toEqual([true, true])
})
