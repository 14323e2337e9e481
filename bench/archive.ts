/**
 * What does it cost to move a year of trading to an archive? Writes a journal of the given number of orders,
 * half of which rest and half take, eight per commit, spread over a year; then moves its older part to a
 * file. Measures sizes, the time of each command before and after, and the time of each step in which a
 * running node removes a piece while its orders wait; and, scaled up, the same for a year of a million orders
 * a day. The digest is the end of the archive, and the state there.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ArchiveStep, archiveDirectory } from '../src/app/maintenance/backup/archive.ts'
import type { AuditHost } from '../src/app/maintenance/verification/host.ts'
import { verifyDirectory } from '../src/app/maintenance/verification/verify.ts'
import { verifyArchives } from '../src/app/maintenance/verification/verify-archive.ts'
import { JOURNAL_FILE } from '../src/app/node/storage/stored-exchange.ts'
import type { Command } from '../src/core/commands/command.ts'
import { writeFrame } from '../src/engine/port/frames.ts'
import { type Batch, EMPTY_TAIL, endOf, following, sealed, type Tail } from '../src/engine/port/journal.ts'
import { takeSnapshot } from '../src/engine/port/snapshots.ts'
import { EXCHANGE_FACTORY } from '../src/engine/port/state-machine.ts'
import { recover } from '../src/engine/writer/recovery/recovery.ts'
import { sha256 } from '../src/storage/sha256.ts'
import { SqliteJournal } from '../src/storage/sqlite/journal.ts'
import { openStorage } from '../src/storage/sqlite/storage.ts'
import { ByteWriter } from '../src/units/bytes.ts'
import type { TimeMs } from '../src/units/quantities.ts'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { machine, table } from './support/conditions.ts'
import { coreLoad, FIRST_COMMAND } from './support/core-load.ts'

const START_MS = Date.parse('2025-01-01T00:00:00Z')
const YEAR_MS = 365 * 86_400_000
const YEAR_ORDERS = 365_000_000
/** Number of batches in one write while the journal is created. */
const WRITE_BATCHES = 4_096
/** The share of the year that stays in the journal. */
const KEPT = 0.1

export const PROGRAM = {
  command: 'npm run bench -- archive',
  about: 'How large a year of trading is, how long it takes to archive it, and what the node gains.',
  options: {
    orders: { kind: 'whole', default: 2_000_000, help: 'orders of the year; half of them trade' },
    accounts: { kind: 'whole', default: 10_000, help: 'accounts that place them' },
    batch: { kind: 'whole', default: 8, help: 'orders to a commit' },
  },
} as const satisfies Program

/** Returns the end of the archive, and the state there. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values } = parseProgram(PROGRAM, args)
  const { orders, accounts, batch } = values
  console.log(machine())
  const share = Math.round(100 * (1 - KEPT))
  console.log(
    `${orders} orders of ${accounts} accounts, ${batch} to a commit; the oldest ${share} % are archived`,
  )
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  try {
    await makeYear(directory, { orders, accounts, batch })
    const before = await measured(directory)
    const steps: number[] = []
    let lastMs = 0
    const at = (step: ArchiveStep): void => {
      const nowMs = performance.now()
      if (step === 'TRIMMED') steps.push(nowMs - lastMs)
      lastMs = nowMs
    }
    const to = path.join(directory, 'archive')
    const cutMs = START_MS + YEAR_MS * (1 - KEPT)
    const { value, ms } = await timed(() => archiveDirectory({ directory, to, cutMs, host: HOST, at }))
    const after = await measured(directory)
    const alone = await timed(() => verifyArchives(to, true, HOST))
    const archiveBytes = value.archive?.bytes ?? 0
    console.log(tableOf({ orders, before, after, archiveBytes, archiveMs: ms, aloneMs: alone.ms }))
    steps.sort((a, b) => a - b)
    const quantile = (share: number): string =>
      (steps[Math.floor((steps.length - 1) * share)] ?? 0).toFixed(1)
    console.log(
      `${steps.length} pieces of at most 256 batches removed: median ${quantile(0.5)} ms, 99th percentile ${quantile(0.99)} ms, longest ${quantile(1)} ms`,
    )
    const digests = [`archived: ${hex(value.archive?.end.hash)}`, `state: ${after.stateHash}`]
    for (const digest of digests) console.log(digest)
    return digests
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

type Measured = {
  readonly journalBytes: number
  readonly startMs: number
  readonly verifyMs: number
  readonly stateHash: string
}

/** The size of the directory, and the durations of recovery at a start and of a complete audit. */
async function measured(directory: string): Promise<Measured> {
  const { ms: startMs } = await timed(() => recovered(directory, false))
  const { ms: verifyMs, value } = await timed(() => verifyDirectory(directory, HOST))
  const { findings, stateHash } = value.report
  if (findings.total > 0) throw new Error(findings.kept[0]?.message)
  const journalBytes = statSync(path.join(directory, JOURNAL_FILE)).size
  return { journalBytes, startMs, verifyMs, stateHash: hex(stateHash) }
}

