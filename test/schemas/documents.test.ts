/**
 * docs/api is checked against the code, the pages of the reference, and the standards that its files follow.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import Ajv from 'ajv'
import { CAUSES } from '../../src/contract/api/ledger.ts'
import { END_REASONS } from '../../src/contract/api/order-fields.ts'
import { ACCOUNT_ROWS } from '../../src/contract/customers/endpoints.ts'
import { allReasons, ENDPOINTS } from '../../src/contract/publish/endpoints.ts'
import { MESSAGES } from '../../src/contract/publish/stream.ts'
import { REASON_NAMES, REASONS } from '../../src/contract/reasons/catalogue.ts'
import { CHANNEL_NAMES } from '../../src/contract/stream/channels.ts'
import type { ServerEvent } from '../../src/contract/stream/stream.ts'
import { CANCEL_CAUSES } from '../../src/core/events/event.ts'
import { LEDGER_CAUSES } from '../../src/engine/history/ledger-entries.ts'
import { ROUTES } from '../../src/server/http/routes.ts'
import { ENTRY_REQUESTS } from '../../src/server/order-entry/requests.ts'
import { anchorsOf } from '../support/anchors.ts'
import { servedEndpoints } from '../support/reference.ts'
import { readBinancePage, withEndpoints } from './binance-page.ts'
import { CCXT_ERRORS, ccxtErrors } from './ccxt-errors.ts'
import { CheckedAnswers, CheckedMessages } from './checked.ts'
import { API, answerExamples, documents, messageExamples } from './documents.ts'
import { published } from './strict.ts'
import { PAGES_WITH_TABLES } from './tables.ts'

setDefaultTimeout(300_000)

const ROOT = path.join(import.meta.dir, '..', '..')

for (const [name, text] of documents()) {
  test(`docs/api/${name} is as npm run schemas writes it`, () =>
    expect(readFileSync(path.join(API, name), 'utf8') === text).toBe(true))
}

test('the errors of the class for ccxt are as npm run schemas writes them', () =>
  expect(readFileSync(CCXT_ERRORS, 'utf8')).toBe(ccxtErrors()))

test.each(PAGES_WITH_TABLES)(
  'the tables of docs/reference/%s are as npm run schemas writes them',
  (name, made) => {
    const page = readFileSync(path.join(API, '..', 'reference', name), 'utf8')
    expect(made(page)).toBe(page)
  },
)

test('the table of docs/binance.md is as npm run schemas writes it', () =>
  expect(withEndpoints(readBinancePage())).toBe(readBinancePage()))

describe('the table of endpoints', () => {
  for (const isExtension of [false, true]) {
    const whose = isExtension ? 'beside the contract' : 'of the contract'
    test(`it has every endpoint ${whose} that is served, with its security and weight, and no other`, () => {
      const rows = ENDPOINTS.filter((row) => row.isExtension === isExtension)
      const stated = rows.map((row) => [`${row.method} /api/v3${row.path}`, row.security, `${row.weight}`])
      expect(stated.toSorted()).toEqual(
        servedEndpoints(isExtension)
          .map((each) => [...each])
          .toSorted(),
      )
    })
  }

  test.each(ENDPOINTS)(
    '$id has the parameters that the endpoint takes',
    ({ method, path: route, parameters }) => {
      const operation = ROUTES.get(`/api/v3${route}`)?.endpoints[method]?.operation
      const taken = operation?.takes ?? OPEN.get(`${method} ${route}`)
      if (taken === undefined) return expect(IGNORING).toContain(`${method} ${route}`)
      const names = [...Object.keys(parameters), 'timestamp', 'recvWindow']
      expect(names.toSorted()).toEqual([...taken].toSorted())
    },
  )

  test('every reason of the HTTP interface belongs to an endpoint, but those of other paths and methods', () => {
    const stated = new Set(ENDPOINTS.flatMap(allReasons))
    const missing = REASON_NAMES.filter(
      (reason) => REASONS[reason].at.includes('http') && !stated.has(reason),
    )
    expect(missing).toEqual(['NOT_FOUND', 'METHOD_NOT_ALLOWED'])
  })

  test('enum values of answers are those of the core and the engine', () => {
    expect(END_REASONS).toEqual([...CANCEL_CAUSES] as never)
    expect(CAUSES).toEqual([...LEDGER_CAUSES] as never)
  })
})

const WINDOW = ['timestamp', 'recvWindow']
const NEW_ORDER_NAMES = [
  ...['symbol', 'side', 'type', 'quantity', 'price', 'stopPrice', 'total', 'icebergQty', 'timeInForce'],
  ...[
    'expireTime',
    'trailingDelta',
    'selfTradePreventionMode',
    'newClientOrderId',
    'newOrderRespType',
    ...WINDOW,
  ],
]

/** Endpoints that ignore or refuse names by a rule of their own, and the names that they accept. */
const OPEN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['POST /order', new Set(NEW_ORDER_NAMES)],
  ['DELETE /order', new Set(['id', 'cancelOrigClientOrderId', 'symbol', 'newOrderRespType', ...WINDOW])],
  ['POST /order/test', new Set([...NEW_ORDER_NAMES, 'test'])],
])

