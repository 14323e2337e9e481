/**
 * One run of the real node in which one system call fails, under load; then an outside audit of a start
 * without faults on the remaining data.
 */
import { cpSync, mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { audit } from '../../../src/app/maintenance/verification/directory.fixture.ts'
import { auditSums } from '../../support/audit-sums.ts'
import { dataDirectory, readSandbox, sandbox } from '../../support/bourse-process.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { Trader } from '../../support/random-trader.ts'
import { tradeUntilEnd } from '../../support/trade-until-end.ts'
import { until, WAIT_MS_MAX } from '../../support/until.ts'
import { type Fault, type FaultPoint, pointsOf } from './fault-point.ts'
import { TracedNode } from './traced-node.ts'

/** Default number of answers in a trial. */
const ANSWERS = 100
/** Number of answers while an image is made: before the stop that saves a snapshot, and before the kill. */
const IMAGE_ANSWERS = 150
/** A start that has reported full storage retries every half second: after this time it will not succeed. */
const ROOM_WAIT_MS = 2_000

/** The input of a start: data left by a kill, and the traders that know what must be in it. */
export type Image = { readonly data: string; readonly traders: readonly Trader[] }

export type Trial = {
  /** Initial data; undefined for the first start. */
  readonly image: Image | undefined
  readonly fault: Fault | undefined
  readonly seed: number
  /** Number of answers after which a node that is still running is stopped; `ANSWERS` if undefined. */
  readonly answers?: number
}

export type Outcome = {
  readonly injectedCount: number
  /** The node became ready in spite of the fault. */
  readonly wasReady: boolean
  readonly exitCode: number
  /** The node's error output. */
  readonly reported: string
  readonly answers: number
  /** Every call on a file of the data directory, in a run without a fault. */
  readonly points: readonly FaultPoint[]
}

/**
 * Starts the node with the fault, trades, stops it if it is still running, then starts it without the fault
 * and audits. Throws the findings of the audit.
 */
export async function tryFault({ image, fault, seed, answers: target = ANSWERS }: Trial): Promise<Outcome> {
  const { path: place, remove } = dataDirectory()
  mkdirSync(place)
  // strace compares with the paths that the system reports.
  const data = path.join(realpathSync(place), 'data')
  if (image !== undefined) cpSync(image.data, data, { recursive: true })
  const node = new TracedNode(data, path.join(place, 'trace'), fault)
  let hasHung = false
  const watchdog = setTimeout(() => {
    hasHung = true
    node.signal('SIGKILL')
  }, WAIT_MS_MAX)
  try {
    const wasReady = await gotReady(node)
    const random = randomNumbers(seed)
    const remembered = image?.traders.map((trader) => trader.fork(random))
    const traders = remembered ?? (wasReady ? tradersOf(data, random) : [])
    const end = () => node.signal('SIGTERM')
    const trading = { traders, target, end }
    const answers = wasReady ? await tradeUntilEnd(node.process, trading) : 0
    const exitCode = await node.process.exited()
    if (hasHung) throw new Error(`had not ended after ${WAIT_MS_MAX} ms: ${node.process.err}`)
    await auditLeftovers(data, traders)
    const points = fault === undefined ? pointsOf(node.trace, data) : []
    const { injectedCount, process } = node
    return { injectedCount, wasReady, exitCode, reported: process.err, answers, points }
  } finally {
    clearTimeout(watchdog)
    node.signal('SIGKILL')
    await node.process.exited()
    remove()
  }
}

/** Whether the node became ready; a node that waits for space instead is stopped. */
async function gotReady(node: TracedNode): Promise<boolean> {
  let isReady: boolean | undefined
  let fullSinceMs = Number.POSITIVE_INFINITY
  node.process.ready.then(
    () => (isReady = true),
    () => (isReady = false),
  )
  const waitsForRoom = (): boolean => {
    if (node.process.err.includes('storage is full')) fullSinceMs = Math.min(fullSinceMs, performance.now())
    return performance.now() - fullSinceMs > ROOM_WAIT_MS
  }
  await until('it is ready, has ended or waits', () => isReady !== undefined || waitsForRoom())
  if (isReady === undefined) node.signal('SIGTERM')
  return isReady ?? false
}

/** Data at `data` of a node that was stopped in good order. */
export async function makeStoppedImage(data: string, seed: number): Promise<Image> {
  const node = await sandbox(data, '--limits', 'off')
  const traders = tradersOf(data, randomNumbers(seed))
  const end = () => node.child.kill('SIGTERM')
  await tradeUntilEnd(node, { traders, target: IMAGE_ANSWERS, end })
  return { data, traders }
}

/** Data at `data` with a snapshot, and a journal and a history left by a kill under load. */
export async function makeImage(data: string, seed: number): Promise<Image> {
  const first = await sandbox(data, '--limits', 'off')
  const traders = tradersOf(data, randomNumbers(seed))
  for (const [node, signal] of [
    [first, 'SIGTERM'],
    [undefined, 'SIGKILL'],
  ] as const) {
    const running = node ?? (await sandbox(data, '--limits', 'off'))
    const end = () => running.child.kill(signal)
    await tradeUntilEnd(running, { traders, target: IMAGE_ANSWERS, end })
  }
  return { data, traders }
}

function tradersOf(data: string, random: () => number): Trader[] {
  return readSandbox(data).accounts.map((account) => new Trader(account, random))
}

/**
 * Whatever the fault did, the next start succeeds and has everything that was acknowledged, and its books add
 * up.
 */
async function auditLeftovers(data: string, traders: readonly Trader[]): Promise<void> {
  const again = await sandbox(data)
  try {
    for (const trader of traders) await trader.audit(readSandbox(data).baseUrl)
    await auditSums(data)
  } finally {
    await again.end('SIGTERM')
  }
  const { code, out, err } = await audit('verify', '--data', data)
  if (code !== 0) throw new Error(`bourse verify: ${out}${err}`)
}
