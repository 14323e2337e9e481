/**
 * The documentation is checked against the code: its tables against the stated values, its examples against
 * the answers of a running sandbox, its programs against their output.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Credentials, readCredentials } from '../src/app/sandbox/credentials.ts'
import type { Sandbox } from '../src/app/sandbox/start.ts'
import { startSandbox } from '../src/app/sandbox/start.ts'
import { type Defaults, SANDBOX_DEFAULTS, SERVE_DEFAULTS } from '../src/app/settings/defaults.ts'
import { loadSettings, OPTION_FORMS, VARIABLES } from '../src/app/settings/load.ts'
import { SETTINGS } from '../src/app/settings/schema.ts'
import { ADMIN_COMMANDS } from '../src/cli/admin/sections.ts'
import {
  ALL_REASONS,
  type AnyReason,
  adminStatus,
  isAdminReason,
  isReason,
  REASON_NAMES,
  REASONS,
} from '../src/contract/reasons/catalogue.ts'
import { CANCEL_CAUSES } from '../src/core/events/event.ts'
import type { OrderWindow } from '../src/server/access/limits/limits-config.ts'
import { OPERATIONS } from '../src/server/admin/operations.ts'
import { checkNewOrderName } from '../src/server/trading/order-parameters.ts'
import { ORDER_TYPES } from '../src/units/order-enums.ts'
import { expectUnderstood } from './support/command-lines.ts'
import {
  marked,
  reference,
  rows,
  section,
  servedEndpoints,
  shapeOf,
  statedEndpoints,
  unstatedFields,
} from './support/reference.ts'

const ROOT = path.join(import.meta.dir, '..')

const HTTP = reference('http')
const STREAM = reference('stream')
const ERRORS = reference('errors')
const CONFIGURATION = reference('configuration')
const CLI = reference('cli')
const CLI_ADMIN = reference('cli-admin')
const AUTHENTICATION = reference('authentication')

const byReason = (table: readonly string[][]) => table.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))

test('errors.md has every public reason once, with the texts of the catalogue, and no other', () => {
  const documented = rows(ERRORS).filter(([, code]) => /^\d{4}$/.test(code ?? ''))
  const catalogue = REASON_NAMES.map((reason) => {
    const { code, status, when, remedy } = REASONS[reason]
    return [reason, code, String(status), when, remedy]
  })
  expect(byReason(documented)).toEqual(byReason(catalogue))
})

test('admin-reasons.md has every reason of the admin server once, with the texts of the catalogue, and no other', () => {
  const documented = rows(reference('admin-reasons'))
  const catalogue = Object.keys(ALL_REASONS)
    .map((name) => name as AnyReason)
    .filter(isAdminReason)
    .map((reason) => {
      const status = String(adminStatus(reason))
      const { when, remedy } = ALL_REASONS[reason]
      return isReason(reason) ? [reason, `${status} |`] : [reason, status, when, remedy]
    })
  const plain = (table: string[][]) => byReason(table).map((cells) => cells.join(' | ').replace(/ \|$/, ''))
  expect(plain(documented)).toEqual(plain(catalogue))
})

test('cli.md has every reason of the command line alone, with the texts of the catalogue, and no other', () => {
  const catalogue = Object.entries(ALL_REASONS).flatMap(([reason, entry]) =>
    'exitCode' in entry ? [[reason, String(entry.exitCode), entry.when, entry.remedy]] : [],
  )
  expect(byReason(rows(section(CLI, 'Reasons')))).toEqual(byReason(catalogue))
})

test('every reason that the other pages name is in the catalogue', () => {
  const words = [
    ...`${HTTP}${AUTHENTICATION}${STREAM}${CONFIGURATION}`.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g),
  ].map(([, word]) => word)
  const states = ['PARTIALLY_FILLED', 'PENDING_CANCEL', ...CANCEL_CAUSES]
  const others: string[] = [...ORDER_TYPES, ...states, 'USER_DATA', 'DATA_DIR']
  const isOther = (word = '') =>
    others.includes(word) ||
    /^(EXPIRE|BOURSE)_/.test(word) ||
    section(HTTP, 'Parameters that are refused').includes(`\`${word}\``)
  for (const word of words) if (!isOther(word)) expect(Object.keys(ALL_REASONS)).toContain(word as string)
})

describe('authentication.md', () => {
  test('the worked signature is right', () => {
    const example = new Map(
      [...AUTHENTICATION.matchAll(/^\| (Secret|Body|Signature \(\w+\)) \| `(.*)` \|$/gm)].map(([, a, b]) => [
        a,
        b,
      ]),
    )
    const signed = (encoding: 'hex' | 'base64') =>
      createHmac('sha256', example.get('Secret') as string)
        .update(example.get('Body') as string)
        .digest(encoding)
    expect(example.get('Signature (hex)')).toBe(signed('hex'))
    expect(example.get('Signature (base64)')).toBe(signed('base64'))
  })

  test('the worked strict signature is right', () => {
    const example = new Map(
      [
        ...AUTHENTICATION.matchAll(/^\| (Secret|Body|X-Timestamp|X-Nonce|Strict signature) \| `(.*)` \|$/gm),
      ].map(([, a = '', b = '']) => [a, b]),
    )
    const [timestamp, nonce, body] = ['X-Timestamp', 'X-Nonce', 'Body'].map((name) => example.get(name))
    const text = ['POST', '/api/v3/order', '', timestamp, nonce, body].join('\n')
    const digest = createHmac('sha256', example.get('Secret') ?? '')
      .update(text)
      .digest('hex')
    expect(example.get('Strict signature')).toBe(`v2=${digest}`)
  })
})

describe('http.md', () => {
  test('states every endpoint of the contract with its security and weight, and no other', () => {
    const stated = statedEndpoints(HTTP)
    const served = servedEndpoints(false)
    expect(new Set(stated.map(([endpoint]) => endpoint))).toEqual(
      new Set(served.map(([endpoint]) => endpoint)),
    )
    for (const [endpoint, security, weight] of served) {
      const lines = stated.filter(([name]) => name === endpoint)
      for (const [, statedSecurity, statedWeight] of lines) {
        expect([endpoint, statedSecurity, statedWeight || weight]).toEqual([endpoint, security, weight])
      }
    }
  })

  test('every parameter that it says is refused is refused', () => {
    const [, list = ''] = /UNSUPPORTED_PARAMETER`\):([^;]*);/.exec(HTTP) ?? []
    const names = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name as string)
    expect(names.length).toBeGreaterThan(20)
    for (const name of names) {
      expect([name, checkNewOrderName(name)?.reason]).toEqual([name, 'UNSUPPORTED_PARAMETER'])
    }
  })
})

describe('settings', () => {
  const defaults = flat(SERVE_DEFAULTS)
  const sandbox = flat(SANDBOX_DEFAULTS)

  test('configuration.md has every limit with its defaults', () => {
    const documented = rows(CONFIGURATION).filter(([name]) => name !== undefined && defaults.has(name))
    expect(documented.map(([name]) => name).toSorted()).toEqual([...defaults.keys()].toSorted())
    for (const [name = '', first = '', second = ''] of documented) {
      expect([name, figure(first, name)]).toEqual([name, defaults.get(name)])
      const hasTwo = /^(limits|stream|clock)\.|^http\.connections/.test(name)
      const inSandbox = hasTwo ? figure(second, name) : defaults.get(name)
      expect([name, inSandbox]).toEqual([name, sandbox.get(name)])
    }
  })

  test('configuration.md has every order window', () => {
    const documented = rows(CONFIGURATION)
      .filter(([, of]) => of === '`serve`' || of === '`sandbox`')
      .map(([name, of, windowMs = '', ordersMax = '']) => [
        name,
        of,
        figure(windowMs, 'windowMs'),
        figure(ordersMax, ''),
      ])
    const windows = (of: string, list: readonly OrderWindow[]) =>
      list.map(({ name, windowMs, ordersMax }) => [name, of, windowMs, ordersMax])
    expect(documented).toEqual([
      ...windows('`serve`', SERVE_DEFAULTS.gateway.limits.orderWindows),
      ...windows('`sandbox`', SANDBOX_DEFAULTS.gateway.limits.orderWindows),
    ])
  })

  test('configuration.md has every option and variable that is not in a group', () => {
    const table = section(CONFIGURATION, 'Options and variables')
    const named = [
      ...table.matchAll(/^\| (?:`--([a-z-]+)[^`]*`|-) \| (?:`(\w+)`|-) \| (?:`([\w.]+)`|-) \|/gm),
    ]
    const inGroup = (name: string) =>
      /^(limits|http|stream|engine|clock|follower|replication|webhooks|archive|customers)\./.test(name)
    for (const { name, option, variable, isSecret } of SETTINGS) {
      const row = named.find((cells) => cells[2] === variable)
      if (row === undefined) expect([name, inGroup(name)]).toEqual([name, true])
      else expect<unknown[]>(row.slice(1)).toEqual([option, variable, isSecret ? undefined : name])
    }
    for (const [, option, variable] of named as (string | undefined)[][]) {
      if (option !== undefined) expect(Object.keys(OPTION_FORMS)).toContain(option)
      if (variable !== undefined) expect(VARIABLES).toContain(variable)
    }
    const flags = ['config', 'accept-journal-tail', 'accept-clock', 'help']
    expect(named.map(([, option = '']) => option)).toEqual(expect.arrayContaining(flags))
  })

  test('configuration.md names every setting', () => {
    for (const { name, isSecret, variable } of SETTINGS)
      expect(CONFIGURATION).toContain((isSecret ? variable : name) as string)
  })

  test('the example of a configuration file is one', () => {
    const [, text = ''] = /```json\n([\s\S]*?)```/.exec(section(CONFIGURATION, 'The file')) ?? []
    const directory = mkdtempSync(path.join(tmpdir(), 'bourse-docs-'))
    try {
      const file = path.join(directory, 'example.json')
      writeFileSync(file, text)
      expect(loadSettings(['--config', file], {}, SERVE_DEFAULTS).dataDirectory).toBe('/var/lib/bourse')
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  test('stream.md and rate-limits.md state the limits as they are', () => {
    const limits = rows(section(STREAM, 'Limits'))
    expect(limits.length).toBeGreaterThan(10)
    for (const [name = '', serve = '', trial = ''] of limits) {
      const [strict, lenient] = [defaults.get(`stream.${name}`), sandbox.get(`stream.${name}`)]
      expect([name, figure(serve, name), figure(trial, name)]).toEqual([name, strict, lenient])
    }
    const rates = rows(section(reference('rate-limits'), 'Rate limits')).filter(([name]) =>
      name?.startsWith('limits.'),
    )
    expect(rates.length).toBeGreaterThan(4)
    for (const [name = '', serve = '', trial = ''] of rates) {
      expect([name, figure(serve, name), figure(trial, name)]).toEqual([
        name,
        defaults.get(name),
        sandbox.get(name),
      ])
    }
  })
})

/** Every number among the settings, by its name in the file; hostname and ports are documented elsewhere. */
function flat({ gateway, server, stream, engine, clock, follower }: Defaults): ReadonlyMap<string, number> {
  const { limits, ...requests } = gateway
  const { port: _port, ...sockets } = server
  const http = { ...requests, ...sockets }
  const groups: Record<string, object> = { limits, http, stream, engine, clock, follower }
  const entries = Object.entries(groups).flatMap(([group, values]) =>
    Object.entries(values).flatMap(([name, value]): [string, number][] =>
      typeof value === 'number' ? [[`${group}.${name}`, value]] : [],
    ),
  )
  return new Map(entries)
}

