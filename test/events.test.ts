/**
 * The numbered feed of events as a program reads it: across kills of the node in the middle of its answers,
 * and again from a rebuilt history.
 */
import { afterAll, expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ADMIN_FILE, ADMIN_PATH, type AdminAddress, type AdminAnswer } from '../src/contract/admin/admin.ts'
import type { AdminEvent, AdminEventPage } from '../src/contract/admin/events.ts'
import { BourseProcess, dataDirectory, readSandbox, sandbox, signed } from './support/bourse-process.ts'

const ROUNDS = 3
const CREDITS = 40

const { path: data, remove } = dataDirectory()
let node: BourseProcess | undefined
afterAll(async () => {
  await node?.end('SIGKILL')
  remove()
})

function address(): AdminAddress {
  return JSON.parse(readFileSync(path.join(data, ADMIN_FILE), 'utf8')) as AdminAddress
}

async function ask(operation: string, body: object): Promise<unknown> {
  const { url, token } = address()
  const response = await fetch(`${url}${ADMIN_PATH}${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as AdminAnswer
  if (!answer.ok) throw new Error(`${operation}: ${answer.error.message}`)
  return answer.result
}

async function read(query: string): Promise<AdminEventPage> {
  const { url, token } = address()
  const response = await fetch(`${url}${ADMIN_PATH}events?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const answer = (await response.json()) as AdminAnswer<'event/list'>
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.result
}

/** All events from the first on. */
async function readAll(): Promise<AdminEvent[]> {
  const events: AdminEvent[] = []
  for (let after = 0; ; ) {
    const page = await read(`after=${after}&limit=50`)
    events.push(...page.events)
    if (page.next === page.end) return events
    after = page.next
  }
}

test('a program that reads on over kills of the node misses no event and has none twice, and a rebuilt history has the same numbers', async () => {
  const books: AdminEvent[] = []
  let next = 0
  for (let round = 0; round < ROUNDS; round++) {
    node = await sandbox(data, '--limits', 'off')
    const { baseUrl, accounts } = readSandbox(data)
    const credited = creditAndTrade(round, baseUrl, accounts)
    // The program stores the events that it read together with the number from which to continue.
    for (let answers = 0; answers < 15 || fewestOf(books) <= 10 * (round + 1); answers++) {
      const page = await read(`after=${next}&limit=20&wait=2000`)
      books.push(...page.events)
      next = page.next
    }
    await Promise.all([node.end('SIGKILL'), credited])
  }
  node = await sandbox(data)
  for (let page = await read(`after=${next}`); ; page = await read(`after=${next}`)) {
    books.push(...page.events)
    next = page.next
    if (page.next === page.end) break
  }
  const all = await readAll()
  expect(books).toEqual(all)
  expect(new Set(all.map(({ number }) => number)).size).toBe(all.length)
  expect(await node.end('SIGTERM')).toBe(0)
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(path.join(data, `history.sqlite${suffix}`), { force: true })
  node = await sandbox(data)
  expect(await readAll()).toEqual(all)
  expect(await node.end('SIGTERM')).toBe(0)
  const audit = new BourseProcess(['verify', '--data', data])
  audit.ready.catch(() => {})
  expect(await audit.exited()).toBe(0)
}, 300_000)

function countOf(events: readonly AdminEvent[], kind: AdminEvent['kind']): number {
  return events.filter((event) => event.kind === kind).length
}

/** The sandbox's accounts cause two kinds of events: returns the number of the rarer kind. */
function fewestOf(events: readonly AdminEvent[]): number {
  return Math.min(countOf(events, 'FILL'), countOf(events, 'CREDIT'))
}

/** Continues until the node exits. */
async function creditAndTrade(
  round: number,
  baseUrl: string,
  [maker, taker]: ReturnType<typeof readSandbox>['accounts'],
): Promise<void> {
  if (maker === undefined || taker === undefined) throw new Error('the sandbox has two accounts')
  for (let i = 0; i < CREDITS; i++) {
    const reference = `deposit-${round}-${i}`
    try {
      await ask('money/credit', { account: maker.name, asset: 'BTC', amount: '0.1', reference })
      const order = { symbol: 'BTC/USDT', type: 'LIMIT', timeInForce: 'GTC', price: '100', quantity: '0.1' }
      await signed(baseUrl, maker, 'POST', 'order', { ...order, side: 'SELL' })
      await signed(baseUrl, taker, 'POST', 'order', { ...order, side: 'BUY' })
    } catch {
      // The node was killed.
      return
    }
  }
}
