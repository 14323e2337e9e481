/** Requests to a cluster's customers process: only gateways and engines may send them. */
import { afterEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '../../../test/postgres/support/eventually.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { ADMIN_PATH } from '../../contract/admin/admin.ts'
import { OPERATORS_PATH } from '../../contract/customers/operator-questions.ts'
import { LinkTerms } from '../cluster/link-terms.ts'
import { Taken } from '../node/taken.ts'
import { SERVE_DEFAULTS } from '../settings/defaults.ts'
import type { CustomersTerms } from './cluster-options.ts'
import { ClusterCustomers } from './cluster-process.ts'
import { ADDRESS_HEADER, CHANGES_PATH, LEAD_PATH, MAILS_PATH, PROBE_PATH, SECRET_HEADER } from './order.ts'
import { fetchAt } from './place-fetch.ts'
import { readProbeAnswer } from './probe-answer.ts'

const [EXCHANGE, GATEWAY] = ['a secret of engines', 'a secret of gateways']
const ORIGIN = 'https://trade.exchange.example'
const log = { debug() {}, info() {}, warn() {}, error() {} }
const version = { number: 'test', commit: 'unknown', commitDate: 'unknown' }

const ends: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const RESULTS: Readonly<Record<string, object>> = {
  'customer/marks': { marks: [] },
  'customer/newest-head': { head: null },
  'session/open': { opened: 0 },
  'own-key/addresses': { kept: 0 },
}

/** The answers of the leading engine of an exchange without customers. */
function exchange() {
  const asked: string[] = []
  const state = { epoch: 1 }
  const server = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0 },
    fetch: (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === LEAD_PATH) return Response.json({ name: 'one', epoch: state.epoch, journal: 'j' })
      const operation = pathname.slice(ADMIN_PATH.length)
      asked.push(operation)
      return Response.json({ ok: true, result: RESULTS[operation] ?? {} })
    },
  })
  ends.push(() => server.stop(true))
  return { asked, state, port: server.port ?? 0 }
}

async function started(tls?: { readonly cert: string; readonly key: string }) {
  const directory = path.join(mkdtempSync(path.join(tmpdir(), 'bourse-customers-')), 'data')
  ends.push(() => rmSync(path.dirname(directory), { recursive: true }))
  const { asked, state, port: exchangePort } = exchange()
  const port = freePort()
  const terms: CustomersTerms = {
    listen: { hostname: '127.0.0.1', port, tls },
    exchange: { secrets: [EXCHANGE] },
    gateways: { secrets: [GATEWAY] },
    engines: [{ name: 'one', address: { host: '127.0.0.1', port: exchangePort, tls: 'off' } }],
  }
  const settings = {
    ...{ ...SERVE_DEFAULTS, dataDirectory: directory },
    customers: { ...SERVE_DEFAULTS.customers, rpId: 'exchange.example', origins: [ORIGIN] },
  }
  let present = terms
  const options = {
    name: 'a',
    settings,
    place: { kind: 'DIRECTORY', directory } as const,
    terms: new LinkTerms(terms, () => present),
    version,
    log,
  }
  const customers = new ClusterCustomers(options, new Taken(log))
  ends.push(() => customers.stop())
  await customers.opened
  const ask = (where: string, secret?: string, init: { method?: string; body?: string } = {}) =>
    fetch(`http://127.0.0.1:${port}${where}`, {
      ...init,
      headers: {
        Host: new URL(ORIGIN).host,
        [ADDRESS_HEADER]: '203.0.113.7',
        ...(secret === undefined ? {} : { [SECRET_HEADER]: secret }),
      },
    })
  /** The files have other content from here on. */
  const renew = (more: Partial<CustomersTerms>): void => {
    present = { ...terms, ...more }
    customers.renewCertificate()
  }
  return { customers, ask, asked, state, directory, port, renew }
}

