/**
 * The node on a real file system of a few MiB that actually becomes full, and on one that accepts no writes.
 * Mounting needs Linux, and root or sudo without a password: elsewhere every test here is skipped, which
 * `npm test` reports and which fails a continuous-integration run.
 */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
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
import { until } from '../support/until.ts'
import { SmallDisk } from './support/small-disk.ts'

setDefaultTimeout(300_000)

const SYMBOL = 'BTC/USDT'
/** Number of requests in flight at the same time for each account. */
const CONCURRENCY = 8
/** Number of refusals for lack of space that each account must get before the disk counts as full. */
const REFUSALS = 20
/**
 * After this number of refusals of each account the disk stays full: before that, a restarted log may free
 * space once or twice.
 */
const FULL_REFUSALS = 20 * REFUSALS

const seed = Date.now() % 1_000_000
/** All disks of the tests, unmounted at the end even after a failure. */
const disks: SmallDisk[] = []
const running: BourseProcess[] = []
afterAll(async () => {
  for (const node of running) await node.end('SIGKILL')
  for (const disk of disks) disk.remove()
})

function smallDisk(): SmallDisk {
  const disk = new SmallDisk()
  disks.push(disk)
  return disk
}

async function start(data: string): Promise<BourseProcess> {
  const node = await sandbox(data, '--limits', 'off')
  running.push(node)
  return node
}

function accountsOf(data: string): [Credentials, Credentials] {
  const [alice, bob] = readSandbox(data).accounts
  if (alice === undefined || bob === undefined) throw new Error('expected two accounts')
  return [alice, bob]
}

function order(data: string, side: 'BUY' | 'SELL', price: string): Promise<Response> {
  const fields = { symbol: SYMBOL, side, type: 'LIMIT', quantity: '0.001', price }
  return signed(readSandbox(data).baseUrl, accountsOf(data)[0], 'POST', 'order', fields)
}

function tradersOf(data: string): Trader[] {
  const random = randomNumbers(seed)
  return accountsOf(data).map((account) => new Trader(account, random))
}

/** Trades at random until each account has often enough been refused for lack of space. */
async function tradeUntilFull(data: string, traders: readonly Trader[]): Promise<void> {
  const { baseUrl } = readSandbox(data)
  const isFull = (): boolean => traders.every(({ fullCount }) => fullCount >= FULL_REFUSALS)
  const trade = async (trader: Trader): Promise<void> => {
    while (!isFull()) expect(await trader.act(baseUrl)).toBe(true)
  }
  await Promise.all(traders.flatMap((trader) => Array.from({ length: CONCURRENCY }, () => trade(trader))))
}

/** The money, open orders and book that both accounts can read. */
async function everythingRead(data: string): Promise<string[]> {
  const { baseUrl } = readSandbox(data)
  const answers = accountsOf(data).flatMap((account) => [
    signed(baseUrl, account, 'GET', 'wallet/balance'),
    signed(baseUrl, account, 'GET', 'order/active'),
    signed(baseUrl, account, 'GET', 'depth', { symbol: SYMBOL }),
  ])
  return Promise.all(
    answers.map(async (answer) => {
      const response = await answer
      const body = await response.text()
      expect([response.status, body]).toEqual([200, body])
      return body
    }),
  )
}

async function audit(data: string, traders: readonly Trader[]): Promise<void> {
  for (const trader of traders) await trader.audit(readSandbox(data).baseUrl)
}

