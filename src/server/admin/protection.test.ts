/** The headers that every answer of the admin server sends to browsers, for every request and caller. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PAGE_PROTECTION } from '../listener/page-protection.ts'
import { type AdminFixture, openAdminFixture, TOKEN } from './admin.fixture.ts'

let server: AdminFixture
beforeAll(async () => {
  server = await openAdminFixture()
})
afterAll(() => server.stop())

const own = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
const posted = (headers: Record<string, string>, body = '{}'): RequestInit => ({
  method: 'POST',
  headers,
  body,
})

const ASKED: readonly (readonly [status: number, path: string, init: RequestInit])[] = [
  [200, '/admin/v1/node/status', posted(own)],
  [200, '/session', {}],
  [200, '/admin/v1/events', { headers: own }],
  [400, '/admin/v1/symbol/halt', posted(own, '{"unknown":1}')],
  [400, '/admin/v1/symbol/halt', posted(own, '{')],
  [400, '/admin/v1/symbol/halt', posted({ ...own, host: 'a b' })],
  [400, '/session', posted({ 'content-type': 'application/json', origin: 'http://127.0.0.1' })],
  [401, '/', { method: 'POST' }],
  [401, '/docs', {}],
  [401, '/admin/v1/node/status', posted({})],
  [403, '/session', posted({ 'content-type': 'application/json' })],
  [403, '/admin/v1/approval/approve', posted(own, '{"reference":"none"}')],
  [404, '/admin/v1/no/such', posted(own)],
  [404, '/nothing', { headers: own }],
  [405, '/admin/v1/node/status', { headers: own }],
  [405, '/session', { method: 'PATCH', headers: { origin: 'http://127.0.0.1' } }],
  [405, '/admin/v1/events', { method: 'PUT', headers: own }],
  [415, '/admin/v1/node/status', posted({ ...own, 'content-type': 'text/plain' })],
  [421, '/admin/v1/node/status', posted({ ...own, host: 'exchange.example' })],
]

test.each(ASKED)(
  'an answer with status %i to a request for %s has the headers of the page',
  async (status, path, init) => {
    const headers = { ...(init.headers as Record<string, string> | undefined) }
    if (headers.origin !== undefined) headers.origin = server.url
    const response = await fetch(server.url + path, { ...init, headers })
    expect([path, response.status]).toEqual([path, status])
    const wanted = { ...PAGE_PROTECTION, 'Cache-Control': 'no-store' }
    const found = Object.keys(wanted).map((name) => [name, response.headers.get(name)])
    expect(Object.fromEntries(found)).toEqual(wanted)
    expect(PAGE_PROTECTION['Content-Security-Policy']).toContain("frame-ancestors 'none'")
  },
)

test('a body beyond the bound is refused by the runtime itself, with nothing that a browser could show or store', async () => {
  const body = `{"a":"${'x'.repeat(70_000)}"}`
  const response = await fetch(`${server.url}/admin/v1/node/status`, posted(own, body))
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    413,
    null,
    '',
  ])
})
