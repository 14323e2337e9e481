/** Services of an engine for the customers processes, and for no one else. */
import { afterEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
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

/** An engine, and the tokens that its admin server receives. */
function engine(processPort = 1, tls: 'off' | { readonly ca: string } = 'off') {
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
    processes: [{ name: 'a', address: { host: hostname, port: processPort, tls } }],
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

test('while an engine leads, an operation with one of the secrets reaches its admin server, in the role of customers', async () => {
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

test('an engine does nothing without the secret, or for anything but an operation', async () => {
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

test('questions of operators about customers are sent to a process that answers', async () => {
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

test('an engine shows of each process whether it answers, since when, its build and what it lacks, or why it does not', async () => {
  const startedAtMs = Date.UTC(2026, 0, 2, 3, 4, 5)
  const answers: Readonly<Record<string, () => Response>> = {
    good: () => Response.json({ version: '1.2.3', commit: 'abc', startedAtMs, lacks: ['STORE'] }),
    older: () => new Response(null, { status: 204 }),
    strange: () => Response.json({ version: '<b>', commit: 'abc', startedAtMs, lacks: ['STORE'] }),
    large: () => new Response(`{"version":"${'1'.repeat(4_000)}"}`),
    secret: () => new Response(null, { status: 403, headers: { [SECRET_HEADER]: 'unknown' } }),
    broken: () => new Response(null, { status: 500 }),
  }
  const shown = async (name: string) => {
    const { customers } = engine(server(answers[name] ?? (() => new Response())))
    while (customers.processes[0]?.state === 'NOT_ASKED_YET') await Bun.sleep(5)
    return customers.processes[0]
  }
  const nothing = {
    name: 'a',
    since: expect.stringMatching(/^20\d\d-.*Z$/),
    version: null,
    commit: null,
    lacks: [],
  }
  expect(await shown('good')).toEqual({
    ...{ name: 'a', state: 'ANSWERS', since: '2026-01-02T03:04:05.000Z' },
    ...{ version: '1.2.3', commit: 'abc', lacks: ['STORE'] },
  })
  for (const name of ['older', 'strange', 'large'])
    expect([name, await shown(name)]).toEqual([name, { ...nothing, state: 'ANSWERS' }])
  expect(await shown('secret')).toEqual({ ...nothing, state: 'SECRET_REFUSED' })
  expect(await shown('broken')).toEqual({ ...nothing, state: 'NO_ANSWER' })
  const { customers } = engine()
  while (customers.processes[0]?.state === 'NOT_ASKED_YET') await Bun.sleep(5)
  expect(customers.processes).toEqual([{ ...nothing, state: 'NO_ANSWER' }])
})

test('a process whose certificate an engine does not trust is shown as such', async () => {
  const pem = (name: string) =>
    readFileSync(path.join(import.meta.dir, '../../../../test/support/tls', name), 'utf8')
  const tls = { cert: pem('first.pem'), key: pem('first.key.pem') }
  const opened = Bun.serve({ hostname: '127.0.0.1', port: 0, tls, fetch: () => new Response() })
  ends.push(() => opened.stop(true))
  const { customers } = engine(opened.port, { ca: pem('second.pem') })
  while (customers.processes[0]?.state === 'NOT_ASKED_YET') await Bun.sleep(5)
  expect(customers.processes[0]?.state).toBe('CERTIFICATE_REFUSED')
})
