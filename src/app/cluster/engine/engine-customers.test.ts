/** Services of an engine for the processes of customers, and for no one else. */
import { afterEach, expect, test } from 'bun:test'
import { ADMIN_PATH } from '../../../contract/admin/admin.ts'
import { OPERATORS_PATH } from '../../../contract/customers/operator-questions.ts'
import { LEAD_PATH, NOT_LEADING, PROBE_PATH, SECRET_HEADER } from '../../customers/order.ts'
import { LinkTerms } from '../link-terms.ts'
import { EnginesCustomers } from './engine-customers.ts'
import type { EngineCustomers } from './engine-options.ts'

const [SECRET, FORMER] = ['the secret of engines and customers, newest', 'the same before it']
const TOKEN = 'the token of this machine'
const log = { debug() {}, info() {}, warn() {}, error() {} }

const ends: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

function server(fetch: (request: Request) => Response | Promise<Response>): number {
  const opened = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch })
  ends.push(() => opened.stop(true))
  return opened.port ?? 0
}

/** An engine, and the tokens that its admin server gets. */
function engine(processPort = 1) {
  const asked: (string | null)[] = []
  const adminPort = server((request) => {
    asked.push(request.headers.get('authorization'))
    return Response.json({ ok: true, result: {} })
  })
  const hostname = '127.0.0.1'
  const terms: EngineCustomers = {
    listen: { hostname, port: 0, tls: undefined },
    secrets: [SECRET, FORMER],
    secret: SECRET,
    processes: [{ name: 'a', address: { host: hostname, port: processPort, tls: 'off' } }],
  }
  const customers = new EnginesCustomers(new LinkTerms(terms, () => terms), log)
  ends.push(() => customers.stop())
  const lead = () =>
    customers.lead({
      ...{ name: 'one', epoch: 7, journal: 'j' },
      admin: { url: `http://127.0.0.1:${adminPort}`, token: TOKEN },
    })
  const ask = (path: string, secret: string | undefined, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${customers.port}${path}`, {
      ...init,
      headers: secret === undefined ? {} : { [SECRET_HEADER]: secret },
    })
  return { customers, lead, ask, asked }
}

test('while it leads, an operation with one of the secrets reaches its admin server, in the role of customers', async () => {
  const { ask, lead, asked } = engine()
  const post = { method: 'POST', body: '{"names":[]}' }
  expect((await ask(`${ADMIN_PATH}session/end`, SECRET, post)).status).toBe(NOT_LEADING)
  expect((await ask(LEAD_PATH, SECRET)).status).toBe(NOT_LEADING)
  lead()
  expect(await (await ask(LEAD_PATH, SECRET)).json()).toEqual({ name: 'one', epoch: 7, journal: 'j' })
  for (const secret of [SECRET, FORMER])
    expect(await (await ask(`${ADMIN_PATH}session/end`, secret, post)).json()).toEqual({
      ok: true,
      result: {},
    })
  expect(asked).toEqual(Array(2).fill(`Bearer ${TOKEN}`))
})

test('without the secret, or for anything but an operation, it does nothing', async () => {
  const { ask, lead, asked } = engine()
  lead()
  const post = { method: 'POST', body: '{}' }
  for (const secret of [undefined, '', 'another secret', TOKEN])
    expect([secret, (await ask(`${ADMIN_PATH}session/end`, secret, post)).status]).toEqual([secret, 403])
  expect((await ask(`${ADMIN_PATH}session/end`, SECRET)).status).toBe(404)
  expect((await ask('/events', SECRET, post)).status).toBe(404)
  const large = { method: 'POST', body: 'x'.repeat(65 * 1024) }
  expect((await ask(`${ADMIN_PATH}session/end`, SECRET, large)).status).toBe(413)
  expect(asked).toEqual([])
})

test('what operators want to know of customers is asked of a process that answers', async () => {
  const paths: string[] = []
  const processPort = server((request) => {
    const { pathname } = new URL(request.url)
    if (pathname === PROBE_PATH) return new Response(null, { status: 204 })
    paths.push(pathname)
    return Response.json({ ok: true, result: [] })
  })
  const { customers } = engine(processPort)
  const { ask } = customers.newControl()
  expect(await ask('list', { by: 'anna', request: { limit: 1 } })).toEqual({ ok: true, result: [] })
  expect(paths).toEqual([`${OPERATORS_PATH}list`])
  const away = engine().customers
  expect(await away.newControl().ask('list', { by: 'anna', request: { limit: 1 } })).toBeUndefined()
})
