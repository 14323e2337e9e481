/**
 * Connections closed by the runtime, before the program receives anything, count like those closed by the
 * program.
 */
import { afterEach, describe, expect, test } from 'bun:test'
import { frame, PING, RawWebSocket, TEXT } from '../../../test/support/raw-websocket.ts'
import { streamServers } from '../../../test/support/stream-server.ts'
import { until } from '../../../test/support/until.ts'
import { STREAM_DEFAULTS } from './config.ts'
import { causeOfClose, countsOfCuts } from './intake/intake.ts'

const { serve, cleanUp } = streamServers()
afterEach(cleanUp)

const POLLING = '/socket.io/?EIO=4&transport=polling'
const WEBSOCKET = '/socket.io/?EIO=4&transport=websocket'
const CLOSE = 0x8
const FIN = 0x80
const { frameBytesMax } = STREAM_DEFAULTS

/** A frame whose first byte is the given one: the end of a message, reserved bits, kind. */
function begun(first: number, payload: string | Uint8Array): Buffer {
  const bytes = frame(TEXT, Buffer.from(payload))
  bytes[0] = first
  return bytes
}

const unmasked = Buffer.from([FIN | TEXT, 2, ...Buffer.from('[]')])
const closeWith = (code: number, reason = '') =>
  frame(CLOSE, Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]))

const CUT: readonly (readonly [
  name: string,
  cause: 'BYTES' | 'PROTOCOL',
  bytes: Buffer,
  closeCode: number,
])[] = [
  ['a frame above the limit', 'BYTES', frame(TEXT, Buffer.alloc(frameBytesMax + 1, ' ')), 1009],
  [
    'a frame that says it has more bytes than there are',
    'BYTES',
    Buffer.from([FIN | TEXT, 0xff, 0x7f, ...Array(11).fill(0xff)]),
    1009,
  ],
  [
    'fragments above the limit together',
    'BYTES',
    Buffer.concat([begun(TEXT, Buffer.alloc(frameBytesMax, ' ')), begun(FIN, '  ')]),
    1009,
  ],
  ['text that is no UTF-8', 'PROTOCOL', frame(TEXT, Uint8Array.of(0xff, 0xfe)), 1007],
  [
    'fragments that are no UTF-8 together',
    'PROTOCOL',
    Buffer.concat([begun(TEXT, Uint8Array.of(0xff)), begun(FIN, Uint8Array.of(0xff))]),
    1007,
  ],
  ['an unmasked frame', 'PROTOCOL', unmasked, 1002],
  ['a compressed frame, which was not agreed upon', 'PROTOCOL', begun(FIN | 0x40 | TEXT, '[]'), 1002],
  ['another reserved bit', 'PROTOCOL', begun(FIN | 0x20 | TEXT, '[]'), 1002],
  ['a frame of a kind that there is not', 'PROTOCOL', begun(FIN | 0x3, '[]'), 1002],
  ['a ping that is too long', 'PROTOCOL', frame(PING, Buffer.alloc(126)), 1002],
  ['a ping in fragments', 'PROTOCOL', begun(PING, 'x'), 1002],
  ['the end of a message that has not begun', 'PROTOCOL', begun(FIN, '[]'), 1002],
  ['a message inside another', 'PROTOCOL', Buffer.concat([begun(TEXT, '['), begun(FIN | TEXT, ']')]), 1002],
  ['a goodbye of half a code', 'PROTOCOL', frame(CLOSE, Uint8Array.of(3)), 1002],
  ['a goodbye with a code that may not be sent', 'PROTOCOL', closeWith(1006), 1002],
  ['a goodbye that is no UTF-8', 'PROTOCOL', frame(CLOSE, Uint8Array.of(3, 0xe8, 0xff)), 1007],
]

