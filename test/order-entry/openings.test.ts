/**
 * Connections of the stream that one address opens, in every possible way: docs/reference/stream.md#openings.
 */
import { afterEach, expect, test } from 'bun:test'
import { DEFAULT_LIMITS } from '../../src/server/access/limits/limits-config.ts'
import type { Fixture } from '../../src/server/public/gateway.fixture.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { frame, RawWebSocket, TEXT } from '../support/raw-websocket.ts'
import { until } from '../support/until.ts'
import { plainEntry } from './support/entry-clients.ts'
import { openExchange } from './support/exchange.ts'

const OPENINGS = 6
const REFUSALS = 3
const POLLING = '/socket.io/?EIO=4&transport=polling'
const WEBSOCKET = '/socket.io/?EIO=4&transport=websocket'
const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function open(): Promise<Fixture> {
  const limits = { ...DEFAULT_LIMITS, openingsPerMinuteMax: OPENINGS, refusalsBeforeBan: REFUSALS }
  const f = await openExchange({ config: { limits, trustedProxies: ['127.0.0.1'] } })
  cleanups.push(() => f.stop())
  return f
}

const originOf = ({ url }: Fixture): string => new URL(url).host
const used = ({ gateway }: Fixture, reason: 'RATE_LIMITED' | 'UNREADABLE_MESSAGE') =>
  gateway.traffic.refusals.get(reason)

/** Each opens a connection, or requests one that is refused. */
const OPENERS: Readonly<Record<string, (f: Fixture) => Promise<unknown>>> = {
  'a plain WebSocket': (f) => RawWebSocket.open(originOf(f)),
  'a WebSocket of Socket.IO': (f) => RawWebSocket.open(originOf(f), WEBSOCKET),
  'a session that polls': (f) => fetch(f.url + POLLING),
  'a poll of a session that is unknown': (f) => fetch(`${f.url}${POLLING}&sid=gone`),
  'a packet for a session that is unknown': (f) =>
    fetch(`${f.url}${POLLING}&sid=gone`, { method: 'POST', body: '40' }),
  'an upgrade of a session that is unknown': (f) => RawWebSocket.open(originOf(f), `${WEBSOCKET}&sid=gone`),
  'a handshake that is none': (f) => fetch(`${f.url}/`, { headers: { Upgrade: 'websocket' } }),
}

test.each(Object.entries(OPENERS))(
  '%s is an opening: with none left the address is refused',
  async (_name, opener) => {
    const f = await open()
    for (let opened = 0; opened < OPENINGS; opened++) await opener(f)
    const refused = await fetch(f.url + POLLING)
    const body = (await refused.json()) as { readonly reason: string; readonly msg: readonly string[] }
    expect([refused.status, body.reason, refused.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      String(60 - (Math.floor(f.clock.time / 1_000) % 60)),
    ])
    expect(body.msg[0]).toContain(`${OPENINGS} new stream connections`)
    expect(body.msg[0]).toContain('limits.openingsPerMinuteMax')
    expect(used(f, 'RATE_LIMITED')).toBe(1)
    f.clock.time += 60_000
    expect((await fetch(f.url + POLLING)).status).toBe(200)
  },
)

test('one below the limit is admitted, and nothing that an open session sends is an opening: polls, packets, its upgrade', async () => {
  const f = await open()
  const opened = await (await fetch(f.url + POLLING)).text()
  const { sid } = JSON.parse(opened.slice(1)) as { readonly sid: string }
  const url = `${f.url}${POLLING}&sid=${sid}`
  for (let times = 0; times < 2 * OPENINGS; times++)
    expect((await fetch(url, { method: 'POST', body: '3' })).status).toBe(200)
  expect((await fetch(url, { method: 'POST', body: '40' })).status).toBe(200)
  expect((await fetch(url)).status).toBe(200)
  const upgraded = await RawWebSocket.open(originOf(f), `${WEBSOCKET}&sid=${sid}`)
  upgraded.sendText('2probe')
  await until('it may upgrade', () => upgraded.messages.includes('3probe'))
  upgraded.sendText('5')
  for (let more = 1; more < OPENINGS; more++) expect((await fetch(f.url + POLLING)).status).toBe(200)
  expect((await fetch(f.url + POLLING)).status).toBe(429)
})

test('a login and orders on an open connection continue while the address has no openings left', async () => {
  const f = await open()
  const client = await plainEntry(f.url)
  cleanups.push(() => client.close())
  for (let more = 0; more < OPENINGS; more++) await fetch(f.url + POLLING)
  expect(await client.login(f.alice, f.clock.time)).toMatchObject({ status: 200 })
})

test('a flood of openings ends in a ban of its address, which affects no other', async () => {
  const f = await open()
  const ask = async (address: string, path: string, headers = {}): Promise<number> =>
    (await fetch(f.url + path, { headers: { 'X-Forwarded-For': address, ...headers } })).status
  const [hostile, other] = ['203.0.113.9', '198.51.100.7']
  const statuses: number[] = []
  for (let times = 0; times < OPENINGS + REFUSALS + 3; times++) statuses.push(await ask(hostile, POLLING))
  const [opened, refused] = [Array(OPENINGS).fill(200), Array(REFUSALS).fill(429)]
  expect(statuses).toEqual([...opened, ...refused, 418, 418, 418])
  expect(await ask(hostile, '/api/v3/exchangeInfo')).toBe(418)
  expect([await ask(other, POLLING), await ask(other, '/api/v3/exchangeInfo')]).toEqual([200, 200])
  expect(await ask(hostile, '/', UPGRADE)).toBe(418)
  expect(used(f, 'RATE_LIMITED')).toBe(REFUSALS)
})

test('invalid handshakes count as malformed requests of their address', async () => {
  const f = await open()
  for (let times = 1; times <= 3; times++) {
    expect((await fetch(`${f.url}/`, { headers: { Upgrade: 'websocket' } })).status).toBe(400)
    expect(used(f, 'UNREADABLE_MESSAGE')).toBe(times)
  }
})

test('frames that the runtime does not read end in a ban of their address', async () => {
  const f = await open()
  const raw = await RawWebSocket.open(originOf(f))
  raw.sendBytes(frame(TEXT, Buffer.alloc(20_000, ' ')))
  await until('it has ended', () => raw.isClosed)
  await until('it is banned', () => f.gateway.limitBans.list(f.clock.time as TimeMs).length === 1)
  expect((await fetch(`${f.url}/api/v3/exchangeInfo`)).status).toBe(418)
})
