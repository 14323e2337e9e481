/**
 * How fast does an exchange recover? First the core alone: commands per second when journaled batches are
 * read and applied. Then the real node on a data directory with many accounts and resting orders: the time
 * from its start to the first answered request, from the journal alone and from a snapshot. The digest is the
 * hash of the replayed state.
 */
import { rmSync } from 'node:fs'
import { NO_EVENTS } from '../src/core/events/event.ts'
import { Exchange } from '../src/core/exchange/exchange.ts'
import { replayBatch } from '../src/engine/writer/recovery/replay.ts'
import { median } from '../test/support/median.ts'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { digestOf } from './core.ts'
import { cpuNanoseconds, machine, short, table } from './support/conditions.ts'
import { makeDirectory, type RestingLoad, restingBatches } from './support/resting-load.ts'
import { timeToAnswer } from './support/time-to-answer.ts'

const NONE: ReadonlySet<never> = new Set<never>()
const NOT_MEASURED = { journalMs: Number.NaN, snapshotMs: Number.NaN }

export const PROGRAM = {
  command: 'npm run bench -- recovery',
  about: 'How long a start takes, from the journal alone and from a snapshot, by the size of the state.',
  options: {
    accounts: { kind: 'whole', default: 1_000_000, help: 'accounts of the largest state' },
    orders: { kind: 'whole', default: 1_000_000, help: 'orders of the largest state' },
    rounds: { kind: 'whole', default: 3, help: 'rounds of the replay in the core, after one to warm up' },
    'core-only': { kind: 'flag', help: 'starts no node' },
  },
} as const satisfies Program

/** Returns the states reached. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values } = parseProgram(PROGRAM, args)
  const largest = { accounts: values.accounts, orders: values.orders }
  console.log(machine())
  console.log(
    `core: medians of ${values.rounds} rounds, per second of CPU time; node: one start each, wall clock`,
  )
  const rows = [
    ['accounts', 'orders', 'replayed/s', 'snapshot read', 'MB', 'start, journal', 'start, snapshot'],
  ]
  const digests: string[] = []
  for (const share of [100, 10, 1]) {
    const load = {
      accounts: Math.ceil(largest.accounts / share),
      orders: Math.ceil(largest.orders / share),
    }
    const core = replay(load, Number(values.rounds))
    digests.push(`${load.accounts} accounts, ${load.orders} orders: state ${core.digest}`)
    const { journalMs, snapshotMs } = values['core-only'] ? NOT_MEASURED : await startNode(load)
    rows.push([
      String(load.accounts),
      String(load.orders),
      short(core.perSecond),
      seconds(core.decodeMs),
      (core.snapshotBytes / 1e6).toFixed(1),
      seconds(journalMs),
      seconds(snapshotMs),
    ])
  }
  console.log(table(rows))
  for (const digest of digests) console.log(digest)
  return digests
}

function replay(load: RestingLoad, rounds: number) {
  const batches = [...restingBatches(load)]
  const commands = batches.reduce((sum, { count }) => sum + count, 0)
  const times: number[] = []
  let exchange = new Exchange()
  for (let round = 0; round <= rounds; round++) {
    exchange = new Exchange()
    Bun.gc(true)
    const startedAt = cpuNanoseconds()
    for (const batch of batches) replayBatch(exchange, batch, NONE, NO_EVENTS)
    if (round > 0) times.push((cpuNanoseconds() - startedAt) / commands)
  }
  const bytes = exchange.encodeSnapshot()
  const startedAt = cpuNanoseconds()
  Exchange.decodeSnapshot(bytes)
  const decodeMs = (cpuNanoseconds() - startedAt) / 1e6
  return { perSecond: 1e9 / median(times), decodeMs, snapshotBytes: bytes.length, digest: digestOf(exchange) }
}

/**
 * Starts the node twice on one directory: without a snapshot, and then with the snapshot that the first stop
 * saved.
 */
async function startNode(load: RestingLoad): Promise<{ journalMs: number; snapshotMs: number }> {
  const directory = await makeDirectory(load)
  try {
    return { journalMs: await timeToAnswer(directory), snapshotMs: await timeToAnswer(directory) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
