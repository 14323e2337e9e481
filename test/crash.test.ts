/**
 * kill -9 under load, then an audit from the outside: acknowledged orders exist, refused orders left no
 * trace, and every asset sums to zero. `CRASH_ROUNDS=1000` for a long run.
 */
import { afterAll, expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import { auditSums } from './support/audit-sums.ts'
import {
  BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  sandbox,
} from './support/bourse-process.ts'
import { randomNumbers } from './support/random-numbers.ts'
import { Trader } from './support/random-trader.ts'
import { tradeUntilEnd } from './support/trade-until-end.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 10)
const ROUND_TIMEOUT_MS = 300_000
/** The node is killed after about this number of answers. */
const ANSWERS_MIN = 50
const ANSWERS_SPREAD = 500
/** Number of blocks of 512 bytes (in a POSIX shell): room for a start and some hundred orders. */
const FILE_BLOCKS_MAX = 1_000

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
      const target = ANSWERS_MIN + Math.floor(random() * ANSWERS_SPREAD)
      answers += await tradeUntilEnd(node, { traders, target, end: signal('SIGKILL') })
      node = await sandbox(data, '--limits', 'off')
      const { baseUrl } = readSandbox(data)
      for (const trader of traders) await trader.audit(baseUrl)
      await auditSums(data)
    }
    const placed = traders.reduce((sum, trader) => sum + trader.placedCount, 0)
    const canceled = traders.reduce((sum, trader) => sum + trader.canceledCount, 0)
    const refused = traders.reduce((sum, trader) => sum + trader.refusedCount, 0)
    // Enough answers show that there was load.
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
      const trading = { traders: [trader], target: ANSWERS_MIN }
      await tradeUntilEnd(node, { ...trading, end: signal('SIGKILL') })
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
  'a stop under load answers accepted requests, exits with 0, and the restart has everything',
  async () => {
    const { path: data, remove: removeData } = dataDirectory()
    try {
      node = await sandbox(data, '--limits', 'off')
      const [account] = readSandbox(data).accounts
      const trader = new Trader(account as Credentials, randomNumbers(seed))
      const trading = { traders: [trader], target: ANSWERS_MIN }
      await tradeUntilEnd(node, { ...trading, end: signal('SIGTERM') })
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
  'a node whose storage fails says so and ends with an error, and the restart has all that was acknowledged',
  async () => {
    const { path: data, remove: removeData } = dataDirectory()
    try {
      // The system refuses to let any file grow beyond this: a disk that fails at some write under load.
      const limited = ['sh', '-c', `ulimit -f ${FILE_BLOCKS_MAX}; exec "$0" "$@"`]
      const options = ['--port', '0', '--data', data, '--limits', 'off']
      node = new BourseProcess(['sandbox', ...options], {}, limited)
      await node.ready
      const traders = readSandbox(data).accounts.map((each) => new Trader(each, randomNumbers(seed)))
      await tradeUntilEnd(node, { traders, target: Number.POSITIVE_INFINITY })
      expect(await node.exited()).toBe(1)
      expect(node.err).toContain('the node failed')
      node = await sandbox(data)
      for (const trader of traders) await trader.audit(readSandbox(data).baseUrl)
    } finally {
      await node?.end('SIGKILL')
      removeData()
    }
  },
  ROUND_TIMEOUT_MS,
)

/** Sends the signal to the running node. */
function signal(name: 'SIGKILL' | 'SIGTERM'): () => void {
  return () => node?.child.kill(name)
}