/**
 * `64 KiB`, `10 s`, `6,000` in the unit of the setting's name; undefined if the text is not such a figure.
 */
function figure(text: string, name: string): number | undefined {
  const [, digits, unit = ''] = /^([\d,]+)(?: (\w+))?$/.exec(text) ?? []
  const second = /Seconds$/.test(name) ? 1 : 1_000
  const units = new Map([
    ['', 1],
    ['KiB', 1024],
    ['MiB', 1024 ** 2],
    ['ms', second / 1_000],
    ['s', second],
    ['min', second * 60],
    ['day', second * 86_400],
    ['days', second * 86_400],
  ])
  const factor = units.get(unit)
  return digits === undefined || factor === undefined
    ? undefined
    : Number(digits.replaceAll(',', '')) * factor
}

describe('cli-admin.md', () => {
  test('has every command of bourse admin, and no other', () => {
    const documented = [...CLI_ADMIN.matchAll(/^\| `([a-z][a-z-]*(?: [a-z][a-z-]*)*)/gm)].map(
      ([, name]) => name,
    )
    expect(documented.toSorted()).toEqual(ADMIN_COMMANDS.map(({ name }) => name).toSorted())
  })

  test('admin-operations.md and admin-account-operations.md have every operation of the server', () => {
    const documented = ['admin-operations', 'admin-account-operations'].flatMap((page) =>
      rows(section(reference(page), 'Operations')).map(([operation]) => operation),
    )
    expect(documented.toSorted()).toEqual(Object.keys(OPERATIONS).toSorted())
  })

  test('its first exchange consists of requests that the server accepts', () => {
    const lines = [...section(CLI_ADMIN, 'A first exchange').matchAll(/^bourse (admin .*)$/gm)]
    expect(lines.length).toBeGreaterThan(4)
    for (const [, line = ''] of lines) expectUnderstood(line)
  })
})

describe('a sandbox', () => {
  const data = mkdtempSync(path.join(tmpdir(), 'bourse-docs-'))
  /** In the checkout, so that a program finds the packages it imports. */
  const programs = path.join(ROOT, '.cache', `docs-${process.pid}`)
  let node: Sandbox
  let traders: readonly Credentials[]
  /** Cents above 60000 of the best bid. */
  let bestBid = 10

  beforeAll(async () => {
    const settings = loadSettings(['--data', data, '--port', '0'], {}, SANDBOX_DEFAULTS)
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    node = await startSandbox({
      settings,
      version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
      log,
      print: () => {},
    })
    traders = readCredentials(data)
    mkdirSync(programs, { recursive: true })
  })

  afterAll(async () => {
    await node.stop()
    for (const directory of [data, programs]) rmSync(directory, { recursive: true, force: true })
  })

  async function call(trader: number, method: string, route: string, fields: Record<string, string> = {}) {
    const { apiKey = '', secret = '' } = traders[trader] ?? {}
    const query = new URLSearchParams({
      ...fields,
      timestamp: String(Date.now()),
      recvWindow: '60000',
    }).toString()
    const signature = createHmac('sha256', secret).update(query).digest('hex')
    const headers = { 'X-Apikey': apiKey, 'X-Signature': signature }
    const response = await fetch(`${node.baseUrl}/api/v3/${route}?${query}`, { method, headers })
    return response.json()
  }

  const limit = (side: string, quantity: string, price: string) => {
    const fields = { symbol: 'BTC/USDT', side, type: 'LIMIT', quantity, price }
    return { trader: side === 'SELL' ? 0 : 1, fields }
  }
  const place = ({ trader, fields }: ReturnType<typeof limit>) => call(trader, 'POST', 'order', fields)

  test('answers in the shape of every example in http.md', async () => {
    const symbol = { symbol: 'BTC/USDT' }
    await place(limit('SELL', '0.5', '60000.5'))
    await place(limit('SELL', '1', '60100'))
    await place(limit('BUY', '0.2', '60010'))
    const newOrder = await place(limit('BUY', '0.75', '59990'))
    const answers: Record<string, unknown> = {
      exchangeInfo: await call(0, 'GET', 'exchangeInfo'),
      depth: await call(1, 'GET', 'depth', symbol),
      trades: await call(1, 'GET', 'trades', symbol),
      newOrder,
      activeOrders: await call(0, 'GET', 'order/active', symbol),
      tradeHistory: await call(1, 'GET', 'order/trade/history'),
      allBalances: await call(1, 'GET', 'wallet/balance'),
      oneBalance: await call(1, 'GET', 'wallet/balance', { code: 'USDT' }),
      cancelOrder: await call(1, 'DELETE', 'order', { id: newOrder.data.id }),
    }
    const documented = marked(HTTP, 'answer')
    expect([...documented.keys()].toSorted()).toEqual(Object.keys(answers).toSorted())
    for (const [name, text] of documented) {
      expect([name, shapeOf(JSON.parse(text))]).toEqual([name, shapeOf(answers[name])])
    }
  })

  test('every field of an example in http.md is in the table above it', () =>
    expect(unstatedFields(HTTP)).toEqual([]))

  function start(name: string, text: string) {
    const file = path.join(programs, name)
    writeFileSync(file, text)
    const interpreter = { '.mjs': process.execPath, '.sh': 'sh', '.py': 'python3' }[path.extname(name)] ?? ''
    const [{ apiKey, secret }] = traders as [Credentials]
    const env = { ...process.env, BOURSE_URL: node.baseUrl, BOURSE_KEY: apiKey, BOURSE_SECRET: secret }
    return Bun.spawn([interpreter, file], { env, stdout: 'pipe', stderr: 'inherit' })
  }

  /**
   * Waits until the second in which the node started is over: then it accepts strict signatures, also from
   * clocks with whole seconds.
   */
  async function untilNoncesAreKnown(): Promise<void> {
    const [{ apiKey, secret }] = traders as [Credentials]
    const ask = async () => {
      const timestamp = String(Math.floor(Date.now() / 1_000) * 1_000)
      const nonce = crypto.randomUUID()
      const [route, query] = ['/api/v3/wallet/balance', `timestamp=${timestamp}`]
      const text = ['GET', route, query, timestamp, nonce, ''].join('\n')
      const signature = `v2=${createHmac('sha256', secret).update(text).digest('hex')}`
      const headers = { 'X-Apikey': apiKey, 'X-Signature': signature }
      const strict = { ...headers, 'X-Timestamp': timestamp, 'X-Nonce': nonce }
      return (await (await fetch(`${node.baseUrl}${route}?${query}`, { headers: strict })).json()).reason
    }
    for (let reason = 'NONCES_UNKNOWN'; reason === 'NONCES_UNKNOWN'; ) reason = await ask()
  }

  /** Requirements of a program besides the runtime of these tests. */
  const NEEDS: Record<string, readonly string[]> = {
    '.mjs': [],
    '.sh': ['curl', 'openssl'],
    '.py': ['python3'],
  }
  const isRunnable = (name: string) => NEEDS[path.extname(name)]?.every((tool) => Bun.which(tool) !== null)

  test.each([...marked(AUTHENTICATION, 'snippet')].filter(([name]) => isRunnable(name)))(
    'accepts the order of %s and lists it',
    async (name, text) => {
      if (name === 'sign-strict.sh') await untilNoncesAreKnown()
      const program = start(name, text)
      const output = await new Response(program.stdout).text()
      expect(await program.exited).toBe(0)
      const [order, open] = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(order).toMatchObject({ status: true, data: { side: 'BUY', price: 60000, qty: 0.01 } })
      expect(open.map(({ id }: { id: string }) => id)).toContain(order.data.id)
    },
  )

  test('every program of the reference is checked', () => {
    expect([...marked(AUTHENTICATION, 'snippet').keys()]).toEqual([
      'sign.sh',
      'sign.mjs',
      'sign.py',
      'sign-strict.sh',
    ])
    expect([...marked(STREAM, 'snippet').keys()]).toEqual(['stream-socket-io.mjs', 'stream-websocket.mjs'])
  })

  test.each([...marked(STREAM, 'snippet')])('shows its book to %s', async (name, text) => {
    const program = start(name, text)
    let output = ''
    let best: string | undefined
    try {
      for await (const chunk of program.stdout) {
        output += new TextDecoder().decode(chunk)
        if (best !== undefined && output.includes(best)) break
        if (best !== undefined || !output.includes('trades')) continue
        // The program has the book: the next step places a new best bid, a whole tick higher each time.
        bestBid += 1
        const price = `60000.${bestBid}`
        best = `bid ${price} 0.125 ask 60000.50`
        await place(limit('BUY', '0.125', price))
      }
    } finally {
      program.kill()
      await program.exited
    }
    expect(output).toContain(best as string)
  })
})
