/**
 * Trades of each symbol are numbered from 1 without a gap, while the node is killed under load: answers of
 * orders, myTrades, trades, historicalTrades, aggTrades, klines and streams agree.
 */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type BourseProcess, dataDirectory, sandbox } from '../support/bourse-process.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { until } from '../support/until.ts'
import { WireClient, type WireKey, wireOf } from './support/wire-client.ts'

setDefaultTimeout(300_000)

const SEED = 9
const ROUNDS = 3
/** Number of trades in both symbols together, after which the node is killed. */
const TRADES_OF_A_ROUND = 400
const WORKERS = 8
const SYMBOLS = ['BTCUSDT', 'ETHUSDT'] as const
const STREAMS = ['trade', 'aggTrade', 'kline_1m', 'kline_1h']
const PAGE = 200

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked at as it is
type Row = any
type Client = { readonly alice: WireClient; readonly bob: WireClient }

const { path: data, remove } = dataDirectory()
let node: BourseProcess | undefined
afterAll(async () => {
  await node?.end('SIGKILL')
  remove()
})

/** Messages of one connection, by stream. */
class Follower {
  readonly messages = new Map<string, Row[]>()
  readonly #socket: WebSocket
  readonly #opened = Promise.withResolvers<void>()

  constructor(streamUrl: string) {
    const names = SYMBOLS.flatMap((symbol) => STREAMS.map((stream) => `${symbol.toLowerCase()}@${stream}`))
    this.#socket = new WebSocket(`${streamUrl}/stream?streams=${names.join('/')}`)
    this.#socket.onopen = () => this.#opened.resolve()
    this.#socket.onmessage = ({ data: text }) => {
      const { stream, data: message } = JSON.parse(String(text))
      this.of(stream).push(message)
    }
  }

  opened(): Promise<void> {
    return this.#opened.promise
  }

  of(stream: string): Row[] {
    const found = this.messages.get(stream) ?? []
    this.messages.set(stream, found)
    return found
  }

  close(): void {
    this.#socket.close()
  }
}

/** Numbers of trades in answers, by symbol. */
type Answered = Readonly<Record<string, Set<number>>>

/** Bob offers at three prices, and Alice takes one to three of the offers, until enough has traded. */
async function trade(
  { alice, bob }: Client,
  random: () => number,
  answered: Answered,
  isEnough: () => boolean,
) {
  const post = (client: WireClient, fields: Readonly<Record<string, string>>) =>
    client.ask('POST', '/api/v3/order', fields).catch(() => undefined)
  while (!isEnough()) {
    const symbol = SYMBOLS[random() < 0.6 ? 0 : 1]
    const limit = { symbol, type: 'LIMIT', timeInForce: 'GTC' }
    for (let i = 0; i < 3; i++) {
      const price = String(1_000 + Math.floor(random() * 3))
      const answer = await post(bob, { ...limit, side: 'SELL', quantity: '0.01', price })
      if (answer === undefined) return
      expect(answer.status).toBe(200)
    }
    const quantity = (0.005 + Math.floor(random() * 30) / 1_000).toFixed(3)
    const answer = await post(alice, { ...limit, side: 'BUY', timeInForce: 'IOC', quantity, price: '1002' })
    if (answer === undefined) return
    expect(answer.status).toBe(200)
    for (const { tradeId } of answer.body.fills) answered[symbol]?.add(tradeId)
  }
}

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)
const numbersOf = (rows: readonly Row[], name = 'id') => rows.map((row) => row[name])

/** All rows after number 1, page by page. */
async function pages(client: WireClient, path: string, name: string, isSigned: boolean, symbol: string) {
  const rows: Row[] = []
  for (let fromId = 1; ; fromId = rows.at(-1)[name] + 1) {
    const fields = { symbol, fromId, limit: PAGE }
    const query = new URLSearchParams(Object.entries(fields).map(([key, value]) => [key, String(value)]))
    const { status, body } = await (isSigned
      ? client.ask('GET', path, fields)
      : client.read(`${path}?${query}`))
    expect([path, status]).toEqual([path, 200])
    rows.push(...body)
    if (body.length < PAGE) return rows
  }
}

/** Checks that numbers have no gap within one connection. */
function expectRun(numbers: readonly number[]): void {
  const [first = 1] = numbers
  expect(numbers).toEqual(numbers.map((_, i) => first + i))
}

