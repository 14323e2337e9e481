/**
 * Answers to a stream client's invalid messages, on every transport: an error, and the connection stays open.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { until } from '../support/until.ts'
import type { Exact } from './support/exact-json.ts'
import { type Listener, plainListener, socketIoListener } from './support/listeners.ts'
import { type NodeProcess, startSandbox } from './support/node-process.ts'
import { failure } from './support/shapes.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

let node: NodeProcess
beforeAll(async () => {
  node = await startSandbox({ stream: { roomsPerConnectionMax: 2 } })
  await node.alice.place({
    symbol: 'BTC/USDT',
    side: 'BUY',
    type: 'LIMIT',
    quantity: '0.25',
    price: '60000.5',
  })
})
afterAll(() => node.stop())

const TRANSPORTS: Record<string, () => Promise<Listener>> = {
  'plain WebSocket': () => plainListener('plain', node.streamUrl),
  'socket.io-client': () => socketIoListener('socket.io', node.url, {}),
  'socket.io-client in /stream': () => socketIoListener('socket.io', `${node.url}/stream`, {}),
}

/** Messages that the listener receives from now on, in place of its book. */
function heardBy(listener: Listener): [event: string, payload: Exact][] {
  const heard: [string, Exact][] = []
  listener.onMessage = (event, payload) => heard.push([event, payload])
  return heard
}

/** Sends one message and resolves with everything received, once `count` messages have arrived. */
async function answersTo(listener: Listener, message: readonly unknown[], count: number) {
  const heard = heardBy(listener)
  listener.send(...(message as readonly string[]))
  await until(`${count} answers to ${JSON.stringify(message)}`, () => heard.length >= count)
  return heard
}

const BOOK = ['orders', { sell: {}, buy: { '60000.50': 0.25 } }]
const EMPTY = ['orders', { sell: {}, buy: {} }]
const NO_TRADES = ['trades', []]

for (const [transport, open] of Object.entries(TRANSPORTS)) {
  describe(transport, () => {
    let listener: Listener
    beforeAll(async () => {
      listener = await open()
    })
    afterAll(() => listener.close())

    test('join sends the book and then the trades, and again when it is repeated', async () => {
      for (let times = 0; times < 2; times++) {
        expect(await answersTo(listener, ['join', 'BTC/USDT'], 2)).toEqual([BOOK, NO_TRADES] as never)
      }
    })

    test('change_room sends those of the new room', async () => {
      const there = await answersTo(listener, ['change_room', 'BTC/USDT', 'ETH/USDT'], 2)
      expect(there).toEqual([EMPTY, NO_TRADES] as never)
      const back = await answersTo(listener, ['change_room', 'ETH/USDT', 'BTC/USDT'], 2)
      expect(back).toEqual([BOOK, NO_TRADES] as never)
    })

    const WRONG: readonly (readonly [unknown[], string])[] = [
      [['join', 'DOGE/USDT'], 'UNKNOWN_SYMBOL'],
      [['join', 'btc/usdt'], 'UNKNOWN_SYMBOL'],
      [['join', ''], 'UNKNOWN_SYMBOL'],
      [['change_room', 'BTC/USDT', 'DOGE/USDT'], 'UNKNOWN_SYMBOL'],
      [['change_room', 'DOGE/USDT', 'BTC/USDT'], 'UNKNOWN_SYMBOL'],
      [['join'], 'UNKNOWN_MESSAGE'],
      [['join', 7], 'UNKNOWN_MESSAGE'],
      [['join', ['BTC/USDT']], 'UNKNOWN_MESSAGE'],
      [['join', 'BTC/USDT', 'ETH/USDT'], 'UNKNOWN_MESSAGE'],
      [['change_room', 'BTC/USDT'], 'UNKNOWN_MESSAGE'],
      [['leave', 'BTC/USDT'], 'UNKNOWN_MESSAGE'],
      [['__proto__', 'BTC/USDT'], 'UNKNOWN_MESSAGE'],
    ]
    for (const [message, reason] of WRONG) {
      test(`${JSON.stringify(message)}: ${reason}, and the connection continues`, async () => {
        const [answer] = await answersTo(listener, message, 1)
        expect(answer).toEqual(['error', failure('4001', reason)] as never)
        expect(await answersTo(listener, ['join', 'BTC/USDT'], 2)).toEqual([BOOK, NO_TRADES] as never)
      })
    }

    test('one room more than allowed is refused until one is left', async () => {
      await answersTo(listener, ['join', 'ETH/USDT'], 2)
      const [refused] = await answersTo(listener, ['join', 'ETH/BTC'], 1)
      expect(refused).toEqual(['error', failure('4001', 'TOO_MANY_ROOMS')] as never)
      const changed = await answersTo(listener, ['change_room', 'ETH/USDT', 'ETH/BTC'], 2)
      expect(changed).toEqual([EMPTY, NO_TRADES] as never)
    })
  })
}

test('text that is not a message is answered with an error in the language of the connection', async () => {
  const socket = new WebSocket(node.streamUrl, { headers: { 'Accept-Language': 'tr' } } as never)
  const heard: Exact[] = []
  socket.onmessage = ({ data }) => heard.push(JSON.parse(String(data)))
  await until('the socket opens', () => socket.readyState === WebSocket.OPEN)
  const rubbish = [
    '',
    'join',
    '{"join":"BTC/USDT"}',
    '[]',
    '[1]',
    '[null,"BTC/USDT"]',
    '["join"',
    'null',
    '0',
  ]
  for (const text of rubbish) socket.send(text)
  socket.send(new Uint8Array([1, 2, 3]))
  await until('every one is answered', () => heard.length === rubbish.length + 1)
  for (const answer of heard) expect(answer).toEqual(['error', failure('4004', 'UNREADABLE_MESSAGE')])
  const english = await answersTo(await TRANSPORTS['plain WebSocket']!(), ['leave'], 1)
  expect(english[0]?.[1].msg[0]).toContain('join')
  socket.send('["leave"]')
  await until('it is refused', () => heard.length === rubbish.length + 2)
  expect(heard.at(-1)[1].msg[0]).not.toBe(english[0]?.[1].msg[0])
  socket.close()
})
