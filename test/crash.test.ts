/**
 * kill -9 under load, then an audit from the outside: what was acknowledged is there, what was refused left no
 * trace, and every asset sums up. `CRASH_ROUNDS=1000` for a long run.
 */
import { afterAll, expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import { askAdmin, readAdminAddress } from '../src/cli/admin-client.ts'
import {
  type BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  sandbox,
} from './support/bourse-process.ts'
import { units } from './support/exact.ts'
import { Trader } from './support/random-trader.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 10)
const ROUND_TIMEOUT_MS = 30_000
/** Requests under way at a time for each account. */
const CONCURRENCY = 16
/** The node is killed after this many answers, more or less. */
const ANSWERS_MIN = 50
const ANSWERS_SPREAD = 500

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

/** mulberry32: the same numbers for the same seed. */
function randomNumbers(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

test(
  `after each of ${ROUNDS} kills every acknowledged order and cancel is there, and the books balance (seed ${seed})`,
  async () => {
    const random = randomNumbers(seed)
    node = await sandbox(data, '--limits', 'off')
    const traders = readSandbox(data).accounts.map((account) => new Trader(account, random))
    let answers = 0
    for (let round = 0; round < ROUNDS; round++) {
      answers += await killUnderLoad(node, data, traders, ANSWERS_MIN + Math.floor(random() * ANSWERS_SPREAD))
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
      await killUnderLoad(node, live, [trader], ANSWERS_MIN)
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

/** Trades until `target` answers have come, then kills the process with requests under way. */
async function killUnderLoad(
  running: BourseProcess,
  data: string,
  traders: readonly Trader[],
  target: number,
): Promise<number> {
  const { baseUrl } = readSandbox(data)
  let answers = 0
  let isKilled = false
  const trade = async (trader: Trader): Promise<void> => {
    while (!isKilled) {
      await trader.act(baseUrl)
      if (++answers >= target) isKilled = true
    }
  }
  const loops = traders.flatMap((trader) => Array.from({ length: CONCURRENCY }, () => trade(trader)))
  await Promise.any(loops)
  await running.end('SIGKILL')
  await Promise.all(loops)
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