/** Endpoints that do not state that they ignore unknown names. */
const IGNORING = [
  ...['GET /ping', 'GET /time', 'POST /signature/check', 'GET /exchangeInfo', 'GET /depth', 'GET /trades'],
  ...['GET /order/active', 'GET /order/trade/history', 'GET /wallet/balance'],
]

describe('the table of messages', () => {
  test('it has every request of order entry with the parameters that it takes, and no other', () => {
    const stated = MESSAGES.filter(({ name }) => name.startsWith('order.')).map(({ name, schema }) => {
      const [, , fields] = (schema as unknown as { def: { items: { shape: object }[] } }).def.items
      return [name, Object.keys(fields?.shape ?? {}).toSorted()]
    })
    const taken = [...ENTRY_REQUESTS].map(([name, { takes }]) => [name, [...takes].toSorted()])
    expect(stated).toEqual(taken)
  })

  test('it has every event that the server sends, and no other', () => {
    const events: Record<Exclude<ServerEvent, `kline_${string}`>, true> = {
      ...{ orders: true, trades: true, buy_order_update: true, sell_order_update: true, matched_order: true },
      ...{ error: true, subscribed: true, unsubscribed: true, answer: true, loggedOut: true },
      ...{ shutdown: true, stale: true, live: true, fills: true, balances: true },
      ...{ book: true, bookTicker: true, status: true, ticker: true },
    }
    const stated = new Set(MESSAGES.filter(({ from }) => from === 'server').map(({ name }) => name))
    expect([...stated].toSorted()).toEqual([...Object.keys(events), 'kline_<interval>'].toSorted())
    expect(CHANNEL_NAMES.filter((name) => !name.startsWith('kline_') && !stated.has(name))).toEqual([])
  })
})

describe('the examples', () => {
  const answers = new CheckedAnswers()
  const messages = new CheckedMessages()
  const examples = answerExamples()

  test('every example of an answer in the reference is one of an endpoint', () =>
    expect(ENDPOINTS.flatMap((row) => row.answers).toSorted()).toEqual(
      [...examples.keys()].filter((name) => name !== 'partlyReplaced').toSorted(),
    ))

  test.each(ENDPOINTS.filter(({ answers: shown }) => shown.length > 0))(
    '$id answers as the reference shows it, and nothing more',
    ({ method, path: route, answers: shown }) => {
      const headers = new Headers({
        'Content-Type': 'application/json;charset=utf-8',
        'X-MBX-USED-WEIGHT-1M': '1',
        'X-Request-Id': 'a',
      })
      for (const name of shown) {
        const text = JSON.stringify(examples.get(name))
        expect(answers.fault({ method, path: route, status: 200, headers, text })).toBeUndefined()
      }
    },
  )

  test.each(messageExamples().map((message) => [JSON.stringify(message).slice(0, 60), message] as const))(
    '%s ... in the reference is a message of the stream, and nothing more',
    (_, message) => {
      const [name] = message as [string]
      const row = MESSAGES.find((each) => each.from === 'client' && each.name === name)
      if (row === undefined) expect(messages.find(message)).toEqual({ id: expect.any(String) })
      else expect(messages.requestFault(row.id, message)).toBeUndefined()
    },
  )

  test.each([...new Set([...ENDPOINTS, ...MESSAGES].map(({ page }) => page))])(
    'docs/reference/%s exists, with that heading',
    (page) => {
      const [file = '', anchor = ''] = page.split('#')
      const full = path.join(ROOT, 'docs', 'reference', file)
      expect(existsSync(full)).toBe(true)
      expect([...anchorsOf(full)]).toContain(anchor)
    },
  )
})

