/**
 * docs/reference/private-feed.md: its examples are real messages of the feed, and its program does what the
 * page says.
 */
import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { UPDATES_KEPT_COMMANDS } from '../../src/engine/history/account-updates.ts'
import { EngineFault } from '../../src/engine/port/fault.ts'
import type { Fixture } from '../../src/server/public/gateway.fixture.ts'
import type { PublicServices } from '../../src/server/public/gateway.ts'
import { timeMs } from '../../src/units/quantities.ts'
import { plainEntry } from '../order-entry/support/entry-clients.ts'
import { openExchange } from '../order-entry/support/exchange.ts'
import { until } from '../support/until.ts'

const PAGE = readFileSync(path.join(import.meta.dir, '../../docs/reference/private-feed.md'), 'utf8')
const JOURNAL = /"journal": "([0-9a-f]{32})"/.exec(PAGE)?.[1] ?? ''
const BUY = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '100' }

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** The code block after `<!-- kind: name -->`. */
function marked(kind: string, name: string): string {
  const [, text = ''] =
    new RegExp(`<!-- ${kind}: ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(PAGE) ?? []
  return text
}

const messages = (name: string): [string, Record<string, unknown>][] =>
  marked('messages', name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

async function open(): Promise<Fixture> {
  const f = await openExchange({ wrap: (services) => ({ ...services, journal: JOURNAL }) })
  cleanups.push(() => f.stop())
  return f
}

async function loggedIn(f: Fixture) {
  const client = await plainEntry(f.url)
  cleanups.push(() => client.close())
  expect(await client.login(f.alice, f.clock.time)).toMatchObject({ status: 200 })
  return client
}

async function trade(f: Fixture): Promise<void> {
  await f.place(f.alice, BUY)
  await f.place(f.bob, { ...BUY, side: 'SELL', quantity: '0.2' })
}

describe('the messages on the page', () => {
  test.each(['orders', 'fills', 'balances'])('of %s are those that a subscriber gets', async (name) => {
    const f = await open()
    const client = await loggedIn(f)
    const shown = messages(name)
    client.send('subscribe', shown[0]?.[1])
    const isState = shown[1]?.[1].prevSeq === undefined
    await until('the beginning has come', () => client.events.length === (isState ? 2 : 1))
    await trade(f)
    await until('the trade has come', () => client.events.length === shown.length)
    expect(client.events).toEqual(shown as never)
  })

  test('say why a subscription has ended', async () => {
    const f = await open()
    const client = await loggedIn(f)
    const [[, payload] = []] = messages('ended')
    client.send('subscribe', { channel: payload?.channel })
    await until('the state has come', () => client.events.length === 2)
    const operator = { actor: 'test', note: '' }
    const { apiKey } = f.alice
    const terms = { permissions: ['TRADE'], addresses: [], label: '', expiresAt: timeMs(0) } as const
    await f.submit({ kind: 'SetApiKeyTerms', operator, apiKey, ...terms })
    await until('the subscription has ended', () => client.events.length === 3)
    expect(client.events[2]).toEqual(messages('ended')[0] as never)
    await trade(f)
    client.send('subscribe', { channel: 'fills' })
    await until('the other channel answers', () => client.events.length === 5)
    expect(client.events.map(([event]) => event).slice(3)).toEqual(['subscribed', 'fills'])
  })

  test('have no field that the page does not explain', () => {
    for (const [, payload] of ['orders', 'fills', 'balances'].flatMap(messages)) {
      for (const field of Object.keys(payload)) expect(PAGE).toMatch(new RegExp(`^\\|.*\`${field}\``, 'm'))
    }
  })

  test('are kept for as many commands as the page says', () => {
    expect(PAGE).toContain(`at most ${UPDATES_KEPT_COMMANDS.toLocaleString('en')} commands`)
  })
})

/** A history that can be made to fail when events are requested. */
function failing() {
  const state = { isDown: false }
  const wrap = (services: PublicServices): PublicServices => {
    const { history } = services
    const updates: typeof history.updates = async (query) => {
      if (state.isDown) throw new EngineFault('ENGINE_DOWN', 'a test')
      return history.updates(query)
    }
    return { ...services, journal: JOURNAL, history: Object.assign(Object.create(history), { updates }) }
  }
  return { state, wrap }
}

test('the program on the page keeps the account, and resumes a subscription that has ended', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-feed-'))
  cleanups.push(() => rmSync(directory, { recursive: true }))
  const file = path.join(directory, 'private-feed.mjs')
  writeFileSync(file, marked('snippet', 'private-feed.mjs'))
  const { state, wrap } = failing()
  const f = await openExchange({ wrap })
  cleanups.push(() => f.stop())
  // The program signs with the machine's clock, at any time.
  Object.defineProperty(f.clock, 'time', { get: () => Date.now() })
  const env = { BOURSE_URL: f.url, BOURSE_KEY: f.alice.apiKey, BOURSE_SECRET: f.alice.secret }
  const program = Bun.spawn([process.execPath, file], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  cleanups.push(async () => {
    program.kill()
    await program.exited
  })
  await until('it follows', () => f.gateway.entry.followedAccounts > 0)
  const [output, errors] = [program.stdout, program.stderr].map(textOf) as [() => string, () => string]
  await trade(f)
  await until('it has the trade', () => ['PARTIALLY_FILLED', 'fill'].every((word) => output().includes(word)))
  state.isDown = true
  await f.place(f.bob, { ...BUY, side: 'SELL', quantity: '0.1' })
  await until('its subscriptions end', () => errors().split('ENGINE_DOWN').length > 3)
  state.isDown = false
  await until('it has what it missed', () => output().split('fill').length > 2 && output().includes('0.3'))
  expect(output().split('\n').sort()).toEqual([
    '',
    'BUY 0.5 BTC/USDT NEW 0',
    'BUY 0.5 BTC/USDT PARTIALLY_FILLED 0.2',
    'BUY 0.5 BTC/USDT PARTIALLY_FILLED 0.3',
    'fill 0.1 at 100',
    'fill 0.2 at 100',
  ])
})

/** The text received from a stream so far. */
function textOf(stream: ReadableStream<Uint8Array>): () => string {
  let text = ''
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true })
  })()
  return () => text
}