test('gateways forward requests of customers, engines forward those of operators, and neither may do what the other does', async () => {
  const { ask, directory } = await started()
  const list = { method: 'POST', body: JSON.stringify({ by: 'anna', request: { limit: 10 } }) }
  expect(await (await ask('/account/v1/config', GATEWAY)).json()).toMatchObject({
    data: { state: 'NOBODY', origin: ORIGIN },
  })
  expect(await (await ask(`${OPERATORS_PATH}list`, EXCHANGE, list)).json()).toEqual({ ok: true, result: [] })
  const refused: readonly (readonly [string, string | undefined, number])[] = [
    [`${OPERATORS_PATH}list`, GATEWAY, 404],
    ['/account/v1/config', EXCHANGE, 404],
    [MAILS_PATH, EXCHANGE, 404],
    [CHANGES_PATH, EXCHANGE, 404],
    ['/account/v1/config', undefined, 403],
    ['/account/v1/config', 'another secret', 403],
    [PROBE_PATH, undefined, 403],
  ]
  for (const [where, secret, status] of refused)
    expect([where, secret, (await ask(where, secret)).status]).toEqual([where, secret, status])
  expect((await ask(PROBE_PATH, GATEWAY)).status).toBe(204)
  // Engines report to operators its build, its start and the services that it cannot reach.
  expect(readProbeAnswer(await (await ask(PROBE_PATH, EXCHANGE)).bytes())).toEqual({
    ...{ version: 'test', commit: 'unknown', lacks: [] },
    startedAtMs: Math.round(performance.timeOrigin),
  })
  expect(existsSync(path.join(directory, 'customers.sqlite'))).toBe(true)
})

test('under another leader all session keys are announced again, and the metrics show which leader it is', async () => {
  const { asked, state, customers } = await started()
  const announced = () => asked.filter((operation) => operation === 'session/open').length
  const untilAnnounced = async (count: number): Promise<void> => {
    while (announced() < count) await Bun.sleep(20)
  }
  // An announcement has a first page without keys.
  await untilAnnounced(2)
  const before = announced()
  state.epoch = 2
  await untilAnnounced(before + 2)
  // The process may not have received the answer to the last page yet.
  await eventually('the metrics say so', async () => {
    const metrics = await (await fetch(`${customers.monitoringUrl}/metrics`)).text()
    const lines = ['bourse_customers_up 1', 'bourse_epoch 2', 'bourse_ready 1', 'bourse_link_open 1']
    return lines.every((line) => metrics.includes(line))
  })
})

test('changed secrets and certificates in the files are used after a reload, without a restart', async () => {
  const pem = (name: string) =>
    readFileSync(path.join(import.meta.dir, '../../../test/support/tls', name), 'utf8')
  const [first, second] = ['first', 'second'].map((name) => ({
    cert: pem(`${name}.pem`),
    key: pem(`${name}.key.pem`),
  })) as [{ cert: string; key: string }, { cert: string; key: string }]
  const { port, renew } = await started(first)
  const probe = async (ca: string, secret: string) => {
    const address = { host: '127.0.0.1', port, tls: { ca } }
    const headers = { [SECRET_HEADER]: secret }
    return fetchAt(address, PROBE_PATH, { headers, keepalive: false }).then(
      ({ status }) => status,
      () => 'UNTRUSTED',
    )
  }
  expect([await probe(first.cert, GATEWAY), await probe(second.cert, GATEWAY)]).toEqual([204, 'UNTRUSTED'])
  const other = 'another secret of gateways'
  renew({ listen: { hostname: '127.0.0.1', port, tls: second }, gateways: { secrets: [other, GATEWAY] } })
  expect(await probe(second.cert, other)).toBe(204)
  expect(await probe(second.cert, GATEWAY)).toBe(204)
  renew({ listen: { hostname: '127.0.0.1', port, tls: second }, gateways: { secrets: [other] } })
  expect([await probe(second.cert, GATEWAY), await probe(first.cert, other)]).toEqual([403, 'UNTRUSTED'])
})
