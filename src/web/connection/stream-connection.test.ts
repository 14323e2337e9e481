import { describe, expect, test } from 'bun:test'
import { StreamConnection, type StreamSocket } from './stream-connection.ts'

class FakeSocket implements StreamSocket {
  onopen: (() => void) | null = null
  onmessage: ((event: { readonly data: unknown }) => void) | null = null
  onclose: (() => void) | null = null
  readonly sent: string[] = []
  isClosed = false

  send(text: string): void {
    this.sent.push(text)
  }

  close(): void {
    this.isClosed = true
  }
}

/** A connection whose sockets and time are in the test's hands. */
function setup() {
  const sockets: FakeSocket[] = []
  const log: string[] = []
  let timer: { delayMs: number; callback: () => void } | undefined
  const connection = new StreamConnection({
    open: () => {
      const socket = new FakeSocket()
      sockets.push(socket)
      return socket
    },
    schedule: (delayMs, callback) => {
      const own = { delayMs, callback }
      timer = own
      return () => {
        if (timer === own) timer = undefined
      }
    },
    random: () => 1,
    onState: (state) => log.push(state.kind === 'waiting' ? `waiting ${state.retryMs}` : state.kind),
    onText: (text) => log.push(text),
  })
  const fire = () => {
    const due = timer
    timer = undefined
    due?.callback()
  }
  const socket = () => sockets.at(-1)!
  return { connection, sockets, socket, log, fire }
}

/** What is sent for the first symbol of a connection. */
const JOINED = ['["join","BTC/USDT"]', '["subscribe",{"channel":"status","symbol":"BTC/USDT"}]']

describe('connection to the stream', () => {
  test('the first symbol is joined, the next one changed to', () => {
    const { connection, socket } = setup()
    connection.connect()
    expect(connection.watch('BTC/USDT')).toBe(false)
    socket().onopen?.()
    connection.watch('BTC/USDT')
    connection.watch('ETH/USDT')
    connection.watch('ETH/USDT')
    expect(socket().sent).toEqual([
      '["join","BTC/USDT"]',
      '["subscribe",{"channel":"status","symbol":"BTC/USDT"}]',
      '["change_room","BTC/USDT","ETH/USDT"]',
      '["unsubscribe",{"channel":"status","symbol":"BTC/USDT"}]',
      '["subscribe",{"channel":"status","symbol":"ETH/USDT"}]',
      '["join","ETH/USDT"]',
    ])
  })

  test('a lost connection is made anew after a growing wait, and the symbol joined afresh', () => {
    const { connection, sockets, socket, log, fire } = setup()
    connection.connect()
    for (let i = 0; i < 7; i++) {
      socket().onclose?.()
      fire()
    }
    socket().onopen?.()
    connection.watch('BTC/USDT')
    expect(sockets.length).toBe(8)
    expect(socket().sent).toEqual(JOINED)
    const waits = log.filter((line) => line.startsWith('waiting'))
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000].map((ms) => `waiting ${ms}`))
  })

  test('a connection that has proved good makes the next wait short again', () => {
    const { connection, socket, log, fire } = setup()
    connection.connect()
    for (let i = 0; i < 3; i++) {
      socket().onclose?.()
      fire()
    }
    socket().onopen?.()
    socket().onclose?.()
    expect(log.at(-1)).toBe('waiting 4000')
    fire()
    socket().onopen?.()
    connection.settle()
    socket().onclose?.()
    expect(log.at(-1)).toBe('waiting 500')
  })

  test('after a silence the symbol is joined again, and no answer to that ends the connection', () => {
    const { connection, socket, log, fire } = setup()
    connection.connect()
    socket().onopen?.()
    connection.watch('BTC/USDT')
    socket().onmessage?.({ data: 'book' })
    fire()
    expect(socket().sent).toEqual(JOINED)
    fire()
    expect(socket().sent).toEqual([...JOINED, '["join","BTC/USDT"]'])
    socket().onmessage?.({ data: 'fresh book' })
    fire()
    fire()
    expect(socket().sent.length).toBe(4)
    fire()
    expect(socket().isClosed).toBe(true)
    expect(log.at(-1)).toBe('waiting 500')
  })

  test('an attempt that never opens is given up', () => {
    const { connection, socket, log, fire } = setup()
    connection.connect()
    fire()
    expect(socket().isClosed).toBe(true)
    expect(log).toEqual(['connecting', 'waiting 500'])
  })

  test('a connection that was given up is not listened to any more', () => {
    const { connection, sockets, log } = setup()
    connection.connect()
    connection.drop()
    const [old] = sockets
    connection.connect()
    const before = log.length
    old?.onopen?.()
    old?.onmessage?.({ data: 'late' })
    old?.onclose?.()
    expect(log.length).toBe(before)
    expect(sockets.length).toBe(2)
  })
})
