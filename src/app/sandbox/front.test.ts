import { describe, expect, test } from 'bun:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { SandboxFaults } from './faults/sandbox-faults.ts'
import { KEY_PATH, SandboxFront, SWITCH_PATH } from './front.ts'
import { pageUrl } from './page-code.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const NO_FAULTS = new SandboxFaults({
  log,
  monotonicMs: () => 0,
  now: () => 0,
  sleep: async () => {},
})
const ORIGIN = 'http://127.0.0.1:8080'
const CODE = 'c'.repeat(32)
const COOKIE = { Cookie: `other=1; bourse-sandbox-8080=${CODE}` }
const ALICE = { name: 'alice', apiKey: 'a'.repeat(64), secret: 'b'.repeat(64) }
const PAGE = '<!doctype html><body data-connection="connecting"></body>'

const HEADERS = { ETag: '"1"', 'Content-Security-Policy': "default-src 'none'" }

function rig(peer = '127.0.0.1', page = () => new Response(PAGE, { headers: HEADERS })) {
  const front = new SandboxFront(log, NO_FAULTS, CODE)
  const market = {
    isRunning: false,
    async start() {
      market.isRunning = true
    },
    async stop() {
      market.isRunning = false
    },
  }
  front.offer(market)
  front.offerKeys([ALICE])
  const server = { requestIP: () => ({ address: peer, port: 1 }) }
  const ask = async (request: Request): Promise<Response> => {
    return (await front.fetch(request, server, page)) as Response
  }
  return { market, ask }
}

function postOf(
  body: unknown,
  headers: Record<string, string> = {},
  url = `${ORIGIN}${SWITCH_PATH}`,
): Request {
  const text = JSON.stringify(body)
  return new Request(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(text.length),
      Origin: ORIGIN,
      ...COOKIE,
      ...headers,
    },
    body: text,
  })
}

describe('the switch of the demo market', () => {
  test('a page on this machine starts and stops it, and is told its state', async () => {
    const { ask, market } = rig('::ffff:127.0.0.1')
    const read = async (request: Request) => (await ask(request)).json()
    expect(await read(new Request(ORIGIN + SWITCH_PATH, { headers: COOKIE }))).toEqual({ isRunning: false })
    expect(await read(postOf({ isRunning: true }))).toEqual({ isRunning: true })
    expect(market.isRunning).toBe(true)
    expect(await read(postOf({ isRunning: false }))).toEqual({ isRunning: false })
    expect(market.isRunning).toBe(false)
  })

  test('a page of another origin, another Host, another machine and a proxy are refused, and nothing is switched', async () => {
    const refused = [
      postOf({ isRunning: true }, { Origin: 'http://evil.example' }),
      postOf({ isRunning: true }, { Origin: 'null' }),
      postOf(
        { isRunning: true },
        { Origin: 'http://evil.example:8080' },
        `http://evil.example:8080${SWITCH_PATH}`,
      ),
      postOf({ isRunning: true }, { 'X-Forwarded-For': '192.0.2.1' }),
      postOf({ isRunning: true }, { Forwarded: 'for=192.0.2.1' }),
    ]
    const { ask, market } = rig()
    for (const request of refused) expect((await ask(request)).status).toBe(403)
    expect(market.isRunning).toBe(false)
    const far = rig('192.0.2.1')
    expect((await far.ask(postOf({ isRunning: true }))).status).toBe(403)
    expect((await far.ask(new Request(ORIGIN + SWITCH_PATH, { headers: COOKIE }))).status).toBe(403)
    expect(far.market.isRunning).toBe(false)
  })

  test('a request without an Origin, or with an invalid one, is refused with what was expected', async () => {
    const { ask, market } = rig()
    const without = postOf({ isRunning: true })
    without.headers.delete('origin')
    expect((await ask(without)).status).toBe(403)
    for (const body of [{}, { isRunning: 1 }, [], { isRunning: true, more: 'x'.repeat(200) }]) {
      const answer = await ask(postOf(body))
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: 'expected {"isRunning":true} or {"isRunning":false} as JSON' },
      ])
    }
    expect((await ask(postOf({ isRunning: true }, { 'Content-Type': 'text/plain' }))).status).toBe(400)
    expect((await ask(new Request(ORIGIN + SWITCH_PATH, { method: 'PUT', headers: COOKIE }))).status).toBe(
      405,
    )
    expect(market.isRunning).toBe(false)
  })

  test('the page is marked for those who may use the switch, and for no others', async () => {
    const marked = await rig().ask(new Request(`${ORIGIN}/`, { headers: COOKIE }))
    expect(await marked.text()).toContain('<body data-sandbox="" data-connection')
    expect(marked.headers.get('content-security-policy')).toBe("default-src 'none'")
    expect([marked.headers.get('etag'), marked.headers.get('cache-control')]).toEqual([null, 'no-store'])
    for (const answer of [
      await rig('192.0.2.1').ask(new Request(`${ORIGIN}/`, { headers: COOKIE })),
      await rig().ask(new Request('http://exchange.example/')),
    ]) {
      expect(await answer.text()).toBe(PAGE)
    }
  })

  test('the page is marked also when it is sent compressed', async () => {
    for (const [encoding, bytes] of [
      ['gzip', gzipSync(PAGE)],
      ['br', brotliCompressSync(PAGE)],
    ] as const) {
      const headers = { ...HEADERS, 'Content-Encoding': encoding }
      const page = () => new Response(new Uint8Array(bytes), { headers })
      const marked = await rig('127.0.0.1', page).ask(new Request(`${ORIGIN}/`, { headers: COOKIE }))
      expect(marked.headers.get('content-encoding')).toBeNull()
      expect(await marked.text()).toBe(PAGE.replace('<body ', '<body data-sandbox="" '))
    }
  })

  test('all other requests go to the gateway untouched', async () => {
    const front = new SandboxFront(log, NO_FAULTS, CODE)
    const own = new Response('own')
    const server = { requestIP: () => null }
    for (const path of ['/api/v3/time', '/sandbox/market/more', '/?sandbox/market', '/docs']) {
      const request = new Request(ORIGIN + path, { method: path.startsWith('/?') ? 'HEAD' : 'GET' })
      expect(front.fetch(request, server, () => own)).toBe(own)
    }
  })
})

