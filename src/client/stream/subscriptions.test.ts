import { describe, expect, test } from 'bun:test'
import { MarketStream } from './market-stream.ts'
import { type ScriptedSocket, VirtualPorts } from './virtual-ports.fixture.ts'

const refusal = (reason: string, code = '4001') => ({ status: false, code, msg: [''], reason })

function setup(pace = {}) {
  const ports = new VirtualPorts()
  const stream = new MarketStream({ url: 'ws://exchange/stream', ports, pace })
  const states: string[] = []
  const seen: unknown[] = []
  const follow = (symbol: string, channel: 'trades' | 'bookTicker' = 'trades') =>
    stream.subscribe(
      { channel, symbol },
      {
        onMessage: (message) => seen.push(message),
        onState: (state, error) =>
          states.push(`${symbol} ${state}${error === undefined ? '' : ` ${error.reason}`}`),
      },
    )
  return { ports, stream, states, seen, follow }
}

/** Answers every subscription at once, with its state. */
function obliging(socket: ScriptedSocket): string[] {
  const asked: string[] = []
  socket.onSent = ([event, payload]) => {
    const topic = payload as { channel: string; symbol: string }
    asked.push(`${String(event)} ${topic.channel} ${topic.symbol}`)
    socket.say(`${String(event)}d`, topic)
    if (event === 'subscribe') socket.say(topic.channel, { ...topic, seq: 1, bids: [], asks: [], trades: [] })
  }
  return asked
}