test(`on a full disk reads continue, writes are refused without a trace, and space brings the service back (seed ${seed})`, async () => {
  const disk = smallDisk()
  const node = await start(disk.data)
  const traders = tradersOf(disk.data)
  await tradeUntilFull(disk.data, traders)
  const before = await everythingRead(disk.data)
  for (let i = 0; i < REFUSALS; i++) {
    const response = await order(disk.data, i % 2 === 0 ? 'BUY' : 'SELL', '50000')
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ status: false, code: '0014', reason: 'STORAGE_FULL' })
  }
  expect(await everythingRead(disk.data)).toEqual(before)
  const logged = (message: string) =>
    node.err
      .split('\n')
      .filter((line) => line.includes(`"msg":"${message}"`) && !/history|snapshot/.test(line))
  await until('the log has the fact', () => logged('storage is full').length > 0)
  expect(JSON.parse(logged('storage is full')[0] as string)).toMatchObject({
    level: 50,
    path: disk.data,
    freeBytes: expect.any(Number),
    neededBytes: expect.any(Number),
  })

  disk.makeRoom()
  const refusals = traders.map(({ fullCount }) => fullCount)
  for (const trader of traders) expect(await trader.act(readSandbox(disk.data).baseUrl)).toBe(true)
  expect(traders.map(({ fullCount }) => fullCount)).toEqual(refusals)
  await until('the log says that there is room', () => logged('storage has free space again').length > 0)
  expect(logged('storage is full').length).toBe(1)
  expect(await node.end('SIGTERM')).toBe(0)
  await start(disk.data)
  await audit(disk.data, traders)
})

test(`after a kill on a full disk the next start succeeds or says that storage is full, and with space it has everything acknowledged (seed ${seed})`, async () => {
  const disk = smallDisk()
  const node = await start(disk.data)
  const traders = tradersOf(disk.data)
  await tradeUntilFull(disk.data, traders)
  await node.end('SIGKILL')

  const again = new BourseProcess(['sandbox', '--port', '0', '--data', disk.data])
  running.push(again)
  // Making the log durable may free enough space for the history; otherwise the start waits for space and
  // reports it.
  const { promise: waits, resolve: tellItWaits } = Promise.withResolvers<void>()
  void until('it waits for room', () => again.err.includes('storage is full')).then(tellItWaits, () => {})
  // An early end rejects with all output of the node.
  await Promise.race([again.ready, waits])
  disk.makeRoom()
  await again.ready
  await audit(disk.data, traders)
  expect((await order(disk.data, 'BUY', '1000')).status).toBe(200)
})

test('a read-only data directory is refused with one line that says so, new or in use before', async () => {
  const fresh = smallDisk()
  fresh.makeReadOnly()
  const used = smallDisk()
  await (await start(used.data)).end('SIGTERM')
  used.makeReadOnly()
  for (const [{ data }, what] of [
    [fresh, 'create'],
    [used, 'write to'],
  ] as const) {
    const create = what === 'create' ? ['--init'] : []
    for (const command of [['sandbox'], ['serve', ...create]]) {
      const refused = new BourseProcess([...command, '--port', '0', '--data', data])
      running.push(refused)
      expect([await refused.exited(), refused.out]).toEqual([1, ''])
      expect(refused.err).toStartWith(`bourse: cannot ${what} the data directory ${data}: EROFS`)
      expect(refused.err.trimEnd()).not.toContain('\n')
    }
  }
})

test('on a read-only file system a stopped exchange and a backup are verified, and the backup is restored elsewhere', async () => {
  const disk = smallDisk()
  disk.makeRoom()
  const backup = path.join(path.dirname(disk.data), 'backup')
  await (await start(disk.data)).end('SIGTERM')
  const command = async (...words: string[]): Promise<string> => {
    const run = new BourseProcess(words)
    expect([words, await run.exited(), run.err]).toEqual([words, 0, ''])
    return run.out
  }
  await command('backup', '--data', disk.data, '--to', backup)
  disk.makeReadOnly()
  for (const directory of [disk.data, backup])
    expect(await command('verify', '--data', directory)).toEndWith('Sound.\n')
  const restored = dataDirectory()
  try {
    await command('restore', '--from', backup, '--data', restored.path)
    expect(await command('verify', '--data', restored.path)).toEndWith('Sound.\n')
  } finally {
    restored.remove()
  }
})
