/**
 * `bourse cluster accept-tail`: an operator accepts the current end of the journal, or the end of its intact
 * part, and gives up the rest.
 */

import { UsageError } from '../../cli/arguments.ts'
import { isoTime } from '../../contract/time.ts'
import { rowsAfter, type StoredRows, soundPart } from '../../engine/audit/journal-repair.ts'
import {
  type Batch,
  EMPTY_TAIL,
  endOf,
  JournalFault,
  type JournalPosition,
  type Tail,
} from '../../engine/port/journal.ts'
import { quarantinedBy } from '../../engine/writer/own-batches.ts'
import { lineOf } from '../../server/description/fields.ts'
import { sha256 } from '../../storage/sha256.ts'
import { printable } from '../../units/printable.ts'
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { CannotRunError } from '../maintenance/verification/host.ts'
import { count } from '../maintenance/verification/progress.ts'
import { hex } from '../maintenance/verification/verify.ts'
import { holdCluster, readCluster } from '../node/storage/held-cluster.ts'
import { StoredExchange } from '../node/storage/stored-exchange.ts'
import {
  type ClusterCommand,
  type ClusterHost,
  type ClusterRequest,
  EXIT_DONE,
  EXIT_FINDING,
  textOf,
} from './command.ts'
import { type LostRecord, namesAt, recordsInHistory, recordsOfRow } from './lost-records.ts'
import { marksOf } from './repair.ts'
import {
  type Ended,
  endRepair,
  orderOf,
  REPAIR_FORMS,
  REPAIR_OPTIONS,
  requireNoLeader,
  sentencesOf,
} from './repair-command.ts'
import { databaseOf } from './settings.ts'

const HELP = `bourse cluster accept-tail: accept that commands are lost, and continue from where the journal ends

Usage: bourse cluster accept-tail --config FILE [--data DIR] [--end POSITION] [--json]
       bourse cluster accept-tail --config FILE [--data DIR] --end POSITION --yes --reason TEXT --admin-user NAME
                                  [--admin-password-file FILE] [--report FILE] [--json]

For a journal that is damaged or lacks acknowledged commands, when no copy has more (see bourse cluster repair). Replays the
journal up to the last intact batch and reports what is lost: every command after it, and every order, trade and transfer
that the history in DIR has and the journal does not. With --yes and the end that was shown, everything after that end is
moved to the table bourse.given_up, and a claim at the end begins an epoch later than any that was lost. From then on,
engines, historians and gateways that have later commands are refused, with an error that states the reason. All engines
must be stopped.

Refused, with nothing changed, while an engine leads or is connected, if the end is not the one that was shown, or if the
journal is damaged before it.

Options:
  --data DIR                  an engine's data directory: report as lost what its witness and history have and the
                              journal does not
  --end POSITION              position at which to end the journal, even if more of it is intact; required with --yes
${REPAIR_OPTIONS}

Exit code: 0 accepted, or nothing is lost; 1 something would be lost, or the standbys have not confirmed the change; 2 the
command could not be carried out.`

export const ACCEPT_TAIL: ClusterCommand = {
  name: 'accept-tail',
  help: HELP,
  forms: { ...REPAIR_FORMS, data: 'value', end: 'value' },
  words: [],
  run,
}

/** Maximum number of records printed, and in the report. */
const PRINTED_MAX = 20
const RECORDS_MAX = 100_000

/** The part of the journal that would be given up. */
type Plan = {
  readonly end: Tail
  /** The reason why the journal ends there; undefined if there are no more rows. */
  readonly problem: string | undefined
  /** Number of rows after the end. */
  readonly rows: number
  readonly epochMax: number
  /** The last position recorded in DIR, if the journal lacks it; otherwise undefined. */
  readonly remembered: JournalPosition | undefined
  readonly records: readonly LostRecord[]
  /** The number of lost records that are not listed. */
  readonly unlisted: number
  /** The last command in DIR's history; undefined if there is none. */
  readonly historySeq: number | undefined
}

