import { describe, expect, test } from 'bun:test'
import { StreamConnection, type StreamMessage } from './stream-connection.ts'
import { VirtualPorts } from './virtual-ports.fixture.ts'

function setup() {
  const ports = new VirtualPorts()
  ports.random = () => 1
  const states: string[] = []
  const heard: StreamMessage[] = []
  let silences = 0
  const connection = new StreamConnection({
    url: 'ws://exchange/stream',
    ports,
    exactAnswers: (text) => text.replace(/"price":([\d.]+)/g, '"price":"$1"'),
    onState: (state) => states.push(state.kind === 'waiting' ? `waiting ${state.retryMs}` : state.kind),
    onMessage: (message) => heard.push(message),
    onIdle: () => void silences++,
  })
  connection.connect()
  return { ports, states, heard, connection, silences: () => silences }
}

describe('a connection to the stream', () => {
  test('is reopened after a wait that grows up to ten seconds, and is short again once a connection has lasted', () => {
    const { ports, states, connection } = setup()
    for (let i = 0; i < 7; i++) {
      ports.socket.cut()
      ports.pass(10_000)
    }
    const waits = states.filter((state) => state.startsWith('waiting'))
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000].map((ms) => `waiting ${ms}`))
    ports.socket.open()
    connection.settle()
    ports.socket.cut()
    expect(states.at(-1)).toBe('waiting 500')
    expect(ports.sockets.length).toBe(8)
  })

  test('that never opens is given up', () => {
    const { ports, states } = setup()
    ports.pass(10_000)
    expect(ports.sockets[0]?.isClosed).toBe(true)
    expect(states).toEqual(['connecting', 'waiting 500'])
  })

  test('is reopened after an announced shutdown when the server has said, and some random time later', () => {
    const { ports, states } = setup()
    ports.socket.open()
    ports.socket.say('shutdown', { reconnectAfterMs: 5_000 })
    ports.pass(2_000)
    ports.socket.cut()
    expect(states.at(-1)).toBe('waiting 4000')
    ports.pass(3_999)
    expect(ports.sockets.length).toBe(1)
    ports.pass(1)
    expect(ports.sockets.length).toBe(2)
    ports.socket.cut()
    expect(states.at(-1)).toBe('waiting 1000')
  })

  test('is reopened within ten minutes of a shutdown, whatever the server has said', () => {
    for (const [reconnectAfterMs, mostMs] of [
      [Number.MAX_SAFE_INTEGER, 601_000],
      [-60_000, 1_000],
      ['soon', 1_000],
      [null, 1_000],
    ] as const) {
      const { ports, connection } = setup()
      ports.socket.open()
      ports.socket.say('shutdown', { reconnectAfterMs })
      ports.socket.cut()
      const { state } = connection
      const waitMs = state.kind === 'waiting' ? state.retryMs : undefined
      expect([reconnectAfterMs, waitMs]).toEqual([reconnectAfterMs, mostMs])
    }
  })

  test('that is silent is pinged, and dropped where no answer comes', () => {
    const { ports, silences } = setup()
    ports.socket.open()
    ports.socket.say('book', {})
    ports.pass(20_000)
    expect(silences()).toBe(0)
    ports.pass(20_000)
    expect(silences()).toBe(1)
    ports.socket.say('error', {})
    ports.pass(40_000)
    expect(silences()).toBe(2)
    expect(ports.socket.isClosed).toBe(false)
    ports.pass(20_000)
    expect(ports.sockets[0]?.isClosed).toBe(true)
  })

  test('reads a frame with several messages, those of answers with their money as text', () => {
    const { ports, heard } = setup()
    ports.socket.open()
    ports.socket.onmessage?.({ data: '["answer",1,200,{"price":9007199254740993.01}]' })
    ports.socket.onmessage?.({ data: '[["answer",2,200,{"price":0.1}],["live",{"seq":7}]]' })
    expect(heard).toEqual([
      ['answer', 1, 200, { price: '9007199254740993.01' }],
      ['answer', 2, 200, { price: '0.1' }],
      ['live', { seq: 7 }],
    ])
  })

  test.each(['', 'no json', '{}', '[]', '[1]', '[["a"],1]', 7])(
    'is dropped after a frame that is not a message: %j',
    (data) => {
      const { ports, heard, states } = setup()
      ports.socket.open()
      ports.socket.onmessage?.({ data })
      expect(heard).toEqual([])
      expect(states.at(-1)).toBe('waiting 500')
    },
  )

  test('is dropped after a frame of more than 32 Mi characters, which is not read', () => {
    const { ports, heard, states } = setup()
    ports.socket.open()
    const frame = (chars: number) => `["a"${' '.repeat(chars - 5)}]`
    ports.socket.onmessage?.({ data: frame(2 ** 25) })
    expect([heard.length, states.at(-1)]).toEqual([1, 'open'])
    ports.socket.onmessage?.({ data: frame(2 ** 25 + 1) })
    expect([heard.length, states.at(-1)]).toEqual([1, 'waiting 500'])
  })

  test('sends nothing while its buffer is full, and says so', () => {
    const { ports, connection } = setup()
    expect(connection.send(['a'])).toBe(false)
    ports.socket.open()
    expect(connection.send(['a'])).toBe(true)
    ports.socket.bufferedAmount = 2 ** 20 + 1
    expect(connection.send(['b'])).toBe(false)
    expect(ports.socket.sent).toEqual([['a']])
  })

  test('that its owner has closed stays closed, and its messages are ignored', () => {
    const { ports, connection, states, heard } = setup()
    const { socket } = ports
    socket.open()
    connection.close()
    socket.onmessage?.({ data: '["late"]' })
    socket.onclose?.()
    ports.pass(100_000)
    expect(states).toEqual(['connecting', 'open', 'closed'])
    expect(heard).toEqual([])
    expect(ports.timerCount).toBe(0)
    connection.connect()
    expect(ports.sockets.length).toBe(2)
  })
})
