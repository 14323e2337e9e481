/**
 * The operator's page on a real admin server: who gets a session, the contents of a session's requests, and
 * the answers to strangers.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { AdminApproval } from '../../../contract/admin/records.ts'
import { type AdminSession, shownApprovalText } from '../../../contract/admin/session.ts'
import { timeMs } from '../../../units/quantities.ts'
import { LiveBackOffice } from '../../../views/back-office.ts'
import { type AdminFixture, openAdminFixture, TOKEN } from '../admin.fixture.ts'
import { openAdminServer } from '../admin-server.ts'
import type { AdminContext } from '../context.ts'
import { TokenUse } from '../roles/token-use.ts'

let server: AdminFixture
const tokens: Record<string, string> = {}

beforeAll(async () => {
  server = await openAdminFixture()
  for (const [name, role] of [
    ['anna', 'OPERATOR'],
    ['bela', 'OPERATOR'],
    ['reader', 'READ_ONLY'],
  ] as const) {
    tokens[name] = await newToken(name, role)
  }
  await server.done('asset/add', { code: 'BTC', fraction: 8 })
  await server.done('asset/set', { code: 'BTC', approvalAbove: '5' })
  await server.done('account/add', { name: 'alice' })
})
afterAll(() => server.stop())

async function newToken(name: string, role: string): Promise<string> {
  const made = (await server.done('token/add', { name, role })) as { token: string }
  return made.token
}

type Sent = { readonly status: number; readonly body: Record<string, unknown>; readonly cookie: string }

/** Sends as the page does, with the headers that a test changes; null removes a header. */
async function send(
  method: string,
  path: string,
  changed: Readonly<Record<string, string | null>> = {},
  body?: object,
): Promise<Sent> {
  const all = {
    origin: server.url,
    'sec-fetch-site': 'same-origin',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...changed,
  }
  const headers = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${server.url}${path}`, { method, headers, ...text })
  const cookie = response.headers.get('set-cookie') ?? ''
  return { status: response.status, body: (await response.json()) as Sent['body'], cookie }
}

type Opened = { readonly session: AdminSession; readonly headers: Readonly<Record<string, string>> }

async function open(name: string): Promise<Opened> {
  const { status, body, cookie } = await send('POST', '/session', {}, { token: tokens[name] ?? '' })
  expect(status).toBe(200)
  const session = body.result as AdminSession
  return { session, headers: { cookie: cookie.split(';')[0] ?? '', 'x-csrf-token': session.csrf } }
}

const reasonOf = ({ status, body }: Sent) => [
  status,
  (body.error as { reason?: string } | undefined)?.reason ?? 'done',
]

describe('a login', () => {
  test('with a named token sets a cookie that scripts and other sites cannot read, and says whose it is', async () => {
    const { body, cookie } = await send('POST', '/session', {}, { token: tokens.reader ?? '' })
    expect(cookie).toMatch(
      /^__Host-bourse-operator-\d+=[0-9a-f]{64}; Path=\/; Max-Age=28800; Secure; HttpOnly; SameSite=Strict$/,
    )
    const session = body.result as AdminSession
    expect(session).toMatchObject({ name: 'reader', role: 'READ_ONLY' })
    expect(session.rights).toContain('read')
    expect(session.lacking['money/credit']).toBe('credit')
    expect(session.lacking['role/set']).toBe('owner')
    expect(session.lacking['symbol/list']).toBeUndefined()
    expect(session.confirmed).toContain('money/credit')
    expect(JSON.stringify(body)).not.toContain(tokens.reader ?? 'a token')
    expect(JSON.stringify(server.logged)).not.toContain(tokens.reader ?? 'a token')
  })

  test('with the node’s own token is refused with what to do', async () => {
    const sent = await send('POST', '/session', {}, { token: TOKEN })
    expect(reasonOf(sent)).toEqual([403, 'NAMED_TOKEN_NEEDED'])
    expect(sent.body).toMatchObject({ error: { message: expect.stringContaining('token add') } })
    expect(sent.cookie).toBe('')
  })

  test('with a wrong token, with none and with more than a token is refused, and no cookie is set', async () => {
    for (const [body, reason] of [
      [{ token: 'bourse_wrong' }, 'INVALID_TOKEN'],
      [{}, 'INVALID_FIELD'],
      [{ token: 7 }, 'INVALID_FIELD'],
      [{ token: tokens.anna, role: 'OPERATOR' }, 'INVALID_FIELD'],
    ] as const) {
      const sent = await send('POST', '/session', {}, body)
      expect(reasonOf(sent)[1]).toBe(reason)
      expect(sent.cookie).toBe('')
    }
  })

  test('from another page, and as a form, is refused: no one is logged in as another person', async () => {
    const body = { token: tokens.anna ?? '' }
    for (const changed of [
      { origin: 'http://127.0.0.1:1' },
      { origin: 'null' },
      { origin: null },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      expect(reasonOf(await send('POST', '/session', changed, body))).toEqual([403, 'FOREIGN_REQUEST'])
    }
    const form = await send('POST', '/session', { 'content-type': 'text/plain' }, body)
    expect(reasonOf(form)).toEqual([415, 'INVALID_CONTENT_TYPE'])
  })
})

describe('a session', () => {
  test('sends operations with its token, and the audit trail has its name', async () => {
    const { headers } = await open('anna')
    const sent = await send('POST', '/admin/v1/account/freeze', headers, { account: 'alice', note: 'a test' })
    expect(reasonOf(sent)).toEqual([200, 'done'])
    const [action] = (await server.done('audit/list', { limit: 1 })) as { actor: string; note: string }[]
    expect(action).toMatchObject({ actor: 'anna', note: 'a test' })
    await server.done('account/unfreeze', { account: 'alice' })
  })

  test('is recognized by its cookie, and does not exist without it', async () => {
    const { headers, session } = await open('anna')
    const again = await send('GET', '/session', { cookie: headers.cookie ?? '', origin: null })
    expect(again.body).toEqual({ ok: true, result: session })
    expect((await send('GET', '/session')).body).toEqual({ ok: true, result: null })
  })

  test('may do no more than its token: the missing right is named, and nothing is changed', async () => {
    const { headers } = await open('reader')
    const credit = { account: 'alice', asset: 'BTC', amount: '1', reference: 'never' }
    const sent = await send('POST', '/admin/v1/money/credit', headers, credit)
    expect(reasonOf(sent)).toEqual([403, 'ROLE_NOT_ALLOWED'])
    expect(await server.error('transfer/show', { reference: 'never' })).toMatchObject({
      reason: 'UNKNOWN_REFERENCE',
    })
  })

  test('is useless to a stranger: without its secret word, from another origin, with a part of its cookie', async () => {
    const { headers } = await open('anna')
    const ask = (changed: Readonly<Record<string, string | null>>) =>
      send('POST', '/admin/v1/account/freeze', { ...headers, ...changed }, { account: 'alice' })
    const refused = [
      [{ 'x-csrf-token': null }, 403, 'CSRF_TOKEN_WRONG'],
      [{ 'x-csrf-token': '0'.repeat(64) }, 403, 'CSRF_TOKEN_WRONG'],
      [{ origin: null }, 403, 'FOREIGN_REQUEST'],
      [{ origin: 'null' }, 403, 'FOREIGN_REQUEST'],
      [{ origin: 'http://127.0.0.1:1' }, 403, 'FOREIGN_REQUEST'],
      [{ origin: server.url.replace('http', 'https') }, 403, 'FOREIGN_REQUEST'],
      [{ origin: 'http://evil.example' }, 403, 'FOREIGN_REQUEST'],
      [{ 'sec-fetch-site': 'same-site' }, 403, 'FOREIGN_REQUEST'],
      [{ 'sec-fetch-site': 'none' }, 403, 'FOREIGN_REQUEST'],
      [{ cookie: (headers.cookie ?? '').slice(0, -1) }, 401, 'SESSION_ENDED'],
      [{ cookie: `${headers.cookie}; ${headers.cookie}` }, 401, 'INVALID_TOKEN'],
      [{ cookie: null }, 401, 'INVALID_TOKEN'],
    ] as const
    for (const [changed, status, reason] of refused) {
      const sent = await ask(changed)
      expect([changed, ...reasonOf(sent)]).toEqual([changed, status, reason])
    }
    expect(await server.done('account/show', { account: 'alice' })).toMatchObject({ restrictions: [] })
    expect(reasonOf(await ask({}))).toEqual([200, 'done'])
    expect(reasonOf(await ask({ 'sec-fetch-site': null }))).toEqual([200, 'done'])
  })

  test('does not open the feed for programs, nor anything that is read with GET', async () => {
    const { headers } = await open('anna')
    expect(reasonOf(await send('GET', '/admin/v1/events', { ...headers }))[0]).toBe(404)
    expect(reasonOf(await send('GET', '/admin/v1/node/status', { ...headers }))).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
    ])
  })

  test('accepts only PUT from its own page, with its secret word', async () => {
    const { headers, session } = await open('anna')
    expect(session).toMatchObject({ endsInMs: 28_800_000, unusedEndsInMs: 900_000 })
    expect(reasonOf(await send('PUT', '/session', headers))).toEqual([200, 'done'])
    expect(reasonOf(await send('PUT', '/session', { ...headers, 'x-csrf-token': null }))).toEqual([
      403,
      'CSRF_TOKEN_WRONG',
    ])
    expect(reasonOf(await send('PUT', '/session', { ...headers, cookie: null }))).toEqual([
      401,
      'SESSION_ENDED',
    ])
  })

  test('ends at logout, after which its cookie opens nothing', async () => {
    const { headers } = await open('anna')
    const forged = await send('DELETE', '/session', { ...headers, 'x-csrf-token': null })
    expect(reasonOf(forged)).toEqual([403, 'CSRF_TOKEN_WRONG'])
    const left = await send('DELETE', '/session', headers)
    expect(left.body).toEqual({ ok: true, result: null })
    expect(left.cookie).toContain('Max-Age=0')
    expect(reasonOf(await send('POST', '/admin/v1/node/status', headers, {}))).toEqual([401, 'SESSION_ENDED'])
  })

  test('ends with its token, immediately', async () => {
    tokens.carl = await newToken('carl', 'OPERATOR')
    const { headers } = await open('carl')
    expect(reasonOf(await send('POST', '/admin/v1/node/status', headers, {}))).toEqual([200, 'done'])
    await server.done('token/revoke', { name: 'carl' })
    expect(reasonOf(await send('POST', '/admin/v1/node/status', headers, {}))).toEqual([401, 'SESSION_ENDED'])
    expect((await send('GET', '/session', headers)).body).toEqual({ ok: true, result: null })
  })

  test('ends when its token is no longer valid at that address', async () => {
    tokens.dora = await newToken('dora', 'OPERATOR')
    const { headers } = await open('dora')
    await server.done('token/set', { name: 'dora', addresses: ['192.0.2.1'] })
    expect(reasonOf(await send('POST', '/admin/v1/node/status', headers, {}))).toEqual([
      403,
      'TOKEN_ADDRESS_NOT_ALLOWED',
    ])
    await server.done('token/set', { name: 'dora', addresses: [] })
    expect(reasonOf(await send('POST', '/admin/v1/node/status', headers, {}))).toEqual([401, 'SESSION_ENDED'])
  })

  test('moves money only with its token once more, and not with another one or the node’s own', async () => {
    const { headers } = await open('anna')
    const credit = { account: 'alice', asset: 'BTC', amount: '1', reference: 'deposit-1' }
    const ask = (confirm: string | null) =>
      send('POST', '/admin/v1/money/credit', { ...headers, 'x-confirm-token': confirm }, credit)
    expect(reasonOf(await ask(null))).toEqual([403, 'CONFIRMATION_NEEDED'])
    for (const wrong of ['', 'bourse_wrong', tokens.bela ?? '', TOKEN])
      expect(reasonOf(await ask(wrong))).toEqual([403, 'CONFIRMATION_WRONG'])
    expect(await server.error('transfer/show', { reference: 'deposit-1' })).toMatchObject({
      reason: 'UNKNOWN_REFERENCE',
    })
    expect(reasonOf(await ask(tokens.anna ?? ''))).toEqual([200, 'done'])
  })

  test('approves the request that was shown and nothing that has taken its place', async () => {
    const anna = { ...(await open('anna')).headers, 'x-confirm-token': tokens.anna ?? '' }
    const bela = { ...(await open('bela')).headers, 'x-confirm-token': tokens.bela ?? '' }
    const reference = 'large-1'
    const ask = (amount: string) =>
      send('POST', '/admin/v1/money/credit', anna, { account: 'alice', asset: 'BTC', amount, reference })
    const shownNow = async () => {
      const [waiting] = (await server.done('approval/list')) as AdminApproval[]
      if (waiting === undefined) throw new Error('nothing waits')
      return createHash('sha256').update(shownApprovalText(waiting)).digest('hex')
    }
    const approve = (shown: string | null) =>
      send('POST', '/admin/v1/approval/approve', { ...bela, 'x-shown-digest': shown }, { reference })
    expect((await ask('6')).body).toMatchObject({ result: { pending: true } })
    const shown = await shownNow()
    await server.done('approval/reject', { reference })
    await ask('60')
    expect(reasonOf(await approve(null))).toEqual([400, 'INVALID_FIELD'])
    const changed = await approve(shown)
    expect(reasonOf(changed)).toEqual([409, 'APPROVAL_CHANGED'])
    expect(changed.body).toMatchObject({ error: { message: expect.stringContaining('60 BTC') } })
    expect(await server.done('balance/list', { account: 'alice' })).toMatchObject([{ free: '1' }])
    expect(reasonOf(await approve(await shownNow()))).toEqual([200, 'done'])
    expect(await server.done('balance/list', { account: 'alice' })).toMatchObject([{ free: '61' }])
  })

  test('approves the request that was shown, also when a rejection and a new request are on their way to the engine', async () => {
    const anna = { ...(await open('anna')).headers, 'x-confirm-token': tokens.anna ?? '' }
    const bela = { ...(await open('bela')).headers, 'x-confirm-token': tokens.bela ?? '' }
    const reference = 'swapped-1'
    const credit = { account: 'alice', asset: 'BTC', reference }
    await send('POST', '/admin/v1/money/credit', anna, { ...credit, amount: '7' })
    const [waiting] = (await server.done('approval/list')) as AdminApproval[]
    const shown = createHash('sha256')
      .update(shownApprovalText(waiting as AdminApproval))
      .digest('hex')
    const engine = server.holdEngine()
    const rejected = server.done('approval/reject', { reference })
    await engine.arrived('Reject')
    const asked = send('POST', '/admin/v1/money/credit', anna, { ...credit, amount: '700' })
    const headers = { ...bela, 'x-shown-digest': shown }
    const approved = send('POST', '/admin/v1/approval/approve', headers, { reference })
    // If the approval did not wait for the answer to the rejection, it would have reached the engine by now.
    for (let i = 0; i < 20; i++) await server.done('node/status')
    engine.release()
    const [, , { status, body }] = await Promise.all([rejected, asked, approved])
    expect([200, 404, 409]).toContain(status)
    expect([undefined, 'APPROVAL_CHANGED', 'UNKNOWN_APPROVAL']).toContain(
      (body.error as { reason?: string } | undefined)?.reason,
    )
    expect(await server.done('balance/list', { account: 'alice' })).toMatchObject([{ free: '61' }])
    await server.done('approval/reject', { reference })
  })

  test('of a node does not end that of another on the same machine: the cookie’s name has the requested port', async () => {
    const other = await openAdminFixture()
    try {
      const made = (await other.done('token/add', { name: 'anna', role: 'READ_ONLY' })) as { token: string }
      const first = await open('anna')
      const login = await fetch(`${other.url}/session`, {
        method: 'POST',
        headers: { origin: other.url, 'content-type': 'application/json' },
        body: JSON.stringify({ token: made.token }),
      })
      const second = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
      const names = [first.headers.cookie ?? '', second].map((pair) => pair.split('=')[0])
      expect(names).toEqual(
        [server.url, other.url].map((url) => `__Host-bourse-operator-${new URL(url).port}`),
      )
      const both = { ...first.headers, cookie: `${second}; ${first.headers.cookie}` }
      expect(reasonOf(await send('POST', '/admin/v1/node/status', both, {}))).toEqual([200, 'done'])
    } finally {
      await other.stop()
    }
  })
})

test('wrong tokens of the page are counted with all others, and above the limit they are no longer logged', async () => {
  const { headers } = await open('anna')
  let last: unknown[] = []
  for (let i = 0; i < 30; i++) last = reasonOf(await send('POST', '/session', {}, { token: `wrong-${i}` }))
  expect(last).toEqual([429, 'TOO_MANY_WRONG_TOKENS'])
  // Logged-in callers and valid tokens are not delayed.
  expect(reasonOf(await send('POST', '/admin/v1/node/status', headers, {}))).toEqual([200, 'done'])
  expect(reasonOf(await send('POST', '/session', {}, { token: tokens.anna ?? '' }))).toEqual([200, 'done'])
})

test('a request with a token is answered by its token alone, whatever cookie, origin or path it has', async () => {
  const { headers } = await open('reader')
  const authorization = `Bearer ${tokens.anna}`
  const foreign = { ...headers, authorization, origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }
  const sent = await send('POST', '/admin/v1/account/freeze', foreign, { account: 'alice' })
  expect(reasonOf(sent)).toEqual([200, 'done'])
  for (const path of ['/page', '/session'])
    expect(reasonOf(await send('GET', path, { authorization }))).toEqual([404, 'UNKNOWN_OPERATION'])
})

test('the page’s files need no token, and every other path does', async () => {
  const page = await fetch(`${server.url}/page`)
  expect([page.status, await page.text()]).toEqual([200, 'the page'])
  for (const path of ['/index.html', '/admin', '/admin/v1/', '/admin/v1/node/status', '/docs']) {
    const { status } = await fetch(`${server.url}${path}`)
    // 429 if the limit of wrong tokens in this minute is reached.
    expect([401, 429]).toContain(status)
  }
})

test('over TLS the cookie is the same, and plain HTTP is another origin', async () => {
  const directory = path.join(import.meta.dir, '../../../../test/support/tls')
  const file = (name: string) => readFileSync(path.join(directory, name), 'utf8')
  const token = 'bourse_for_tls'
  const digest = new Uint8Array(createHash('sha256').update(token).digest())
  const backOffice = new LiveBackOffice({ rulesVersion: 1 })
  backOffice.apply({
    kind: 'AdminTokenChanged',
    token: { name: 'dora', role: 'READ_ONLY', digest, createdAt: timeMs(0), isRevoked: false },
  })
  const context = { backOffice, now: () => timeMs(1_800_000_000_000), tokenUse: new TokenUse() }
  const silent = () => {}
  const tlsServer = openAdminServer({
    context: context as unknown as AdminContext,
    token: undefined,
    hostname: '127.0.0.1',
    port: 0,
    tls: { cert: file('first.pem'), key: file('first.key.pem'), expiresAtMs: 0 },
    page: () => undefined,
    log: { debug: silent, info: silent, warn: silent, error: silent },
  })
  const login = (origin: string) =>
    fetch(`${tlsServer.url}/session`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
      tls: { rejectUnauthorized: false },
    })
  const opened = await login(tlsServer.url)
  expect(opened.headers.get('set-cookie')).toMatch(
    /^__Host-bourse-operator-\d+=[0-9a-f]{64}; Path=\/; Max-Age=28800; Secure; HttpOnly; SameSite=Strict$/,
  )
  expect((await login(tlsServer.url.replace('https', 'http'))).status).toBe(403)
  await tlsServer.stop()
})