describe('subscriptions', () => {
  test('are requested a few at a time, and ignored ones again after the answer of another', () => {
    const { ports, follow } = setup()
    for (let i = 0; i < 10; i++) follow(`A${i}/B`)
    const { socket } = ports
    const symbols = () => socket.sent.splice(0).map(([, topic]) => (topic as { symbol: string }).symbol)
    socket.open()
    expect(symbols()).toEqual(Array.from({ length: 8 }, (_, i) => `A${i}/B`))
    socket.say('subscribed', { channel: 'trades', symbol: 'A2/B' })
    expect(symbols()).toEqual(['A8/B', 'A9/B', 'A0/B'])
  })

  test('beyond the limit of the server are requested again when the second is over, all that had no answer', () => {
    const { ports, follow } = setup()
    for (let i = 0; i < 3; i++) follow(`A${i}/B`)
    const { socket } = ports
    socket.open()
    socket.sent.splice(0)
    socket.say('error', refusal('RATE_LIMITED', '0014'))
    // The requests may have been answered anyway.
    socket.say('subscribed', { channel: 'trades', symbol: 'A1/B' })
    socket.say('error', refusal('UNKNOWN_SYMBOL'))
    ports.pass(1_000)
    expect(socket.sent).toEqual([])
    ports.pass(1_000)
    expect(socket.sent.map(([, topic]) => (topic as { symbol: string }).symbol).toSorted()).toEqual([
      'A0/B',
      'A1/B',
      'A2/B',
    ])
  })

  test('are live with their whole state and stale before it, and what is refused is closed with the reason', () => {
    const { ports, follow, states, seen } = setup()
    const good = follow('A/B')
    const bad = follow('C/D')
    const { socket } = ports
    socket.open()
    socket.say('subscribed', { channel: 'trades', symbol: 'A/B' })
    expect(good.state).toBe('stale')
    socket.say('trades', { symbol: 'A/B', seq: 1, trades: [] })
    expect(good.state).toBe('live')
    ports.pass(100)
    socket.say('error', refusal('UNKNOWN_SYMBOL'))
    expect(bad.state).toBe('closed')
    expect(states).toEqual(['A/B live', 'C/D closed UNKNOWN_SYMBOL'])
    expect(seen).toEqual([{ symbol: 'A/B', seq: 1, trades: [] }])
    socket.cut()
    expect(good.state).toBe('stale')
  })

  test('of two hundred symbols are restored after a cut, whole books no faster than servers allow', () => {
    const { ports, stream } = setup({ joinsPerSecond: 5, messagesPerSecond: 50 })
    for (let i = 0; i < 20; i++) stream.book(`A${i}/B`)
    for (let i = 0; i < 180; i++) stream.subscribe({ channel: 'trades', symbol: `A${i}/B` }, {})
    expect(() => stream.subscribe({ channel: 'status', symbol: 'A/B' }, {})).toThrow(
      'already 200 subscriptions',
    )
    ports.socket.cut()
    ports.pass(10_000)
    const asked = obliging(ports.socket)
    ports.socket.open()
    let longest = 0
    for (let second = 0; second < 10; second++) {
      const before = asked.length
      ports.pass(1_000)
      const news = asked.slice(before)
      longest = Math.max(longest, news.filter((line) => line.includes(' book ')).length)
      expect(news.length).toBeLessThanOrEqual(50)
    }
    expect(longest).toBeLessThanOrEqual(5)
    expect(new Set(asked).size).toBe(200)
    expect(asked.length).toBe(200)
  })

  test('that the server has no room for now are requested again, later each time', () => {
    const { ports, follow } = setup()
    ports.random = () => 1
    const subscription = follow('A/B')
    ports.socket.open()
    for (const waitMs of [1_000, 2_000, 4_000]) {
      expect(ports.socket.sent.splice(0).length).toBe(1)
      ports.socket.say('error', refusal('STARTING', '0014'))
      ports.pass(waitMs - 1)
      expect(ports.socket.sent.length).toBe(0)
      ports.pass(1)
    }
    ports.socket.say('subscribed', { channel: 'trades', symbol: 'A/B' })
    ports.socket.say('trades', { symbol: 'A/B', seq: 1, trades: [] })
    expect(subscription.state).toBe('live')
  })

  test('after a gap start again, and apply nothing until the answer', () => {
    const { ports, follow, seen } = setup()
    const subscription = follow('A/B')
    const { socket } = ports
    socket.open()
    const topic = { channel: 'trades', symbol: 'A/B' }
    socket.say('subscribed', topic)
    socket.say('trades', { symbol: 'A/B', seq: 1, trades: [] })
    socket.say('trades', { symbol: 'A/B', seq: 9, prevSeq: 7, trades: [] })
    expect(subscription.state).toBe('stale')
    ports.pass(1_000)
    expect(socket.sent).toEqual([
      ['subscribe', topic],
      ['subscribe', topic],
    ])
    socket.say('trades', { symbol: 'A/B', seq: 10, trades: [] })
    expect(seen.length).toBe(1)
    socket.say('subscribed', topic)
    socket.say('trades', { symbol: 'A/B', seq: 11, trades: [] })
    expect(subscription.state).toBe('live')
    expect(seen.length).toBe(2)
  })

  test('that are sent a change before their state start again', () => {
    const { ports, follow, seen } = setup()
    const subscription = follow('A/B')
    const { socket } = ports
    socket.open()
    socket.say('subscribed', { channel: 'trades', symbol: 'A/B' })
    socket.say('trades', { symbol: 'A/B', seq: 9, prevSeq: 7, trades: [] })
    ports.pass(1_000)
    expect(socket.sent.length).toBe(2)
    socket.say('subscribed', { channel: 'trades', symbol: 'A/B' })
    socket.say('trades', { symbol: 'A/B', seq: 9, trades: [] })
    expect(subscription.state).toBe('live')
    expect(seen.length).toBe(1)
  })

  test('are stale while the server has no engine, and live with the whole state after it', () => {
    const { ports, follow, states, seen } = setup()
    follow('A/B')
    const { socket } = ports
    socket.open()
    socket.say('subscribed', { channel: 'trades', symbol: 'A/B' })
    socket.say('stale', { since: 5 })
    socket.say('trades', { symbol: 'A/B', seq: 1, trades: [] })
    expect(states).toEqual([])
    expect(seen.length).toBe(1)
    socket.say('live', { seq: 2 })
    expect(states).toEqual([])
    socket.say('trades', { symbol: 'A/B', seq: 2, trades: [] })
    expect(states).toEqual(['A/B live'])
    socket.say('stale', { since: 6 })
    expect(states).toEqual(['A/B live', 'A/B stale'])
  })

  test('that were given up, while they were requested or later, deliver nothing any more', () => {
    const { ports, follow, seen, stream } = setup()
    const early = follow('A/B')
    const late = follow('C/D')
    const asked = obliging(ports.socket)
    early.close()
    ports.socket.open()
    ports.pass(1_000)
    late.close()
    late.close()
    ports.socket.say('trades', { symbol: 'C/D', seq: 2, prevSeq: 1, trades: [] })
    ports.pass(1_000)
    expect(asked).toEqual(['subscribe trades C/D', 'unsubscribe trades C/D'])
    expect(seen.length).toBe(1)
    expect(stream.subscriptions.size).toBe(0)
    follow('C/D')
    ports.pass(1_000)
    expect(seen.length).toBe(2)
  })

  test('to the same channel twice are an error of the caller', () => {
    const { follow } = setup()
    follow('A/B')
    expect(() => follow('A/B')).toThrow('there is already a subscription to trades|A/B')
    expect(() => follow('A/B', 'bookTicker')).not.toThrow()
  })

  test('without an answer end the connection', () => {
    const { ports, follow } = setup()
    follow('A/B')
    ports.socket.open()
    ports.pass(15_000)
    expect(ports.sockets[0]?.isClosed).toBe(true)
  })

  test('ping a silent connection without changing anything', () => {
    const { ports, follow } = setup()
    const subscription = follow('A/B')
    const { socket } = ports
    socket.open()
    socket.say('subscribed', { channel: 'trades', symbol: 'A/B' })
    socket.say('trades', { symbol: 'A/B', seq: 1, trades: [] })
    ports.pass(40_000)
    expect(socket.sent.at(-1)).toEqual(['unsubscribe', { channel: 'bookTicker', symbol: 'PROBE/PROBE' }])
    socket.say('error', refusal('UNKNOWN_SYMBOL'))
    expect(subscription.state).toBe('live')
  })
})

test('an error that a handler throws reaches the runtime, and the next message is handled', () => {
  const ports = new VirtualPorts()
  const stream = new MarketStream({ url: 'ws://exchange/stream', ports })
  let calls = 0
  stream.subscribe(
    { channel: 'status', symbol: 'A/B' },
    {
      onMessage: () => {
        calls++
        throw new Error('of the user')
      },
    },
  )
  const { socket } = ports
  socket.open()
  socket.say('subscribed', { channel: 'status', symbol: 'A/B' })
  socket.say('status', { symbol: 'A/B', seq: 1 })
  socket.say('status', { symbol: 'A/B', seq: 2, prevSeq: 1 })
  expect(calls).toBe(2)
  expect(() => ports.pass(1)).toThrow('of the user')
})
