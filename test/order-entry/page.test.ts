/**
 * docs/reference/order-entry.md: its examples are real answers, its program does what the page says, its
 * tables equal those of the code.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ENTRY_REQUESTS } from '../../src/server/order-entry/requests.ts'
import type { Fixture } from '../../src/server/public/gateway.fixture.ts'
import { marked, reference, rows, section } from '../support/reference.ts'
import { until } from '../support/until.ts'
import { type EntryClient, loginFields, plainEntry } from './support/entry-clients.ts'
import { openExchange } from './support/exchange.ts'

const PAGE = reference('order-entry')
type Message = readonly [string, ...unknown[]]
const EXAMPLES = new Map(
  [...marked(PAGE, 'messages')].map(([name, text]) => [
    name,
    text
      .trim()
      .split('\n')
      .map((line): Message => JSON.parse(line)),
  ]),
)

let f: Fixture
let client: EntryClient
beforeAll(async () => {
  f = await openExchange()
  f.clock.time = 1_790_000_001_123
  client = await plainEntry(f.url)
})
afterAll(async () => {
  client.close()
  await f.stop()
})

test('the signature of the worked example is that of its text', () => {
  const text = /the text `login`, LF and\s+`([^`]+)`/.exec(PAGE)?.[1]
  const secret =
    rows(section(reference('authentication'), 'Signature')).length >= 0 &&
    /^\| Secret \| `(\w+)`/m.exec(reference('authentication'))?.[1]
  const signature = createHmac('sha256', String(secret)).update(`login\n${text}`).digest('hex')
  expect(marked(PAGE, 'signature').get('login')?.trim()).toBe(signature)
})

test('the page states every request, and no other', () => {
  const stated = rows(section(PAGE, 'Requests')).map(([name = '', , , permission]) => [name, permission])
  const served = [...ENTRY_REQUESTS].map(
    ([
      name,
      {
        operation: { security },
      },
    ]) => [name, security.kind === 'NONE' ? '' : `\`${security.permission}\``],
  )
  expect(stated).toEqual(served)
})

describe('the messages on the page', () => {
  test('are the answers to a login, an order and its cancel', async () => {
    const [, loggedIn] = EXAMPLES.get('login') as readonly Message[]
    const login = await client.login(f.alice, f.clock.time)
    const [, , status, body] = loggedIn as [string, string, number, { data: object }]
    expect(login).toEqual({
      id: 'login',
      status,
      body: { ...body, data: { ...body.data, apiKey: f.alice.apiKey } },
    })
    const ids = new Map<unknown, string>()
    const messages = EXAMPLES.get('requests') as readonly Message[]
    for (let at = 0; at < messages.length; at += 2) {
      const [name, id, params] = messages[at] as [string, string, { id?: string }]
      const [, , status, body] = messages[at + 1] as [string, string, number, { data?: { id: string } }]
      const mine = params.id === undefined ? params : { ...params, id: ids.get(params.id) }
      const answer = await client.ask(name, mine, id)
      if (body.data !== undefined) ids.set(body.data.id, answer.body.data.id)
      const shown =
        body.data === undefined ? body : { ...body, data: { ...body.data, id: answer.body.data.id } }
      expect(answer).toEqual({ id, status, body: shown })
    }
  })

  test('are the answers to a login that cancels on disconnect', async () => {
    const [[, sent], [, , status, answered]] = EXAMPLES.get('cancelOnDisconnect') as [
      ['login', Record<string, unknown>],
      ['answer', 'login', number, { data: { session: string } }],
    ]
    const other = await plainEntry(f.url)
    const { apiKey: _, timestamp, signature: __, ...more } = sent
    const { body, ...answer } = await other.login(f.alice, timestamp as number, more)
    const { session } = body.data
    expect(answer).toEqual({ id: 'login', status })
    const data = { ...answered.data, apiKey: f.alice.apiKey, session }
    expect([body, session]).toEqual([
      { ...answered, data },
      expect.stringMatching(/^01a0c450-[0-9a-f]{4}-7400-8000-/),
    ])
    other.close()
  })

  test('are the answers to an order whose deadline is over', async () => {
    const [sent, answered] = EXAMPLES.get('deadline') as readonly Message[]
    const [name, id, params] = sent as [string, number, Record<string, unknown>]
    const [, , status, body] = answered as [string, number, number, object]
    expect(await client.ask(name, params, id)).toEqual({ id, status, body } as never)
  })

  test('are sent when a key is disabled', async () => {
    const key = await f.createKey(f.alice.accountId)
    const other = await plainEntry(f.url)
    await other.login(key, f.clock.time)
    const operator = { actor: 'test', note: '' }
    await f.submit({ kind: 'SetApiKeyEnabled', operator, apiKey: key.apiKey, enabled: false })
    await until('the login ends', () => other.events.length > 0)
    expect(other.events).toEqual(EXAMPLES.get('loggedOut') as never)
    other.close()
  })
})

test('the program on the page logs in, places an order and cancels it', async () => {
  const [text = ''] = marked(PAGE, 'snippet').values()
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-entry-'))
  try {
    const file = path.join(directory, 'order-entry.mjs')
    writeFileSync(file, text)
    f.clock.time = Date.now()
    const { apiKey, secret } = f.bob
    const env = { ...process.env, BOURSE_URL: f.url, BOURSE_KEY: apiKey, BOURSE_SECRET: secret }
    const program = Bun.spawn([process.execPath, file], { env, stdout: 'pipe', stderr: 'inherit' })
    const output = await new Response(program.stdout).text()
    expect(output).toBe('login 200\nplaced 200 60000\ncanceled 200\n')
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('a login over Socket.IO and over a plain WebSocket is signed alike', () => {
  const { signature } = loginFields({ apiKey: 'k', secret: 's' }, 5, { recvWindow: 7 })
  expect(signature).toBe(
    createHmac('sha256', 's').update('login\napiKey=k&timestamp=5&recvWindow=7').digest('hex'),
  )
})