/**
 * The duration of recovery at a start; if `saves` is true, a snapshot of the state is saved as well, as at a
 * stop.
 */
async function recovered(directory: string, saves: boolean): Promise<void> {
  const { journal, witness, snapshots } = openStorage({ directory })
  const parts = { journal, witness, snapshots, digest: sha256, machines: EXCHANGE_FACTORY }
  const { machine } = await recover({ ...parts, acceptJournalTail: false })
  if (saves) await snapshots.save(takeSnapshot(machine, journal.tail, sha256))
  witness.close()
  await journal.close()
}

type Year = { readonly orders: number; readonly accounts: number; readonly batch: number }

/** Writes the directory of a node that traded for a year: a journal, a witness, and a snapshot at the end. */
async function makeYear(directory: string, year: Year): Promise<void> {
  const { journal, witness } = openStorage({ directory })
  if (!(journal instanceof SqliteJournal)) throw new Error('expected the journal of a data directory')
  let end: Tail = EMPTY_TAIL
  let pending: Batch[] = []
  for (const batch of batchesOf(year)) {
    pending.push(batch)
    end = endOf(batch)
    if (pending.length < WRITE_BATCHES) continue
    await journal.appendAll(pending)
    await journal.maintain(true)
    pending = []
  }
  if (pending.length > 0) await journal.appendAll(pending)
  witness.reset(end)
  witness.close()
  await journal.close()
  await recovered(directory, true)
}

/** Orders at equal intervals over the year. */
function* batchesOf({ orders, accounts, batch: size }: Year): Generator<Batch> {
  const load = coreLoad({ accounts, orders, fraction: 8, isOneSize: false })
  const writer = new ByteWriter(1 << 16)
  let tail: Tail = EMPTY_TAIL
  const seal = (commands: readonly Command[], time: number): Batch => {
    writer.reset()
    for (const command of commands) writeFrame(writer, command)
    const data = writer.take()
    const head = { ...following(tail), kind: 'COMMANDS', count: commands.length } as const
    const batch = sealed(sha256, { ...head, time: time as TimeMs, data })
    tail = endOf(batch)
    return batch
  }
  const opening = [FIRST_COMMAND, ...load.opening]
  for (let i = 0; i < opening.length; i += size) yield seal(opening.slice(i, i + size), START_MS)
  for (let i = 0; i < orders; i += size)
    yield seal(load.orders.slice(i, i + size), START_MS + Math.floor((YEAR_MS * i) / orders))
}

type Figures = {
  readonly orders: number
  readonly before: Measured
  readonly after: Measured
  readonly archiveBytes: number
  readonly archiveMs: number
  readonly aloneMs: number
}

function tableOf({ orders, before, after, archiveBytes, archiveMs, aloneMs }: Figures): string {
  const scale = YEAR_ORDERS / orders
  const bytes = (what: string, value: number) => [what, megabytes(value), gigabytes(value * scale)]
  const time = (what: string, ms: number) => [what, seconds(ms), minutes(ms * scale)]
  const constant = (what: string, ms: number) => [what, seconds(ms), 'the same']
  return table([
    ['', `${orders} orders`, 'a million a day, a year'],
    bytes('journal before', before.journalBytes),
    bytes('archive', archiveBytes),
    bytes('journal after', after.journalBytes),
    time('bourse archive', archiveMs),
    constant('recovery of a start, before', before.startMs),
    constant('recovery of a start, after', after.startMs),
    time('bourse verify, before', before.verifyMs),
    time('bourse verify, after', after.verifyMs),
    time('bourse verify --archive', aloneMs),
  ])
}

async function timed<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly ms: number }> {
  const startedAt = performance.now()
  const value = await work()
  return { value, ms: performance.now() - startedAt }
}

const megabytes = (value: number): string => `${(value / 1e6).toFixed(1)} MB`
const gigabytes = (value: number): string => `${(value / 1e9).toFixed(2)} GB`
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`
const minutes = (ms: number): string => `${(ms / 60_000).toFixed(0)} min`

function hex(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? 'nothing' : Buffer.from(bytes).toString('hex').slice(0, 16)
}

const HOST: AuditHost = {
  print: () => {},
  printError: () => {},
  terminal: undefined,
  defaultData: undefined,
  version: { number: 'bench', commit: 'unknown', commitDate: 'unknown' },
  monotonicMs: () => performance.now(),
  nowMs: () => START_MS + YEAR_MS,
}
