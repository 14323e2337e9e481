/**
 * Results of an attempt to link: no process, or a process that refuses. A node that refuses is running, so no
 * other node may take over from it.
 */
import { afterEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'
import { freePort } from '../../../test/support/free-port.ts'
import { openReplicaLink } from './asking/replica-link.ts'
import { startLinkedEngine } from './linked-engine.fixture.ts'
import { type LinkAddress, takesConnections } from './protocol/link-address.ts'
import { LinkFault } from './protocol/link-fault.ts'

const SECRET = 'a shared secret of at least 32 characters'
const TLS = path.join(import.meta.dir, '../../../test/support/tls')
const pem = (name: string): string => readFileSync(path.join(TLS, name), 'utf8')
/** Even on a slow machine, a server that accepts connections answers within this time. */
const PATIENT_MS = 10_000

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** The port of an HTTP server that answers every request with this status. */
function answering(status: number, tls?: { readonly cert: string; readonly key: string }): number {
  const server = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0, ...(tls === undefined ? {} : { tls }) },
    fetch: () => new Response('no\n', { status }),
  })
  stops.push(() => server.stop(true))
  return server.port ?? 0
}

/** The port of a server that runs `use` for each connection. */
async function taking(use: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    use(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const at = (port: number, tls: { readonly ca: string | undefined } | 'off' = 'off'): LinkAddress => ({
  ...{ host: '127.0.0.1', port, tls },
})

async function faultAt(address: LinkAddress, openTimeoutMs = PATIENT_MS): Promise<LinkFault> {
  const opening = openReplicaLink({ address, secret: SECRET, name: 'standby', openTimeoutMs }, 'standby')
  const fault = await opening.catch((cause: unknown) => cause)
  if (fault instanceof LinkFault) return fault
  throw new Error(`expected a fault of the link, found ${fault}`)
}

test.each([429, 426, 302, 503])(
  'a peer that answers with the status %d exists, and refuses',
  async (status) => {
    expect(await faultAt(at(answering(status)))).toMatchObject({
      kind: 'REFUSED',
      message: expect.stringContaining(`${status}`),
    })
  },
)

test('a port with its maximum of greetings refuses, and is not mistaken for an absent one', async () => {
  const listen = { hostname: '127.0.0.1', port: 0, tls: undefined }
  const linked = await startLinkedEngine({ listen, limits: { greetingsMax: 0 } })
  stops.push(() => linked.stop())
  const fault = await faultAt(at(linked.server.port ?? 0))
  expect(fault).toMatchObject({ kind: 'REFUSED', message: expect.stringContaining('429') })
})

test('a certificate that is not trusted, TLS where there is none, and no TLS where there is, are refusals', async () => {
  const keyed = answering(200, { cert: pem('first.pem'), key: pem('first.key.pem') })
  const plain = answering(200)
  for (const address of [
    at(keyed, { ca: undefined }),
    at(keyed, { ca: pem('second.pem') }),
    at(keyed),
    at(plain, { ca: undefined }),
  ])
    expect((await faultAt(address)).kind).toBe('REFUSED')
})

test('a peer that accepts a connection and ends it, or speaks another protocol, refuses', async () => {
  const ends = await taking((socket) => socket.end())
  const resets = await taking((socket) => socket.resetAndDestroy())
  const speaks = await taking((socket) => void socket.write('SSH-2.0-other\r\n'))
  for (const port of [ends, resets, speaks]) expect((await faultAt(at(port))).kind).toBe('REFUSED')
  expect((await faultAt(at(ends, { ca: undefined }))).kind).toBe('REFUSED')
})

test('a peer that sends no greeting is silent, and one that accepts connections is distinguished from one that does not', async () => {
  const port = await taking(() => {})
  expect((await faultAt(at(port), 50)).kind).toBe('SILENT')
  expect(await takesConnections(at(port), PATIENT_MS)).toBe(true)
  for (const stop of stops.splice(0)) await stop()
  expect(await takesConnections(at(port), PATIENT_MS)).toBe(false)
})

test('where no process listens, a socket is missing or a name is unknown, the peer is absent', async () => {
  const port = freePort()
  const nobody: LinkAddress[] = [
    at(port),
    at(port, { ca: undefined }),
    { socketPath: path.join(TLS, 'no.sock') },
    { host: 'nobody.invalid', port: 1, tls: 'off' },
  ]
  for (const address of nobody) {
    expect((await faultAt(address)).kind).toBe('UNREACHABLE')
    expect(await takesConnections(address, PATIENT_MS)).toBe(false)
  }
})
