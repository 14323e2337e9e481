/**
 * Sessions that are passed between gateways: who may request them, for how long, and the effect of a
 * gateway's end.
 */
import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { NO_HISTORY } from '../../../../test/support/no-history.ts'
import { emptyBootstrap, syntheticSymbol } from '../../../../test/support/synthetic-market.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { MarketData } from '../../../views/market-data.ts'
import { SERVE_STREAM, type StreamConfig } from '../config.ts'
import { createStream, type Stream, type StreamSocketData } from '../stream.ts'
import { openPeerListener } from './peer-listener.ts'
import { CLIENT_ADDRESS_HEADER, PeerSessions } from './peer-sessions.ts'

const POLL_SECONDS = 1
const BTC = syntheticSymbol(0, 'BTC/USDT')

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

function sockets() {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-peers-'))
  ends.push(() => rmSync(directory, { recursive: true }))
  return new Map(['a', 'b'].map((name) => [name, path.join(directory, `${name}.sock`)]))
}

type Gateway = { readonly url: string; readonly stream: Stream; stop(): Promise<void> }

/** The header with the client's address in these tests. */
const FROM = 'x-from'

/** A gateway's stream on a port of its own, behind a proxy that states the client's address. */
function gateway(
  name: 'a' | 'b',
  socketByName: ReadonlyMap<string, string>,
  config: StreamConfig = SERVE_STREAM,
): Gateway {
  const others = new Map([...socketByName].filter(([other]) => other !== name))
  const stream = createStream({
    market: new MarketData(emptyBootstrap([BTC])),
    history: NO_HISTORY,
    config,
    clock: { now: () => Math.floor(performance.now()) as TimeMs },
    peers: new PeerSessions({ name, socketByName: others, config, pollSeconds: POLL_SECONDS }),
    addressOf: (request, server) => request.headers.get(FROM) ?? server.requestIP(request)?.address ?? '',
  })
  const server = Bun.serve<StreamSocketData>({
    port: 0,
    fetch: (request, own) => stream.handle(request, own) as Promise<Response>,
    websocket: stream.websocket,
  })
  const listener = openPeerListener(socketByName.get(name) as string, stream)
  const stop = async (): Promise<void> => {
    await listener.stop(true)
    await server.stop(true)
    await stream.stop()
  }
  ends.push(stop)
  return { url: `http://127.0.0.1:${server.port}/socket.io/?EIO=4&transport=polling`, stream, stop }
}

async function sessionAt({ url }: Gateway): Promise<string> {
  const opened = await (await fetch(url)).text()
  return (/"sid":"([^"]+)"/.exec(opened) as RegExpExecArray)[1] as string
}

/** Enters the main namespace, through any gateway. */
const enter = (url: string, id: string, headers: Record<string, string> = {}) =>
  fetch(`${url}&sid=${id}`, { method: 'POST', body: '40', headers })

