/**
 * Starts on a full disk, with space for no block, for one block, for two and so on: whatever a start has to
 * write, some of these numbers leave it without space. The node starts, answers reads, refuses whatever would
 * have to be stored, and accepts orders as soon as there is space. The requirements are those of the tests on
 * a small disk.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import {
  BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  sandbox,
  signed,
} from '../support/bourse-process.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { Trader } from '../support/random-trader.ts'
import { tradeUntilEnd } from '../support/trade-until-end.ts'
import { WAIT_MS_MAX } from '../support/until.ts'
import { SmallDisk } from './support/small-disk.ts'

setDefaultTimeout(300_000)

const SYMBOL = 'BTC/USDT'
const SEED = 23
const ANSWERS = 150
const DISK_BYTES = 24 * 1024 * 1024
/** Number of orders that may be refused once there is space. */
const TRIES_MAX = 3
/** Numbers of free blocks. The largest is enough for a start: SQLite's index of the log takes eight. */
const FREE_BLOCKS = [0, 1, 2, 4, 8, 10, 12, 24]

const images = dataDirectory()
const running: BourseProcess[] = []
let disk: SmallDisk | undefined
afterAll(async () => {
  for (const node of running) await node.end('SIGKILL')
  disk?.remove()
  images.remove()
})
beforeAll(() => {
  disk = new SmallDisk(DISK_BYTES)
})

/** Data of a node that traded and was then ended by this signal. */
async function makeImage(ending: 'SIGTERM' | 'SIGKILL'): Promise<string> {
  const data = path.join(images.path, ending)
  const node = await sandbox(data, '--limits', 'off')
  running.push(node)
  const random = randomNumbers(SEED)
  const traders = readSandbox(data).accounts.map((account) => new Trader(account, random))
  await tradeUntilEnd(node, { traders, target: ANSWERS, end: () => node.child.kill(ending) })
  await node.exited()
  return data
}

/** Data that must be readable however little space the disk has. */
async function read(url: string, account: Credentials): Promise<Record<string, number>> {
  const asked = {
    balance: await signed(url, account, 'GET', 'wallet/balance'),
    open: await signed(url, account, 'GET', 'order/active'),
    orders: await signed(url, account, 'GET', 'allOrders', { symbol: SYMBOL }),
    fills: await signed(url, account, 'GET', 'myTrades', { symbol: SYMBOL }),
    ledger: await signed(url, account, 'GET', 'account/ledger'),
    depth: await signed(url, account, 'GET', 'depth', { symbol: SYMBOL }),
    trades: await signed(url, account, 'GET', 'trades', { symbol: SYMBOL }),
    candles: await signed(url, account, 'GET', 'klines', { symbol: SYMBOL, interval: '1m' }),
  }
  for (const answer of Object.values(asked)) await answer.arrayBuffer()
  return Object.fromEntries(Object.entries(asked).map(([name, { status }]) => [name, status]))
}

async function placed(url: string, account: Credentials): Promise<string> {
  const fields = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', quantity: '0.001', price: '1000' }
  const answer = await signed(url, account, 'POST', 'order', fields)
  const body = (await answer.json()) as { readonly reason?: string }
  return answer.status === 200 ? 'PLACED' : (body.reason ?? `${answer.status}`)
}

/** The base URL of a node that becomes ready; rejects with its output if that takes too long. */
function inTime(node: BourseProcess): Promise<string> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`is not ready: ${node.err}`)), WAIT_MS_MAX)
  return Promise.race([node.ready, late.promise]).finally(() => clearTimeout(timer))
}

/** The deviation from the expected behavior; undefined if there is none. */
async function startWith(image: string, freeBlocks: number): Promise<string | undefined> {
  if (disk === undefined) throw new Error('expected a disk')
  const { data } = disk
  rmSync(data, { recursive: true, force: true })
  disk.makeRoom()
  cpSync(image, data, { recursive: true })
  const [account] = readSandbox(data).accounts
  if (account === undefined) throw new Error('expected an account')
  disk.fill(freeBlocks)
  const node = new BourseProcess(['sandbox', '--port', '0', '--data', data, '--limits', 'off'])
  running.push(node)
  try {
    const url = await inTime(node)
    const answers = await read(url, account)
    const wrong = Object.entries(answers).filter(([, status]) => status !== 200)
    if (wrong.length > 0) return `reading: ${JSON.stringify(Object.fromEntries(wrong))}`
    const order = await placed(url, account)
    if (order !== 'PLACED' && order !== 'STORAGE_FULL') return `an order: ${order}`
    disk.makeRoom()
    for (let tries = 0; (await placed(url, account)) !== 'PLACED'; tries++)
      if (tries > TRIES_MAX) return 'takes no orders although there is room'
    const code = await node.end('SIGTERM')
    return code === 0 ? undefined : `ended with ${code}: ${node.err}`
  } finally {
    await node.end('SIGKILL')
  }
}

describe.each(['SIGTERM', 'SIGKILL'] as const)('after %s', (ending) => {
  test('a start on a full disk serves reads, and orders as soon as there is space', async () => {
    const image = await makeImage(ending)
    const problems: string[] = []
    for (const freeBlocks of FREE_BLOCKS) {
      const problem = await startWith(image, freeBlocks).catch((error: Error) => error.message)
      if (problem !== undefined) problems.push(`${freeBlocks} blocks: ${problem.slice(0, 600)}`)
    }
    expect(problems).toEqual([])
  })
})