describe('the keys of a sandbox', () => {
  const KEY_URL = ORIGIN + KEY_PATH
  const asked = { account: 'alice' }

  test('the page on this machine gets the key of an account that it names', async () => {
    const answer = await rig().ask(postOf(asked, {}, KEY_URL))
    expect(await answer.json()).toEqual({ apiKey: ALICE.apiKey, secret: ALICE.secret })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('a page of another origin, another Host, another machine and a proxy get no key', async () => {
    const evil = 'http://evil.example:8080'
    const without = postOf(asked, {}, KEY_URL)
    without.headers.delete('origin')
    const refused = [
      without,
      postOf(asked, { Origin: 'http://evil.example' }, KEY_URL),
      postOf(asked, { Origin: 'http://127.0.0.1:8081' }, KEY_URL),
      postOf(asked, { Origin: 'null' }, KEY_URL),
      postOf(asked, { Origin: evil }, evil + KEY_PATH),
      postOf(asked, { 'X-Forwarded-For': '127.0.0.1' }, KEY_URL),
      postOf(asked, { Forwarded: 'for=127.0.0.1' }, KEY_URL),
    ]
    for (const request of refused) {
      const answer = await rig().ask(request)
      expect(answer.status).toBe(403)
      expect(await answer.text()).not.toContain(ALICE.secret)
    }
    expect((await rig('192.0.2.1').ask(postOf(asked, {}, KEY_URL))).status).toBe(403)
  })

  test('a proxy that does not announce itself has no code, and a code from another start is invalid: neither gets a key, or the switch', async () => {
    const { ask, market } = rig()
    const others = ['', `bourse-sandbox-8080=${'d'.repeat(32)}`, `bourse-sandbox-8081=${CODE}`, `x=${CODE}`]
    for (const cookie of others) {
      const answers = [
        await ask(postOf(asked, { Cookie: cookie }, KEY_URL)),
        await ask(postOf({ isRunning: true }, { Cookie: cookie })),
      ]
      expect(answers.map(({ status }) => status)).toEqual([403, 403])
      for (const answer of answers)
        expect(await answer.text()).toContain('the address that the sandbox printed')
      expect(await (await ask(new Request(`${ORIGIN}/`, { headers: { Cookie: cookie } }))).text()).toBe(PAGE)
    }
    expect(market.isRunning).toBe(false)
  })

  test('the printed address opens the page without the code, in a browser that keeps the code from then on', async () => {
    const { ask } = rig()
    const opened = await ask(new Request(pageUrl(ORIGIN, CODE).replace('?', '?a=b&')))
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/?a=b'])
    const cookie = opened.headers.get('set-cookie') ?? ''
    expect(cookie).toBe(`bourse-sandbox-8080=${CODE}; Path=/; HttpOnly; SameSite=Lax`)
    const headers = { Cookie: cookie.split(';')[0] ?? '' }
    expect(await (await ask(new Request(`${ORIGIN}/`, { headers }))).text()).toContain('data-sandbox=""')
    for (const far of [pageUrl(ORIGIN, 'e'.repeat(32)), pageUrl('http://exchange.example', CODE)])
      expect(await (await ask(new Request(far))).text()).toBe(PAGE)
    const proxied = new Request(pageUrl(ORIGIN, CODE), { headers: { 'X-Forwarded-For': '192.0.2.1' } })
    expect((await ask(proxied)).headers.get('set-cookie')).toBeNull()
  })

  test('an unknown account, another method and another body get no key', async () => {
    for (const body of [{}, { account: 'carol' }, { account: ['alice'] }, 'alice', null]) {
      const answer = await rig().ask(postOf(body, {}, KEY_URL))
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: 'expected {"account":"alice"} as JSON' },
      ])
    }
    expect((await rig().ask(postOf(asked, { 'Content-Type': 'text/plain' }, KEY_URL))).status).toBe(400)
    expect((await rig().ask(new Request(KEY_URL, { headers: COOKIE }))).status).toBe(405)
  })
})
