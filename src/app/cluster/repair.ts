/**
 * `bourse cluster repair`: replaces batches that are missing or damaged in the database with those of another
 * copy of the journal.
 */

import { existsSync, statSync } from 'node:fs'
import { UsageError } from '../../cli/arguments.ts'
import { type Witnessed, WitnessedMarks } from '../../engine/audit/chain.ts'
import { Findings } from '../../engine/audit/findings.ts'
import { type RowRepair, repairedRows, type StoredRows } from '../../engine/audit/journal-repair.ts'
import type { JournalSource } from '../../engine/audit/source.ts'
import { EMPTY_TAIL, endOf, JournalFault, type Tail } from '../../engine/port/journal.ts'
import { sha256 } from '../../storage/sha256.ts'
import { printable } from '../../units/printable.ts'
import { marksIn } from '../maintenance/backup/backup.ts'
import { openStopped } from '../maintenance/verification/data.ts'
import { CannotRunError } from '../maintenance/verification/host.ts'
import { count, Progress } from '../maintenance/verification/progress.ts'
import { holdCluster, readCluster } from '../node/storage/held-cluster.ts'
import { openClusterJournal } from '../node/storage/moving-exchange.ts'
import {
  type ClusterCommand,
  type ClusterHost,
  type ClusterRequest,
  EXIT_DONE,
  EXIT_FINDING,
  textOf,
} from './command.ts'
import {
  type Ended,
  endRepair,
  orderOf,
  REPAIR_FORMS,
  REPAIR_OPTIONS,
  requireNoLeader,
  sentencesOf,
} from './repair-command.ts'
import { databaseOf, loadCluster } from './settings.ts'

const HELP = `bourse cluster repair: restore lost or damaged batches from another copy of the journal

Usage: bourse cluster repair --config FILE --from COPY [--data DIR] [--json]
       bourse cluster repair --config FILE --from COPY [--data DIR] --yes --reason TEXT --admin-user NAME
                             [--admin-password-file FILE] [--report FILE] [--json]

COPY is a cluster file with another database (a former primary, a standby, or a restored one), or a data directory or backup
from before the exchange was moved here. Reads both journals from the first batch and lists every batch that is missing or
damaged in the database and intact in the copy. With --yes these batches are taken from the copy in one commit, and a claim
after them begins a new epoch. Replaced rows are kept in the table bourse.given_up. All engines must be stopped, and none can
lead while this runs.

Refused, with nothing changed, while an engine leads or is connected, if the copy is damaged or belongs to another exchange, if
the two journals have forked and both have intact batches after the fork (claims without acknowledged commands are replaced), if
the damage is after the copy's end, or if DIR records commands that the repaired journal would not have.

Options:
  --from COPY                 the other copy
  --data DIR                  an engine's data directory: the repaired journal must have every command that it records
${REPAIR_OPTIONS}

Exit code: 0 repaired, or nothing to repair; 1 damage was found and not repaired, or the standbys have not confirmed the
repair; 2 the command could not be carried out.`

export const REPAIR: ClusterCommand = {
  name: 'repair',
  help: HELP,
  forms: { ...REPAIR_FORMS, from: 'value', data: 'value' },
  words: [],
  run,
}

/** Maximum number of repaired batches that are listed. */
const NAMED_MAX = 20

type Plan = {
  readonly tail: Tail
  readonly batches: number
  readonly stored: number
  readonly removed: number
  readonly epochMax: number
  /** The first problems found, at most `NAMED_MAX`. */
  readonly problems: readonly string[]
}

async function run(request: ClusterRequest, host: ClusterHost): Promise<number> {
  const { settings, options } = request
  const from = textOf(options, 'from')
  if (from === undefined) throw new UsageError('expected another copy of the journal: --from COPY')
  const order = orderOf(request, host, 'repair', 'REPAIRED')
  const directory = textOf(options, 'data')
  const marks = directory === undefined ? [] : await marksOf(directory)
  const source = await openCopy(from)
  const progress = new Progress({ ...host, defaultData: undefined }, 'comparing')
  try {
    const walk = { source, marks, progress }
    const plan = await readCluster(databaseOf(settings), async ({ rows, leader }) => {
      requireNoLeader(leader, settings.leadership.silenceMs)
      return compare({ ...walk, rows, change: async () => {} })
    })
    const isDone = order !== undefined && changes(plan) > 0
    let ended: Ended | undefined
    if (isDone) {
      const held = await holdCluster(order.administrator, databaseOf(settings))
      try {
        const change = (repair: RowRepair) => carryOut(repair, held, order.name)
        const done = await compare({ ...walk, rows: held.rows, change })
        const facts = { command: 'cluster repair', from, ...figuresOf(done), problems: done.problems }
        ended = await endRepair(held, host, {
          order,
          tail: done.tail,
          epochMax: done.epochMax,
          durability: settings.durability,
          facts,
        })
      } finally {
        await held.release()
      }
    }
    progress.end()
    const result = {
      ...figuresOf(plan),
      problems: plan.problems,
      done: isDone,
      doubt: ended?.doubt,
      report: isDone ? order.report : undefined,
    }
    const text = [
      textFor(plan, isDone),
      ...(ended === undefined || order === undefined ? [] : sentencesOf(ended, order)),
    ]
    host.print(options.has('json') ? JSON.stringify(result, undefined, 2) : text.join('\n'))
    return changes(plan) === 0 || (isDone && ended?.doubt === undefined) ? EXIT_DONE : EXIT_FINDING
  } finally {
    progress.end()
    await source.close()
  }
}