async function run(request: ClusterRequest, host: ClusterHost): Promise<number> {
  const { settings, options } = request
  const endAt = positionOf(textOf(options, 'end'))
  const order = orderOf(request, host, 'accept-tail', 'TAIL_ACCEPTED')
  if (order !== undefined && endAt === undefined)
    throw new UsageError('expected the end shown by the run without --yes: --end POSITION')
  const directory = textOf(options, 'data')
  const known = directory === undefined ? undefined : await rememberedIn(directory)
  const look = { endAt, directory, known }
  const plan = await readCluster(databaseOf(settings), async ({ rows, leader }) => {
    requireNoLeader(leader, settings.leadership.silenceMs)
    return planOf(rows, look)
  })
  const isNothing = plan.rows === 0 && plan.remembered === undefined
  let ended: Ended | undefined
  if (order !== undefined && !isNothing) {
    const held = await holdCluster(order.administrator, databaseOf(settings))
    try {
      const now = await planOf(held.rows, look)
      requireSame(now.end, plan.end)
      if (now.rows > 0) await held.giveUp(now.end.position + 1, held.rows.last, order.name)
      const facts = {
        command: 'cluster accept-tail',
        ...figuresOf(now),
        problem: now.problem,
        lost: now.records,
      }
      ended = await endRepair(held, host, {
        order,
        tail: now.end,
        epochMax: now.epochMax,
        durability: settings.durability,
        facts,
      })
    } finally {
      await held.release()
    }
  }
  const done = ended !== undefined
  const result = {
    ...figuresOf(plan),
    problem: plan.problem,
    lost: plan.records.slice(0, PRINTED_MAX),
    done,
    doubt: ended?.doubt,
    report: done ? order?.report : undefined,
  }
  const more = ended === undefined || order === undefined ? [] : [...sentencesOf(ended, order), ...NEXT]
  host.print(
    options.has('json')
      ? JSON.stringify(result, undefined, 2)
      : [...linesOf(plan, isNothing, done), ...more].join('\n'),
  )
  return isNothing || (ended !== undefined && ended.doubt === undefined) ? EXIT_DONE : EXIT_FINDING
}

const NEXT = [
  'Next: inform the customers concerned. Move away the data directory of every engine and historian that has later commands. Then',
  'start the engines, the historians and the gateways; a gateway that kept running must be restarted.',
]

function positionOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  throw new UsageError(`--end: expected a journal position, 1 or more, found ${JSON.stringify(text)}`)
}

/** The last positions recorded in an engine's directory: its witness, and its snapshots. */
type Known = {
  readonly mark: JournalPosition | undefined
  readonly snapshots: Awaited<ReturnType<typeof marksOf>>
}

async function rememberedIn(directory: string): Promise<Known> {
  const snapshots = await marksOf(directory)
  const recorded = new StoredExchange(directory).recall()
  if (recorded.kind === 'UNREADABLE')
    throw new CannotRunError(`the witness in ${directory} cannot be read: ${recorded.damage}`)
  return { mark: recorded.kind === 'MARK' ? recorded.mark : undefined, snapshots }
}

type Look = {
  readonly endAt: number | undefined
  readonly directory: string | undefined
  readonly known: Known | undefined
}

async function planOf(rows: StoredRows, { endAt, directory, known }: Look): Promise<Plan> {
  const quarantined = new Set<Seq>()
  const agreed = new Agreement(known)
  const { end, problem } = await soundPart({
    ...{ rows, endAt, digest: sha256 },
    take: (batch) => {
      if (batch.kind === 'QUARANTINE') quarantined.add(quarantinedBy(batch).seq)
      agreed.pass(batch)
    },
  })
  if (endAt !== undefined && end.position !== endAt) {
    const found = `the journal is intact up to position ${end.position}${problem === undefined ? ', where it ends' : `: ${problem}`}`
    throw new JournalFault('DAMAGED', `--end ${endAt}: ${found}`)
  }
  const names = await namesAt(rows, end, quarantined)
  const records: LostRecord[] = []
  let given = 0
  let epochMax = Math.max(end.epoch, known?.mark?.epoch ?? 0)
  let unlisted = 0
  const list = (more: readonly LostRecord[]): void => {
    const room = RECORDS_MAX - records.length
    records.push(...more.slice(0, room))
    unlisted += Math.max(0, more.length - room)
  }
  for await (const row of rowsAfter(rows, end.position)) {
    given++
    epochMax = Math.max(epochMax, row.batch?.epoch ?? 0)
    list(recordsOfRow(row, names))
  }
  const remembered = agreed.lacking
  const history =
    directory === undefined || remembered === undefined
      ? undefined
      : recordsInHistory(directory, agreed.seq, names)
  // In addition to the rows: not all of them can be read, and trades have no rows of their own.
  list(history?.records ?? [])
  return { end, problem, rows: given, epochMax, remembered, records, unlisted, historySeq: history?.upTo }
}

