import { describe, expect, test } from 'bun:test'
import { MarketStream } from './market-stream.ts'
import { VirtualPorts } from './virtual-ports.fixture.ts'

const TOPIC = { channel: 'bookTicker', symbol: 'A/B' }
const REFUSED = { status: false, code: '4001', msg: [''], reason: 'UNKNOWN_SYMBOL' }
const TOO_FAST = { ...REFUSED, code: '0014', reason: 'RATE_LIMITED' }

/** A live stream whose data must not be older than ten seconds. */
function setup() {
  const ports = new VirtualPorts()
  const stream = new MarketStream({ url: 'ws://exchange/stream', ports, liveWithinMs: 10_000 })
  const states: string[] = []
  const seen: unknown[] = []
  stream.subscribe(
    { channel: 'bookTicker', symbol: 'A/B' },
    { onState: (state) => states.push(state), onMessage: ({ seq }) => seen.push(seq) },
  )
  const { socket } = ports
  const begin = () => {
    ports.socket.open()
    ports.socket.say('subscribed', TOPIC)
    ports.socket.say('bookTicker', { ...TOPIC, seq: 1 })
    ports.socket.sent.splice(0)
  }
  begin()
  return { ports, stream, socket, states, seen, begin }
}

describe('a stream that is to be live within ten seconds', () => {
  test('asks five seconds after each answer, and stays live as long as answers come', () => {
    const { ports, socket, states } = setup()
    for (let round = 0; round < 3; round++) {
      ports.pass(4_999)
      expect(socket.sent).toEqual([])
      ports.pass(1)
      expect(socket.sent.splice(0).length).toBe(1)
      ports.pass(4_999)
      socket.say('error', REFUSED)
    }
    expect(states).toEqual(['live'])
  })

  test('is stale while an answer is late, whatever else arrives, and live again with it: nothing is requested again', () => {
    const { ports, socket, states, seen } = setup()
    ports.pass(5_000)
    socket.sent.splice(0)
    ports.pass(4_999)
    socket.say('bookTicker', { ...TOPIC, seq: 2, prevSeq: 1 })
    expect(states).toEqual(['live'])
    ports.pass(1)
    expect(states).toEqual(['live', 'stale'])
    socket.say('bookTicker', { ...TOPIC, seq: 3, prevSeq: 2 })
    expect(states).toEqual(['live', 'stale'])
    socket.say('error', REFUSED)
    expect(states).toEqual(['live', 'stale', 'live'])
    expect(seen).toEqual([1, 2, 3])
    expect(socket.sent).toEqual([])
  })

  test('does not become live by an answer alone where a message is missing', () => {
    const { ports, socket, states } = setup()
    ports.pass(10_000)
    socket.say('bookTicker', { ...TOPIC, seq: 9, prevSeq: 8 })
    socket.say('error', REFUSED)
    expect(states).toEqual(['live', 'stale'])
    socket.say('subscribed', TOPIC)
    socket.say('bookTicker', { ...TOPIC, seq: 10 })
    expect(states).toEqual(['live', 'stale', 'live'])
  })

  test('drops a connection on which no answer comes at all, and is live again on the next one', () => {
    const { ports, states, begin } = setup()
    ports.pass(5_000 + 15_000)
    expect(ports.sockets[0]?.isClosed).toBe(true)
    ports.pass(10_000)
    expect(ports.sockets.length).toBe(2)
    begin()
    expect(states).toEqual(['live', 'stale', 'live'])
  })

  test('is stale at once after the machine slept, until the server has answered', () => {
    const { ports, socket, states } = setup()
    ports.time += 60_000
    ports.pass(0)
    expect(states).toEqual(['live', 'stale'])
    socket.say('error', REFUSED)
    expect(states).toEqual(['live', 'stale', 'live'])
  })

  test('is stale within a second after the machine slept, where its monotonic clock stood still', () => {
    for (const awakeMs of [0, 4_900, 5_000, 9_900]) {
      const { ports, socket, states } = setup()
      ports.pass(awakeMs)
      ports.sleptMs += 60_000
      socket.sent.splice(0)
      ports.pass(1_000)
      expect([states, socket.sent.length]).toEqual([['live', 'stale'], 1])
      socket.say('error', REFUSED)
      expect(states).toEqual(['live', 'stale', 'live'])
    }
  })

  test('asks at once where a short sleep has used up the time', () => {
    const { ports, socket, states } = setup()
    ports.pass(1_500)
    ports.sleptMs += 4_000
    ports.pass(500)
    expect([states, socket.sent.length]).toEqual([['live'], 1])
  })

  test('stays live when the clock of the machine is set back', () => {
    const { ports, socket, states } = setup()
    ports.sleptMs -= 3_600_000
    ports.pass(5_000)
    expect([states, socket.sent.length]).toEqual([['live'], 1])
  })

  test('asks again where the server has ignored the question as one message too many', () => {
    const { ports, stream, socket, states } = setup()
    ports.pass(4_999)
    stream.subscribe({ channel: 'trades', symbol: 'A/B' }, {})
    ports.pass(1)
    const asked = socket.sent.splice(0)
    expect(asked.map(([event]) => event)).toEqual(['subscribe', 'unsubscribe'])
    socket.say('error', TOO_FAST)
    ports.pass(1_100)
    expect(socket.sent.splice(0)).toContainEqual(asked.at(-1) ?? [])
    socket.say('error', REFUSED)
    ports.pass(3_900)
    expect(states).toEqual(['live'])
  })

  test('that subscribes while it is behind calls nothing live', () => {
    const { ports, stream, socket } = setup()
    ports.pass(10_000)
    const states: string[] = []
    stream.subscribe({ channel: 'trades', symbol: 'A/B' }, { onState: (state) => states.push(state) })
    socket.say('error', REFUSED)
    ports.pass(5_000)
    ports.pass(5_000)
    socket.say('subscribed', { channel: 'trades', symbol: 'A/B' })
    socket.say('trades', { channel: 'trades', symbol: 'A/B', seq: 4, trades: [] })
    expect(states).toEqual([])
    socket.say('error', REFUSED)
    expect(states).toEqual(['live'])
  })
})
