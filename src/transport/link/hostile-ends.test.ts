/**
 * Ends of a link that have the secret but break the protocol: frames that they may not send, and requests
 * that they may not make.
 */
import { afterEach, describe, expect, test } from 'bun:test'
import { EMPTY_TAIL } from '../../engine/port/journal.ts'
import { seq, timeMs } from '../../units/quantities.ts'
import { type Link, type LinkOptions, openLink } from './asking/link-client.ts'
import { type LinkedChanges, type LinkedEngine, SECRET, startLinkedEngine } from './linked-engine.fixture.ts'
import {
  FRAME,
  writeClockFrame,
  writeConfirmedFrame,
  writeCountFrame,
  writeReachedFrame,
} from './protocol/frames.ts'
import {
  admitHello,
  LINK_ROLES,
  LINK_VERSIONS,
  type LinkRole,
  readChallenge,
  writeChallenge,
  writeHello,
  writeVerdict,
} from './protocol/greeting.ts'

const UNKNOWN_FRAME = new Uint8Array([99])
const NONCE = new Uint8Array(32)

describe('an engine’s end of a link', () => {
  let linked: LinkedEngine
  afterEach(() => linked.stop())

  /**
   * Code and reason with which the server closes a connection whose greeting is followed at once by `frames`.
   */
  async function closedAfter(
    frames: readonly (string | Uint8Array<ArrayBuffer>)[],
    role: LinkRole = 'gateway',
    changes: LinkedChanges = {},
  ): Promise<string> {
    linked = await startLinkedEngine(changes)
    const socket = new WebSocket(`ws+unix://${linked.socketPath}`)
    socket.binaryType = 'arraybuffer'
    const closed = Promise.withResolvers<string>()
    socket.onclose = ({ code, reason }) => closed.resolve(`${code}: ${reason}`)
    socket.onmessage = ({ data }) => {
      // If the end is welcomed nevertheless, this frame closes the link.
      socket.onmessage = () => socket.send(UNKNOWN_FRAME)
      const challenge = readChallenge(new Uint8Array(data as ArrayBuffer))
      const remembered = { ...EMPTY_TAIL, hash: NONCE, journal: 'j' }
      const hello = { version: LINK_VERSIONS.newest, name: 'hostile', role, remembered, nonce: NONCE }
      socket.send(writeHello(challenge, hello, SECRET))
      for (const frame of frames) socket.send(frame)
    }
    return closed.promise
  }

  test('ends a link over which a text comes, before the greeting and behind it', async () => {
    const text = '4400: expected bytes, found a text'
    expect(await closedAfter(['{}'])).toBe(text)
    const socket = new WebSocket(`ws+unix://${linked.socketPath}`)
    const closed = new Promise<string>((resolve) => {
      socket.onclose = ({ code, reason }) => resolve(`${code}: ${reason}`)
    })
    socket.onopen = () => {
      socket.send('{}')
      socket.send(UNKNOWN_FRAME)
    }
    expect(await closed).toBe(text)
  })

  test('ends a link over which something comes while the remembered position is looked up', async () => {
    const looked = Promise.withResolvers<undefined>()
    const early = await closedAfter([writeReachedFrame(seq(1))], 'gateway', { lacks: () => looked.promise })
    expect(early).toBe('4400: a frame before the welcome')
    looked.resolve(undefined)
  })

  test.each(LINK_ROLES.filter((role) => role !== 'gateway' && role !== 'replica'))(
    'serves nothing to a %s where it leads',
    async (role) => {
      expect(await closedAfter([], role)).toBe(`4403: engine offers nothing to a ${role}`)
    },
  )

  test('accepts no counts from a gateway where nothing is counted together', async () => {
    expect(await closedAfter([writeCountFrame(NONCE)])).toBe('4400: expected no count frame')
  })

  test('accepts no barrier that is followed by more bytes', async () => {
    expect(await closedAfter([new Uint8Array([FRAME.barrier, 0])])).toStartWith('4400: expected the end')
  })

  test('answers a plain request with a sentence, and reads no more of it than necessary', async () => {
    linked = await startLinkedEngine()
    const post = (bytes: number) =>
      fetch('http://engine/', {
        unix: linked.socketPath,
        method: 'POST',
        body: 'x'.repeat(bytes),
      } as RequestInit)
    expect((await post(100)).status).toBe(426)
    expect((await post(100_000)).status).toBe(413)
  })

  test('shares its port with no other process', async () => {
    const listen = { hostname: '127.0.0.1', port: 0, tls: undefined }
    linked = await startLinkedEngine({ listen })
    const port = linked.server.port ?? 0
    expect(() => linked.serve({ listen: { ...listen, port } })).toThrow()
  })
})

describe('a gateway’s end of a link', () => {
  let engine: ReturnType<typeof startEngine> | undefined
  afterEach(() => engine?.stop())

  /** An engine that greets correctly and then sends `frames`. */
  function startEngine(frames: readonly (string | Uint8Array<ArrayBuffer>)[]) {
    const challenge = { versions: LINK_VERSIONS, nonce: NONCE }
    let hasGreeted = false
    const server = Bun.serve({
      ...{ hostname: '127.0.0.1', port: 0 },
      fetch: (request, own) => (own.upgrade(request) ? undefined : new Response()),
      websocket: {
        open: (socket) => void socket.sendBinary(writeChallenge(challenge)),
        message: (socket, data) => {
          if (typeof data === 'string' || hasGreeted) return
          hasGreeted = true
          const { hello } = admitHello(new Uint8Array(data), challenge, [SECRET])
          const welcome = {
            kind: 'welcome',
            journal: 'j',
            leader: 'engine',
            epoch: 0,
            confirmed: undefined,
          } as const
          socket.sendBinary(writeVerdict(challenge, hello, welcome, SECRET))
          for (const frame of frames) socket.send(frame)
        },
      },
    })
    const open = (options: Partial<LinkOptions> = {}): Promise<Link> => {
      const address = { host: '127.0.0.1', port: server.port ?? 0, tls: 'off' } as const
      return openLink({ address, secret: SECRET, name: 'gateway', ...options })
    }
    return { open, stop: () => server.stop(true) }
  }

  const begin = async (
    frames: readonly (string | Uint8Array<ArrayBuffer>)[],
    options?: Partial<LinkOptions>,
  ) => {
    engine = startEngine(frames)
    return engine.open(options)
  }

  test('ends a link over which a text comes', async () => {
    const link = await begin(['{}'])
    expect(await link.lost).toMatchObject({ kind: 'BAD_FRAME', message: 'expected bytes, found a text' })
  })

  test('keeps the furthest confirmed end of the journal, whatever follows it', async () => {
    const at = (position: number) => writeConfirmedFrame({ ...EMPTY_TAIL, position, hash: NONCE })
    const clock = writeClockFrame({ isTrusted: true, time: timeMs(1), wall: timeMs(1) })
    const link = await begin([at(9), at(4), clock, '{}'])
    await link.lost
    expect(link.confirmed()?.position).toBe(9)
  })

  test('drops an engine that reads nothing of what it is sent', async () => {
    const link = await begin([], { queueBytesMax: 100_000 })
    // The runtime sends nothing within one turn of the event loop.
    for (let sent = 0; sent < 100; sent++) link.sendCount(new Uint8Array(50_000))
    expect((await link.lost).kind).toBe('TOO_SLOW')
  })
})