test('a session names its gateway, and another one forwards what arrives for it', async () => {
  const socketByName = sockets()
  const [a, b] = [gateway('a', socketByName), gateway('b', socketByName)]
  const id = await sessionAt(a)
  expect(id).toStartWith('a.')
  expect((await enter(b.url, id)).status).toBe(200)
  const polled = await fetch(`${b.url}&sid=${id}`)
  expect([polled.status, await polled.text()]).toEqual([200, expect.stringMatching(/^40\{"sid":"/)])
  expect([a.stream.connections, b.stream.connections]).toEqual([1, 0])
})

test('a poll that its gateway leaves unanswered ends after its time, and the client is told to start again', async () => {
  const socketByName = sockets()
  const b = gateway('b', socketByName)
  const silent = Bun.serve({
    unix: socketByName.get('a') as string,
    fetch: () => new Promise<Response>(() => {}),
  })
  ends.push(() => silent.stop(true))
  const polled = await fetch(`${b.url}&sid=a.lost`)
  expect([polled.status, await polled.json()]).toEqual([400, { code: 1, message: 'Session ID unknown' }])
})

test('a session of a gateway that is gone, or that never existed, is unknown, and so is its upgrade', async () => {
  const socketByName = sockets()
  const [a, b] = [gateway('a', socketByName), gateway('b', socketByName)]
  const id = await sessionAt(a)
  await a.stop()
  for (const each of [id, 'nobody.1', `b.${id}`, 'b.']) {
    const polled = await fetch(`${b.url}&sid=${each}`)
    expect([each, polled.status, await polled.json()]).toEqual([
      each,
      400,
      { code: 1, message: 'Session ID unknown' },
    ])
  }
  const address = b.url.replace('http', 'ws').replace('polling', 'websocket')
  const socket = new WebSocket(`${address}&sid=${id}`)
  const failed = new Promise((resolve) => {
    socket.onerror = resolve
  })
  expect(await failed).toBeDefined()
})

test('a client cannot claim an address by a header: only another gateway is believed', async () => {
  const socketByName = sockets()
  const seen: string[] = []
  const b = gateway('b', socketByName)
  const witness = Bun.serve({
    unix: socketByName.get('a') as string,
    fetch: ({ headers }) => {
      seen.push(headers.get(CLIENT_ADDRESS_HEADER) ?? '')
      expect([headers.get('cookie'), headers.get('x-forwarded-for')]).toEqual([null, null])
      return new Response('ok')
    },
  })
  ends.push(() => witness.stop(true))
  const claims = { [CLIENT_ADDRESS_HEADER]: '203.0.113.9', 'X-Forwarded-For': '203.0.113.9', Cookie: 'a=b' }
  expect(await (await enter(b.url, 'a.1', claims)).text()).toBe('ok')
  expect(seen).toEqual([expect.stringContaining('127.0.0.1')])
})

test('a body that is longer than a session may send is refused before it is forwarded', async () => {
  const socketByName = sockets()
  const [a, b] = [gateway('a', socketByName), gateway('b', socketByName)]
  const id = await sessionAt(a)
  const body = 'x'.repeat(SERVE_STREAM.frameBytesMax + 1)
  const refused = await fetch(`${b.url}&sid=${id}`, { method: 'POST', body })
  expect(refused.status).toBe(413)
})

/** A packet whose body never ends. */
async function heldPacket({ url }: Gateway, id: string, from: string): Promise<() => Promise<string>> {
  const { hostname, port, pathname, search } = new URL(url)
  const socket = connect(Number(port), hostname)
  ends.push(() => socket.destroy())
  const answer = text(socket)
  const head = `POST ${pathname}${search}&sid=${id} HTTP/1.1\r\nHost: gateway\r\n${FROM}: ${from}\r\nContent-Length: 2\r\n\r\n4`
  await new Promise<void>((resolve) => socket.write(head, () => resolve()))
  return () => answer
}

test('an address with the maximum of requests for sessions elsewhere is refused more, and another one is served', async () => {
  const socketByName = sockets()
  const config = { ...SERVE_STREAM, connectionsPerAddressMax: 4 }
  const [a, b] = [gateway('a', socketByName, config), gateway('b', socketByName, config)]
  const [hostile, good] = ['203.0.113.9', '198.51.100.7']
  // Any id that names the gateway will do: it is not looked up before the body has arrived.
  for (let i = 0; i < 2 * config.connectionsPerAddressMax; i++) await heldPacket(b, 'a.none', hostile)
  const refused = async () => {
    const answer = await enter(b.url, 'a.none', { [FROM]: hostile })
    return answer.status === 429 && (await answer.text()).includes('TOO_MANY_CONNECTIONS')
  }
  while (!(await refused())) await Bun.sleep(1)

  for (let i = 0; i < 3; i++) {
    const id = await sessionAt(a)
    expect([i, (await enter(b.url, id, { [FROM]: good })).status]).toEqual([i, 200])
    const polled = await fetch(`${b.url}&sid=${id}`, { headers: { [FROM]: good } })
    expect([i, polled.status, await polled.text()]).toEqual([i, 200, expect.stringMatching(/^40\{"sid":"/)])
  }
  // Once these requests have ended, the address is served again.
  for (const end of ends.splice(-2 * config.connectionsPerAddressMax)) await end()
  while (await refused()) await Bun.sleep(1)
})