describe.each([
  ['a plain WebSocket', '/'],
  ['a WebSocket of Socket.IO', WEBSOCKET],
])('on %s', (_name, path) => {
  test.each(CUT)(
    '%s counts as a connection that was cut off, once',
    async (_what, cause, bytes, closeCode) => {
      const { stream, origin, cutAddresses } = serve()
      const raw = await RawWebSocket.open(origin, path)
      await until('it is open', () => stream.connections === 1)
      raw.sendBytes(bytes)
      await until('it has ended', () => raw.isClosed && stream.connections === 0)
      expect(raw.closeCode).toBe(closeCode)
      expect([stream.cutsByCause, cutAddresses]).toEqual([{ ...countsOfCuts(), [cause]: 1 }, ['127.0.0.1']])
    },
  )

  test.each([
    ['a goodbye', closeWith(1000)],
    ['a goodbye with the code and the words of the runtime', closeWith(1009, 'Received too big message')],
    ['a goodbye without a code', frame(CLOSE, new Uint8Array())],
  ])('%s counts for nothing', async (_what, bytes) => {
    const { stream, origin, cutAddresses } = serve()
    const raw = await RawWebSocket.open(origin, path)
    await until('it is open', () => stream.connections === 1)
    raw.sendBytes(bytes)
    await until('it has ended', () => raw.isClosed && stream.connections === 0)
    expect([stream.cutsByCause, cutAddresses]).toEqual([countsOfCuts(), []])
  })

  test('a connection that just ends does not count', async () => {
    const { stream, origin, cutAddresses } = serve()
    const raw = await RawWebSocket.open(origin, path)
    await until('it is open', () => stream.connections === 1)
    raw.close()
    await until('it has ended', () => stream.connections === 0)
    expect([stream.cutsByCause, cutAddresses]).toEqual([countsOfCuts(), []])
  })

  test('a connection closed for too many frames is not counted again for an invalid one after them', async () => {
    const { stream, origin, cutAddresses } = serve({ framesPerSecondMax: 1, framesBurstMax: 1 })
    const raw = await RawWebSocket.open(origin, path)
    await until('it is open', () => stream.connections === 1)
    raw.sendBytes(Buffer.concat([frame(PING, Buffer.of(1)), frame(PING, Buffer.of(1)), unmasked]))
    await until('it has ended', () => raw.isClosed && stream.connections === 0)
    expect([stream.cutsByCause, cutAddresses]).toEqual([{ ...countsOfCuts(), FRAMES: 1 }, ['127.0.0.1']])
  })
})

describe('on a session that polls', () => {
  const session = async (origin: string): Promise<string> => {
    const opened = await (await fetch(`http://${origin}${POLLING}`)).text()
    return (JSON.parse(opened.slice(1)) as { sid: string }).sid
  }

  test.each([
    ['above the limit', 'BYTES', 'x'.repeat(frameBytesMax + 1)],
    ['longer than before a login', 'BYTES', 'x'.repeat(STREAM_DEFAULTS.frameBytesBeforeLoginMax + 1)],
    ['of too many packets', 'FRAMES', Array(300).fill('40').join('\u001e')],
  ] as const)(
    'a body %s ends it, and counts as a connection that was cut off',
    async (_what, cause, body) => {
      const { stream, origin, cutAddresses } = serve()
      const sid = await session(origin)
      const answer = await fetch(`http://${origin}${POLLING}&sid=${sid}`, { method: 'POST', body })
      expect(answer.status).toBe(413)
      await until('it has ended', () => stream.connections === 0)
      expect([stream.cutsByCause, cutAddresses]).toEqual([{ ...countsOfCuts(), [cause]: 1 }, ['127.0.0.1']])
    },
  )

  test('an invalid frame, on the WebSocket that it moves to, counts once', async () => {
    const { stream, origin, cutAddresses } = serve()
    const raw = await RawWebSocket.open(origin, `${WEBSOCKET}&sid=${await session(origin)}`)
    raw.sendBytes(unmasked)
    await until('it has ended', () => raw.isClosed)
    await until('it is counted', () => cutAddresses.length > 0)
    expect([stream.cutsByCause, cutAddresses]).toEqual([{ ...countsOfCuts(), PROTOCOL: 1 }, ['127.0.0.1']])
  })
})

test('a silent client, the end of the connection and a client’s own close do not count', () => {
  expect([
    causeOfClose(1006, ''),
    causeOfClose(1006, 'WebSocket timed out from inactivity'),
    causeOfClose(1000, 'Received invalid UTF-8'),
  ]).toEqual([undefined, undefined, undefined])
})