/** The common part of the journal and an engine's directory. */
class Agreement {
  readonly #known: Known | undefined
  #hasMark = false
  #lastCommands: Tail = EMPTY_TAIL
  #agreed = 0 as Seq
  #isContradicted = false

  constructor(known: Known | undefined) {
    this.#known = known
  }

  /** Called at the end of each intact batch. */
  pass(batch: Batch): void {
    const end = endOf(batch)
    // Later claims do not count: if the journal has forked, they belong to the other fork.
    if (batch.kind === 'COMMANDS') this.#lastCommands = end
    const mark = this.#known?.mark
    if (mark?.position === end.position) {
      this.#hasMark = sameBytes(mark.hash, end.hash)
      this.#isContradicted = !this.#hasMark
    }
    for (const { seq, hash } of this.#known?.snapshots ?? [])
      if (seq === end.seq && sameBytes(hash, end.hash)) this.#agreed = seq
  }

  /** The last position recorded in the directory, if the journal lacks it; otherwise undefined. */
  get lacking(): JournalPosition | undefined {
    const mark = this.#known?.mark
    return mark === undefined || mark.position === 0 || this.#hasMark ? undefined : mark
  }

  /** The last command on which the journal and the known positions certainly agree. */
  get seq(): Seq {
    return this.#isContradicted ? this.#agreed : this.#lastCommands.seq
  }
}

function requireSame(now: Tail, shown: Tail): void {
  if (now.position === shown.position && sameBytes(now.hash, shown.hash)) return
  const found = `the journal now ends at position ${now.position}; a moment ago it ended at ${shown.position}`
  throw new JournalFault('IN_USE', `${found}: nothing was changed; run it again without --yes`)
}

function figuresOf({ end, rows, remembered, unlisted, records, historySeq }: Plan) {
  return {
    position: end.position,
    epoch: end.epoch,
    seq: end.seq,
    time: isoTime(end.time),
    journalHash: hex(end.hash),
    rowsGivenUp: rows,
    rememberedPosition: remembered?.position ?? null,
    rememberedSeq: remembered?.seq ?? null,
    historySeq: historySeq ?? null,
    records: records.length + unlisted,
  }
}

function linesOf(plan: Plan, isNothing: boolean, isDone: boolean): readonly string[] {
  const { end, problem, rows, remembered, records, unlisted, historySeq } = plan
  const where = `position ${count(end.position)}, command ${count(end.seq)}, ${isoTime(end.time)}`
  if (isNothing) return [`Nothing is lost: the journal is intact up to its end at ${where}.`]
  const lines = [`The journal ${isDone ? 'ends' : 'would end'} at ${where}.`]
  if (problem !== undefined) lines.push(printable(problem))
  if (rows > 0) lines.push(`${count(rows)} rows after it ${isDone ? 'were' : 'would be'} given up.`)
  if (remembered !== undefined) {
    const { position, epoch, seq } = remembered
    lines.push(
      `The witness in the directory records position ${count(position)} of epoch ${epoch}, command ${count(seq)}, which the journal does not have.`,
    )
    if (historySeq !== undefined && historySeq < seq)
      lines.push(
        `The directory's history ends at command ${count(historySeq)}: losses after that command cannot be listed.`,
      )
  }
  lines.push(`Lost (${count(records.length + unlisted)} in all):`)
  lines.push(
    ...records
      .slice(0, PRINTED_MAX)
      .map(({ seq, time, kind, ...fields }) => `  ${seq}  ${time}  ${kind}  ${lineOf(fields)}`),
  )
  const untold = records.length + unlisted - PRINTED_MAX
  if (untold > 0) lines.push(`  and ${count(untold)} more${isDone ? ', in the report' : ''}`)
  if (!isDone)
    lines.push(
      `Nothing was changed. To accept it: --end ${end.position} --yes --reason TEXT --admin-user NAME`,
    )
  return lines
}