describe('the check of answers and messages against the files', () => {
  const answers = new CheckedAnswers()
  const headers = { 'Content-Type': 'application/json', 'X-MBX-USED-WEIGHT-1M': '1', 'X-Request-Id': 'a' }
  const done = { status: true, code: '0000', msg: ['Done.'] }
  const refused = { status: false, code: '4001', msg: ['No.'], reason: 'UNKNOWN_ORDER' }
  const faultOf = (status: number, body: object, given: Record<string, string> = headers) => {
    const seen = { method: 'DELETE', path: '/order', headers: new Headers(given), text: JSON.stringify(body) }
    return answers.fault({ ...seen, status })
  }

  test('an answer matches the file, with nothing more', () => {
    expect(faultOf(200, done)).toBeUndefined()
    expect(faultOf(200, { ...done, more: 1 })).toContain('additional properties')
    expect(faultOf(200, { ...done, data: {} })).toContain("required property 'id'")
    expect(faultOf(200, { ...done, code: '0001' })).toContain('must be equal to constant')
    expect(faultOf(200, { status: true, code: '0000' })).toContain('required property')
    expect(faultOf(201, done)).toContain('the status is not stated')
    expect(faultOf(200, done, { 'Content-Type': 'application/json' })).toContain('is missing')
    expect(faultOf(200, done, { ...headers, 'Content-Type': 'text/html' })).toContain('the type text/html')
  })

  test('a refusal has a reason of its endpoint and its status, and the service does not fail', () => {
    expect(faultOf(400, refused)).toBeUndefined()
    expect(faultOf(400, { ...refused, reason: 'NEW_REASON' })).toContain('allowed values')
    expect(faultOf(400, { ...refused, reason: 'UNKNOWN_ASSET' })).toContain('reason UNKNOWN_ASSET')
    expect(faultOf(401, refused)).toContain('reason UNKNOWN_ORDER')
    const failed = { ...refused, code: '0014', reason: 'INTERNAL_ERROR' }
    expect(faultOf(500, failed)).toContain('the service failed')
  })

  test('a message has a name and members that are stated', () => {
    const messages = new CheckedMessages()
    expect(messages.find(['live', { seq: 7 }])).toEqual({ id: 'live' })
    expect(messages.find(['live', { seq: 7, at: 1 }])).toEqual({
      fault: expect.stringContaining('additional'),
    })
    expect(messages.find(['alive', { seq: 7 }])).toEqual({
      fault: expect.stringContaining('the name is not stated'),
    })
  })
})

describe('the document of accounts', () => {
  const document = published('account.json')
  const paths = document.paths as Readonly<Record<string, Record<string, Readonly<Record<string, unknown>>>>>

  test('it has every endpoint under its method, with the fields of its body and the header of a step-up', () => {
    const found = Object.entries(paths).map(([name, item]) => [name.slice(1), Object.keys(item)])
    const rows = Object.entries(ACCOUNT_ROWS)
    expect(found).toEqual(rows.map(([name, { method }]) => [name, [method.toLowerCase()]]))
    for (const [name, { method, fields, stepUp }] of rows) {
      const text = JSON.stringify(paths[`/${name}`]?.[method.toLowerCase()])
      expect([name, Object.keys(fields).filter((field) => !text.includes(`"${field}":`))]).toEqual([name, []])
      const needsHeader = stepUp !== undefined && stepUp.isReading !== true
      expect([name, text.includes('parameters/StepUp')]).toEqual([name, needsHeader])
    }
  })

  test('the page of accounts has a section for each endpoint, and a row for each reason that it links to', () => {
    const page = readFileSync(path.join(API, 'account.html'), 'utf8')
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(links.length).toBeGreaterThan(200)
    expect(links.filter((id) => !ids.has(id))).toEqual([])
    expect(Object.keys(ACCOUNT_ROWS).filter((name) => !page.includes(` ${name}</code>`))).toEqual([])
  })
})

describe('the standards', () => {
  test('Redocly finds nothing wrong with any file', () => {
    const cli = path.join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js')
    const files = ['openapi.json', 'account.json', 'asyncapi.json'].map((name) => path.join(API, name))
    // A public server needs no security; the stream has its own messages for that.
    const options = ['--extends=recommended', '--skip-rule=security-defined', '--format=json']
    const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const child = Bun.spawnSync([process.execPath, '--no-env-file', cli, 'lint', ...files, ...options], {
      cwd: ROOT,
      env: { ...process.env, ...quiet },
    })
    const problems = child.stdout.toString().match(/"(?:errors|warnings|ignored)": \d+/g)
    expect([child.exitCode, new Set(problems)]).toEqual([
      0,
      new Set(['"errors": 0', '"warnings": 0', '"ignored": 0']),
    ])
  })

  test('asyncapi.json fits the schema of AsyncAPI 3.0', () => {
    const file = path.join(ROOT, 'node_modules', '@asyncapi', 'specs', 'schemas', '3.0.0.json')
    // The dialect includes the schema of schemas.
    const formats = { uri: URL.canParse, 'uri-reference': true, email: true, regex: true } as const
    const ajv = new Ajv({ strict: false, formats, validateSchema: false, meta: false })
    const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')))
    expect([validate(published('asyncapi.json')), validate.errors]).toEqual([true, null])
    expect(validate({ ...published('asyncapi.json'), operations: { wrong: {} } })).toBe(false)
    const relative = { externalDocs: { url: '../reference/stream.md' } }
    expect(validate({ ...published('asyncapi.json'), info: { title: '', version: '3', ...relative } })).toBe(
      false,
    )
  })
})
