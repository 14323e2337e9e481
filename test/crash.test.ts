/**
 * kill -9 under load, then an audit from the outside: what was acknowledged is there, what was refused left no
 * trace, and every asset sums up. `CRASH_ROUNDS=1000` for a long run.
 */
import { afterAll, expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import { askAdmin, readAdminAddress } from '../src/cli/admin-client.ts'
import {
  BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  sandbox,
} from './support/bourse-process.ts'
import { units } from './support/exact.ts'
import { randomNumbers } from './support/random-numbers.ts'
import { Trader } from './support/random-trader.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 10)
const ROUND_TIMEOUT_MS = 30_000
/** Requests under way at a time for each account. */
const CONCURRENCY = 16
/** The node is killed after this many answers, more or less. */
const ANSWERS_MIN = 50
const ANSWERS_SPREAD = 500
/** Blocks of 512 bytes (in a POSIX shell): room for a start and some hundred orders. */
const FILE_BLOCKS_MAX = 1_000

/** Each account's money at the start, in units of 10^-8. */
const FUNDING: Readonly<Record<string, bigint>> = {
  BTC: units('100'),
  ETH: units('1000'),
  USDT: units('5000000'),
  TRY: units('50000000'),
}

const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000)
const { path: data, remove } = dataDirectory()
let node: BourseProcess | undefined
afterAll(async () => {
  await node?.end('SIGKILL')
  remove()
})

test(
  `after each of ${ROUNDS} kills every acknowledged order and cancel is there, and the books balance (seed ${seed})`,
  async () => {
    const random = randomNumbers(seed)
    node = await sandbox(data, '--limits', 'off')
    const traders = readSandbox(data).accounts.map((account) => new Trader(account, random))
    let answers = 0
    for (let round = 0; round < ROUNDS; round++) {
      answers += await tradeUntilEnd(
        node,
        data,
        traders,
        ANSWERS_MIN + Math.floor(random() * ANSWERS_SPREAD),
        'SIGKILL',
      )
      node = await sandbox(data, '--limits', 'off')
      const { baseUrl } = readSandbox(data)
      for (const trader of traders) await trader.audit(baseUrl)
      await auditSums()
    }
    const placed = traders.reduce((sum, trader) => sum + trader.placedCount, 0)
    const canceled = traders.reduce((sum, trader) => sum + trader.canceledCount, 0)
    const refused = traders.reduce((sum, trader) => sum + trader.refusedCount, 0)
    // The load must have been what it claims to be.
    expect(answers).toBeGreaterThanOrEqual(ROUNDS * ANSWERS_MIN)
    expect(Math.min(placed, canceled, refused)).toBeGreaterThan(ROUNDS)
    expect(await node.end('SIGTERM')).toBe(0)
  },
  ROUNDS * ROUND_TIMEOUT_MS,
)

test(
  'the audit notices when acknowledged orders are lost: a node set back to an older copy of its data',
  async () => {
    const { path: older, remove: removeCopy } = dataDirectory()
    const { path: live, remove: removeLive } = dataDirectory()
    try {
      await (await sandbox(live)).end('SIGTERM')
      cpSync(live, older, { recursive: true })
      node = await sandbox(live, '--limits', 'off')
      const [account] = readSandbox(live).accounts
      const trader = new Trader(account as Credentials, randomNumbers(seed))
      await tradeUntilEnd(node, live, [trader], ANSWERS_MIN, 'SIGKILL')
      rmSync(live, { recursive: true })
      cpSync(older, live, { recursive: true })
      node = await sandbox(live)
      const { baseUrl } = readSandbox(live)
      expect(await trader.audit(baseUrl).catch((error: Error) => error.message)).toMatch(/is gone/)
    } finally {
      await node?.end('SIGKILL')
      removeCopy()
      removeLive()
    }
  },
  ROUND_TIMEOUT_MS,
)

test(
  'a stop under load answers what was taken, ends with 0, and the restart has it all',
  async () => {
    const { path: data, remove: removeData } = dataDirectory()
    try {
      node = await sandbox(data, '--limits', 'off')
      const [account] = readSandbox(data).accounts
      const trader = new Trader(account as Credentials, randomNumbers(seed))
      await tradeUntilEnd(node, data, [trader], ANSWERS_MIN, 'SIGTERM')
      expect([await node.exited(), node.err]).toEqual([0, ''])
      node = await sandbox(data)
      await trader.audit(readSandbox(data).baseUrl)
    } finally {
      await node?.end('SIGKILL')
      removeData()
    }
  },
  ROUND_TIMEOUT_MS,
)

test(
  'when storage fails the node says so and ends with an error, and the restart has all that was acknowledged',
  async () => {
    const { path: data, remove: removeData } = dataDirectory()
    try {
      // The system refuses to let any file grow beyond this: a disk that fails at some write under load.
      const limited = ['sh', '-c', `ulimit -f ${FILE_BLOCKS_MAX}; exec "$0" "$@"`]
      const options = ['--port', '0', '--data', data, '--limits', 'off']
      node = new BourseProcess(['sandbox', ...options], {}, limited)
      await node.ready
      const traders = readSandbox(data).accounts.map((each) => new Trader(each, randomNumbers(seed)))
      await tradeUntilEnd(node, data, traders, Number.POSITIVE_INFINITY, undefined)
      expect(await node.exited()).toBe(1)
      expect(node.err).toContain('the node has died')
      node = await sandbox(data)
      for (const trader of traders) await trader.audit(readSandbox(data).baseUrl)
    } finally {
      await node?.end('SIGKILL')
      removeData()
    }
  },
  ROUND_TIMEOUT_MS,
)

/**
 * Trades until `target` answers have come, then sends the signal with requests under way; each client goes on until
 * it gets no answer. Resolves with the number of answers once the process has ended, by that signal or by itself.
 */
async function tradeUntilEnd(
  running: BourseProcess,
  data: string,
  traders: readonly Trader[],
  target: number,
  signal: 'SIGKILL' | 'SIGTERM' | undefined,
): Promise<number> {
  const { baseUrl } = readSandbox(data)
  let answers = 0
  const reached = Promise.withResolvers<void>()
  const trade = async (trader: Trader): Promise<void> => {
    while (await trader.act(baseUrl)) {
      if (++answers === target) reached.resolve()
    }
  }
  const loops = traders.flatMap((trader) => Array.from({ length: CONCURRENCY }, () => trade(trader)))
  await Promise.race([reached.promise, running.child.exited])
  if (signal !== undefined) running.child.kill(signal)
  await Promise.all(loops)
  await running.exited()
  return answers
}

/** All accounts, the house's and the outside world's included: each asset sums to zero, deposits to the funding. */
async function auditSums(): Promise<void> {
  const admin = readAdminAddress(data)
  const sumByAsset = new Map<string, bigint>()
  const accounts = await askAdmin(admin, 'account/list', {})
  for (const { name, role } of accounts) {
    for (const { asset, free, locked, freeze, savings } of await askAdmin(admin, 'balance/list', {
      account: name,
    })) {
      const all = units(free) + units(locked) + units(freeze) + units(savings)
      if (role === 'outside') expect([asset, all]).toEqual([asset, -2n * (FUNDING[asset] ?? 0n)])
      else
        expect([name, asset, all >= 0n && units(free) >= 0n && units(locked) >= 0n]).toEqual([
          name,
          asset,
          true,
        ])
      sumByAsset.set(asset, (sumByAsset.get(asset) ?? 0n) + all)
    }
  }
  expect([...sumByAsset]).toEqual(Object.keys(FUNDING).map((asset) => [asset, 0n]))
}