test('trades of a symbol are numbered without a gap over kills of the node, wherever they are shown', async () => {
  const random = randomNumbers(SEED)
  const answered: Answered = { BTCUSDT: new Set(), ETHUSDT: new Set() }
  const count = () => SYMBOLS.reduce((sum, symbol) => sum + (answered[symbol]?.size ?? 0), 0)
  const followers: Follower[] = []
  const start = async () => {
    node = await sandbox(data)
    const { url, streamUrl, accounts } = wireOf(data)
    const [alice, bob] = accounts.map((key) => new WireClient(url, key as WireKey)) as [
      WireClient,
      WireClient,
    ]
    const follower = new Follower(streamUrl)
    followers.push(follower)
    await Promise.all([alice.ready(), follower.opened()])
    return { alice, bob }
  }
  for (let round = 0; round < ROUNDS; round++) {
    const client = await start()
    const before = count()
    const isOver = () => node?.child.killed === true
    const work = trade(client, random, answered, isOver)
    const more = Array.from({ length: WORKERS - 1 }, () => trade(client, random, answered, isOver))
    await until('enough has traded', () => count() >= before + TRADES_OF_A_ROUND)
    await node?.end('SIGKILL')
    await Promise.all([work, ...more])
  }
  const { alice, bob } = await start()
  let left = 40
  await trade({ alice, bob }, random, answered, () => left-- === 0)

  for (const symbol of SYMBOLS) {
    const all = await pages(alice, '/api/v3/historicalTrades', 'id', false, symbol)
    expect(numbersOf(all)).toEqual(upTo(all.length))
    expect([...(answered[symbol] ?? [])].filter((id) => id > all.length)).toEqual([])
    expect(answered[symbol]?.size).toBeGreaterThan(200)
    const { body: newest } = await alice.read(`/api/v3/trades?symbol=${symbol}&limit=100`)
    expect(newest).toEqual(all.slice(-100))

    for (const client of [alice, bob]) {
      const mine = await pages(client, '/api/v3/myTrades', 'id', true, symbol)
      const shown = mine.map(({ id, price, qty, quoteQty, time }) => ({ id, price, qty, quoteQty, time }))
      expect(shown).toEqual(
        all.map(({ id, price, qty, quoteQty, time }) => ({ id, price, qty, quoteQty, time })),
      )
    }

    const aggregates = await pages(alice, '/api/v3/aggTrades', 'a', false, symbol)
    expect(numbersOf(aggregates, 'a')).toEqual(upTo(aggregates.length))
    expect(aggregates.flatMap(({ f, l }) => upTo(l - f + 1).map((i) => f + i - 1))).toEqual(upTo(all.length))
    for (const { f, l, p, q } of aggregates) {
      const within = all.slice(f - 1, l)
      const sum = within.reduce((total, { qty }) => total + BigInt(qty.replace('.', '')), 0n)
      expect([new Set(within.map(({ price }) => price)), sum]).toEqual([
        new Set([p]),
        BigInt(q.replace('.', '')),
      ])
    }
    expect(aggregates.length).toBeLessThan(all.length)

    for (const interval of ['1s', '1m', '1h']) {
      const { body: candles } = await alice.read(
        `/api/v3/klines?symbol=${symbol}&interval=${interval}&limit=1000`,
      )
      for (const [from, , , , , , to, , trades] of candles)
        expect(trades).toBe(all.filter(({ time }) => time >= from && time <= to).length)
      const shown = candles.reduce((sum: number, candle: Row) => sum + candle[8], 0)
      expect(shown).toBe(all.length)
    }

    const name = symbol.toLowerCase()
    for (const follower of followers) {
      const trades = follower.of(`${name}@trade`)
      expectRun(numbersOf(trades, 't'))
      for (const { t, p, q, T } of trades) {
        const { price, qty, time } = all[t - 1]
        expect([p, q, T]).toEqual([price, qty, time])
      }
      const runs = follower.of(`${name}@aggTrade`)
      expectRun(numbersOf(runs, 'a'))
      for (const { a, f, l, p, q, m } of runs) expect(aggregates[a - 1]).toMatchObject({ a, f, l, p, q, m })
      for (const interval of ['1m', '1h'])
        for (const { k } of follower.of(`${name}@kline_${interval}`)) {
          const { f, L, n, t, T } = k
          if (n === 0) {
            expect([f, L]).toEqual([-1, -1])
            continue
          }
          expect(n).toBe(L - f + 1)
          const within = numbersOf(all.filter(({ time }) => time >= t && time <= T))
          expect([f, within.includes(L)]).toEqual([within[0], true])
        }
    }
    expect(followers.every((follower) => follower.of(`${name}@trade`).length > 0)).toBe(true)
    process.stdout.write(`${symbol}: ${all.length} trades, ${aggregates.length} aggregates\n`)
  }
  for (const follower of followers) follower.close()
})
