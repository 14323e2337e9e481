/** One connection accepts as many streams as Binance's does, in one message or in its address. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TERMS } from '../../../core/exchange/exchange-harness.fixture.ts'
import { amount, decimals } from '../../../units/quantities.ts'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'
import { JoinedSymbols } from '../market/joined-symbols.ts'
import { MarketHub, SENDS_PER_TURN } from './market-hub.ts'
import { parseStreamName, type StreamName } from './stream-name.ts'
import { STREAMS_MAX } from './stream-session.ts'

const operator = { actor: 'test', note: '' }
const FLAGS = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true }
const INTERVALS = [
  '1m',
  '3m',
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '6h',
  '8h',
  '12h',
  '1d',
  '3d',
  '1w',
  '1M',
]
const KINDS = [
  ...['trade', 'aggTrade', 'avgPrice', 'bookTicker', 'ticker', 'miniTicker', 'depth', 'depth@100ms'],
  ...['depth5', 'depth10', 'depth20', 'depth5@100ms', 'depth10@100ms', 'depth20@100ms'],
  ...INTERVALS.map((interval) => `kline_${interval}`),
]
const COINS = Array.from({ length: 40 }, (_, n) => `COIN${n}`)
const NAMES = COINS.flatMap((coin) => KINDS.map((kind) => `${coin.toLowerCase()}usdt@${kind}`))

let f: BinanceFixture

beforeAll(async () => {
  f = await openBinance()
  for (const code of COINS) {
    const supplyCap = amount(0n)
    await f.submit({
      ...{ kind: 'ListAsset', operator, code, name: code, fraction: decimals(8) },
      ...{ flags: FLAGS, supplyCap },
    })
    await f.submit({ kind: 'ListSymbol', operator, base: code, quote: 'USDT', terms: TERMS })
  }
})
afterAll(() => f.stop())

type Message = { readonly id?: unknown; readonly result?: unknown; readonly error?: { readonly msg: string } }

async function connect(path: string) {
  const socket = new WebSocket(f.wireUrl.replace('http', 'ws') + path)
  const waiting = new Map<unknown, (message: Message) => void>()
  socket.onmessage = ({ data }) => {
    const message: Message = JSON.parse(String(data))
    waiting.get(message.id)?.(message)
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.onopen = () => resolve()
  socket.onerror = () => reject(new Error(`${path.slice(0, 40)}... was not opened`))
  await promise
  return {
    ask: (method: string, params: readonly string[], id: number) => {
      const answer = Promise.withResolvers<Message>()
      waiting.set(id, answer.resolve)
      socket.send(JSON.stringify({ method, params, id }))
      return answer.promise
    },
    close: () => socket.close(),
  }
}

test('a connection subscribes to 1,024 streams with one message, and to no more', async () => {
  expect([STREAMS_MAX, NAMES.length > STREAMS_MAX]).toEqual([1_024, true])
  const client = await connect('/ws')
  const most = NAMES.slice(0, STREAMS_MAX)
  expect(await client.ask('SUBSCRIBE', most, 1)).toEqual({ id: 1, result: null })
  expect((await client.ask('LIST_SUBSCRIPTIONS', [], 2)).result).toEqual(most)
  const more = await client.ask('SUBSCRIBE', [NAMES[STREAMS_MAX] ?? ''], 3)
  expect(more.error?.msg).toContain('at most 1024 streams')
  expect(await client.ask('UNSUBSCRIBE', most.slice(0, 1), 4)).toEqual({ id: 4, result: null })
  expect(await client.ask('SUBSCRIBE', [NAMES[STREAMS_MAX] ?? ''], 5)).toEqual({ id: 5, result: null })
  client.close()
})

test('a symbol with the longest name has streams like any other', async () => {
  const binanceName = 'LONG'.repeat(8)
  await f.submit({ kind: 'ListSymbol', operator, base: 'COIN0', quote: 'COIN1', terms: TERMS, binanceName })
  const client = await connect('/ws')
  const name = `${binanceName.toLowerCase()}@depth20@100ms`
  expect(await client.ask('SUBSCRIBE', [name], 1)).toEqual({ id: 1, result: null })
  client.close()
})

test.each([['/ws/'], ['/stream?streams=']])('300 streams fit in the address %s', async (path) => {
  const names = NAMES.slice(0, 300)
  const client = await connect(path + names.join('/'))
  expect((await client.ask('LIST_SUBSCRIPTIONS', [], 1)).result).toEqual(names)
  client.close()
})

test('300 streams are requested in six messages within one second', async () => {
  const client = await connect('/stream')
  for (let n = 0; n < 6; n++)
    expect(await client.ask('SUBSCRIBE', NAMES.slice(n * 50, n * 50 + 50), n)).toEqual({
      id: n,
      result: null,
    })
  expect((await client.ask('LIST_SUBSCRIPTIONS', [], 9)).result).toHaveLength(300)
  client.close()
})

test('messages of an interval are sent in turns, between which others are served', async () => {
  const { services, clock } = f
  const symbols = new JoinedSymbols(services.market.registry)
  const faults: unknown[] = []
  const hub = new MarketHub({
    sources: () => services,
    symbols,
    clock,
    onFault: (fault) => faults.push(fault),
  })
  let [inTurn, most] = [0, 0]
  const seen = new Set<string>()
  const subscribers = Array.from({ length: 20 }, () => ({
    send: (stream: string) => {
      seen.add(stream)
      most = Math.max(most, ++inTurn)
    },
  }))
  const names = COINS.map((coin) => `${coin.toLowerCase()}usdt@depth5@100ms`)
  for (const subscriber of subscribers)
    for (const name of names)
      expect(hub.subscribe(parseStreamName(name) as StreamName, subscriber)).toBe(true)
  while (seen.size < names.length) {
    inTurn = 0
    await new Promise(setImmediate)
  }
  hub.stop()
  expect(faults).toEqual([])
  expect([most >= 20, most < SENDS_PER_TURN + 20]).toEqual([true, true])
})