/** The last positions recorded in an engine's directory. Throws `CannotRunError` if there is no directory. */
export async function marksOf(directory: string): Promise<readonly Witnessed[]> {
  if (!existsSync(directory)) throw new CannotRunError(`there is no directory ${directory}`)
  return marksIn(directory)
}

/** Opens the journal of a cluster file's database, or of a directory. */
async function openCopy(from: string): Promise<JournalSource> {
  if (!existsSync(from))
    throw new CannotRunError(`--from ${from}: expected a cluster file or a directory, found nothing`)
  if (!statSync(from).isDirectory()) return openClusterJournal(databaseOf(loadCluster(from)))
  const journal = openStopped(from)
  if (journal === undefined)
    throw new CannotRunError(`a node runs on ${from}: it is not a copy of this journal`)
  return journal
}

type Compared = {
  readonly rows: StoredRows
  readonly source: JournalSource
  readonly marks: readonly Witnessed[]
  readonly progress: Progress
  readonly change: (repair: RowRepair) => Promise<void>
}

/** Compares both journals. Throws `DAMAGED` or `WITNESS` if the repaired journal would not be valid. */
async function compare({ rows, source, marks, progress, change }: Compared): Promise<Plan> {
  const findings = new Findings()
  const witnessed = new WitnessedMarks(marks, findings)
  const problems: string[] = []
  const sums = { batches: 0, stored: 0, removed: 0, epochMax: 0 }
  let tail = EMPTY_TAIL
  for await (const repair of repairedRows({ rows, source, digest: sha256 })) {
    sums.epochMax = Math.max(sums.epochMax, repair.batch.epoch)
    await change(repair)
    if (repair.kind === 'REMOVE') {
      sums.removed++
      continue
    }
    sums.batches++
    tail = endOf(repair.batch)
    witnessed.pass(tail)
    if (repair.kind === 'STORE' && ++sums.stored <= NAMED_MAX) problems.push(repair.problem)
    progress.at({ seq: tail.seq, endSeq: source.tail.seq })
  }
  witnessed.end(tail.seq)
  const [first] = findings.kept
  if (first !== undefined) {
    const way = 'use a copy that reaches further, or omit --data and then run bourse cluster accept-tail'
    throw new JournalFault(
      'WITNESS',
      `the repaired journal would lack commands recorded in the data directory: ${first.message}; ${way}`,
    )
  }
  return { tail, ...sums, problems }
}

async function carryOut(
  repair: RowRepair,
  held: Awaited<ReturnType<typeof holdCluster>>,
  by: string,
): Promise<void> {
  const { position } = repair.batch
  if (repair.kind === 'REMOVE' || (repair.kind === 'STORE' && repair.replaces))
    await held.giveUp(position, position, by)
  if (repair.kind === 'STORE') await held.store(repair.batch)
}

function changes({ stored, removed }: Plan): number {
  return stored + removed
}

function figuresOf({ tail, batches, stored, removed }: Plan) {
  return { position: tail.position, seq: tail.seq, batches, stored, removed }
}

function textFor({ tail, batches, stored, removed, problems }: Plan, isDone: boolean): string {
  const whole = `${count(batches)} batches up to position ${count(tail.position)}, command ${count(tail.seq)}`
  if (stored + removed === 0) return `Nothing to repair: ${whole}, all intact.`
  const more = stored > problems.length ? [`and ${count(stored - problems.length)} more`] : []
  const claims = removed === 0 ? [] : [`${count(removed)} claims without acknowledged commands are replaced`]
  const last = isDone
    ? `Repaired: ${count(stored)} of ${whole}, each checked. Verify the whole journal with bourse verify --config FILE. Then start the engines.`
    : `${count(stored)} of ${whole} can be taken from the copy. Nothing was changed: run it again with --yes to repair.`
  return [...problems.map(printable), ...more, ...claims, last].join('\n')
}
