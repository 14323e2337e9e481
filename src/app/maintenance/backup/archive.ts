/**
 * `bourse archive`: moves the older part of a journal to a file, which all readers of the journal still read.
 */

import { statSync } from 'node:fs'
import path from 'node:path'
import { type Arguments, UsageError } from '../../../cli/arguments.ts'
import { facts } from '../../../cli/table.ts'
import { isoTime } from '../../../contract/time.ts'
import type { RecordedArchive } from '../../../engine/archive/archived.ts'
import { NothingToArchiveError, writeArchive } from '../../../engine/archive/write-archive.ts'
import { JournalFault } from '../../../engine/port/journal.ts'
import { EXCHANGE_FACTORY } from '../../../engine/port/state-machine.ts'
import { requireFloor } from '../../../engine/writer/recovery/rules-floor.ts'
import { ArchiveFile } from '../../../storage/files/archive-file.ts'
import { ArchiveWriter, removeAbandoned, temporaryIn } from '../../../storage/files/archive-writer.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { TRIM_BATCHES_MAX } from '../../../units/operator-enums.ts'
import type { Seq } from '../../../units/quantities.ts'
import {
  type ArchivableSource,
  archivedState,
  archiveName,
  defaultArchive,
  leftOver,
  openArchivable,
  recordedPath,
  recordOf,
} from '../../node/storage/archived-exchange.ts'
import { JOURNAL_FILE, StoredExchange } from '../../node/storage/stored-exchange.ts'
import { dataOf } from '../verification/data.ts'
import { type AuditCommand, type AuditHost, EXIT_SOUND } from '../verification/host.ts'
import { count, Progress } from '../verification/progress.ts'
import { momentOf } from './moment.ts'
import { NodeArchiving } from './node-archiving.ts'

const HELP = `bourse archive: move the older part of a journal to a file

Usage: bourse archive --data DIR [--before TIME | --keep-days N] [--at-least-days N] [--to DIR2]
                     [--json]

Writes the oldest commands of the journal, up to a time and at most up to the newest snapshot, to a new compressed file in
DIR2, together with the state at their end. Everything is checked with the hash chain and replayed from the verified end of
the previous archive up to that snapshot, whose state must match. The file is synced to disk and read back, and the journal
records it. Then the commands are removed from the journal in small pieces, each compared with the file, and their disk
space is freed.

Nothing is lost at any time: every command is in the journal, in the file, or in both. If a run is interrupted, the next
one continues it. verify, replay, journal, report, liabilities, backup, rebuild, cluster import and standbys read the file
as part of the journal: keep it as safe as the journal, and in the same place. A node starts without its archives.

Works on a stopped node, which cannot start while this runs, and on a running node, which hands over its journal and removes
archived commands in small pieces. The journal file shrinks only if the node is stopped; on a running node the freed space
is used for new commands.

Options:
  --data DIR      data directory [DATA_DIR]
  --before TIME   archive commands before this time: a day or a time in UTC, such as 2026-01-31
  --keep-days N   instead of --before: keep the commands of the last N days, 0 to 36500; default 90
  --at-least-days N
                  archive only if at least N days can be archived, 0 to 36500, so that a nightly job does not create
                  a file for every day
  --to DIR2       directory of the file, created if it does not exist; default DIR/archive
  --json          print the result as JSON
  --help          show this help

Exit code: 0 done, or nothing was old enough, 1 the journal, a snapshot or an archive is damaged (nothing was removed), 2 the
command could not be carried out.`

const KEEP_DAYS_DEFAULT = 90
export const ARCHIVE_DAYS_MAX = 36_500
const DAY_MS = 86_400_000
/** The pause after each piece removed by a running node, as a multiple of the time that the piece took. */
const PAUSES_PER_STEP = 9

export const ARCHIVE: AuditCommand = {
  name: 'archive',
  help: HELP,
  forms: {
    data: 'value',
    before: 'value',
    'keep-days': 'value',
    'at-least-days': 'value',
    to: 'value',
    json: 'flag',
  },
  run: async (given, host) => {
    const directory = dataOf(given, host)
    const { to } = Object.fromEntries(given.options)
    const place = typeof to === 'string' ? path.resolve(to) : defaultArchive(directory)
    const cutMs = cutOf(given.options, host)
    const minMs = daysOf('--at-least-days', given.options.get('at-least-days'), 0) * DAY_MS
    const result = await archiveDirectory({ directory, to: place, cutMs, minMs, host })
    host.print(given.options.has('json') ? JSON.stringify(jsonOf(result), undefined, 2) : textOf(result))
    return EXIT_SOUND
  },
}

/** Commands from this time on stay in the journal. Throws `UsageError`. */
function cutOf(options: Arguments['options'], { nowMs }: AuditHost): number {
  const keep = options.get('keep-days')
  const before = momentOf('--before', options.get('before'))
  if (before !== undefined && keep !== undefined)
    throw new UsageError('expected only one of --before and --keep-days')
  if (before?.kind === 'seq') throw new UsageError('--before needs a time such as 2026-01-31, found a number')
  if (before !== undefined) return before.timeMs
  return nowMs() - daysOf('--keep-days', keep, KEEP_DAYS_DEFAULT) * DAY_MS
}

function daysOf(option: string, text: string | true | undefined, byDefault: number): number {
  if (text === undefined) return byDefault
  if (typeof text === 'string' && /^\d{1,5}$/.test(text) && Number(text) <= ARCHIVE_DAYS_MAX)
    return Number(text)
  throw new UsageError(`${option} needs a number from 0 to ${ARCHIVE_DAYS_MAX}, found ${String(text)}`)
}

/** Steps between which a run can be interrupted, in order. */
export type ArchiveStep = 'WRITTEN' | 'RECORDED' | 'TRIMMED' | 'COMPACTED'

export type ArchiveOptions = {
  readonly directory: string
  /** The destination of the file. */
  readonly to: string
  /** Batches of this time (milliseconds since 1970) and later stay. */
  readonly cutMs: number
  /**
   * Nothing is archived until the first archivable command is at least this number of milliseconds before
   * `cutMs`; default 0.
   */
  readonly minMs?: number
  readonly host: AuditHost
  /** Number of batches that are removed with one commit; default 256. */
  readonly trimBatches?: number
  /** Called for each completed step. */
  readonly at?: (step: ArchiveStep) => void
}

export type ArchiveResult = {
  /** Undefined if nothing was archived; `reason` states why. */
  readonly archive: RecordedArchive | undefined
  readonly reason: string | undefined
  readonly path: string | undefined
  /** Number of batches that were removed from the journal, including those left by an earlier run. */
  readonly removed: number
  /** Size of the journal's file, before and after. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/**
 * Archives the batches of `directory` from before a time. Rejects with `JournalFault`, or with the error that
 * prevents it.
 */
export async function archiveDirectory(options: ArchiveOptions): Promise<ArchiveResult> {
  const { directory, at } = options
  const journal = await open(directory)
  try {
    const file = path.join(directory, JOURNAL_FILE)
    const bytesBefore = statSync(file).size
    // Batches that an earlier run has recorded but not removed.
    let removed = await trim(journal, options)
    const found = await nextArchive(journal, options)
    if (typeof found !== 'string') {
      await journal.record(found)
      at?.('RECORDED')
      removed += await trim(journal, options)
    }
    if (removed > 0 && journal.compact !== undefined) {
      await journal.compact()
      at?.('COMPACTED')
    }
    const archive = typeof found === 'string' ? undefined : found
    return {
      archive,
      reason: typeof found === 'string' ? found : undefined,
      path: archive && recordedPath(directory, archive),
      removed,
      bytesBefore,
      bytesAfter: statSync(file).size,
    }
  } finally {
    await journal.close()
  }
}

/** The journal, held so that no node starts in the meantime; or that of the running node, which continues. */
async function open(directory: string): Promise<ArchivableSource> {
  try {
    return openArchivable(directory)
  } catch (cause) {
    if (!(cause instanceof JournalFault && cause.kind === 'IN_USE')) throw cause
    return NodeArchiving.open(directory)
  }
}

async function trim(journal: ArchivableSource, options: ArchiveOptions): Promise<number> {
  const { trimBatches = TRIM_BATCHES_MAX, at, host } = options
  let removed = 0
  for (;;) {
    const startMs = host.monotonicMs()
    const step = await journal.trim(trimBatches)
    removed += step.removed
    if (step.removed > 0) at?.('TRIMMED')
    if (step.left === 0) return removed
    // If a node uses the journal, most of the time is left for its orders.
    if (journal.compact === undefined) await Bun.sleep(PAUSES_PER_STEP * (host.monotonicMs() - startMs))
  }
}

/**
 * A file that can be recorded: one that an earlier run has completed, or a new one. If there is nothing to
 * archive: the reason, as a sentence.
 */
async function nextArchive(
  journal: ArchivableSource,
  options: ArchiveOptions,
): Promise<RecordedArchive | string> {
  const { directory, to, cutMs, minMs = 0, host, at } = options
  await requireFloor(journal, sha256, EXCHANGE_FACTORY)
  removeAbandoned(to)
  const before = archivedState(directory, await journal.archives())
  const firstHash = before?.firstHash ?? (await journal.read(0 as Seq, 1))[0]?.hash
  const [oldest] = await journal.read(before?.end.seq ?? (0 as Seq), 1)
  if (firstHash === undefined || oldest === undefined) return 'the journal is empty'
  if (oldest.time + minMs > cutMs)
    return `nothing is old enough: the oldest command not yet archived is from ${isoTime(oldest.time)}`
  const complete = leftOver(directory, to, before, firstHash)
  if (complete !== undefined) return complete
  const progress = new Progress(host, 'archiving')
  const writer = new ArchiveWriter(temporaryIn(to))
  try {
    const contents = await writeArchive({
      source: journal,
      snapshots: new StoredExchange(directory).snapshots(),
      before,
      cutMs,
      target: writer,
      factory: EXCHANGE_FACTORY,
      digest: sha256,
      onProgress: progress.at,
    })
    const { begin, end } = contents
    const name = archiveName({ after: { position: begin.position, seq: begin.seq }, end, firstHash })
    const file = path.join(to, name)
    writer.finish(contents, file)
    at?.('WRITTEN')
    return recordAt(directory, file)
  } catch (cause) {
    writer.abandon()
    if (cause instanceof NothingToArchiveError) return cause.message
    throw cause
  } finally {
    progress.end()
  }
}

function recordAt(directory: string, file: string): RecordedArchive {
  const open = ArchiveFile.open(file)
  try {
    return recordOf(directory, open)
  } finally {
    open.close()
  }
}

function jsonOf({ archive, reason, path: file, removed, bytesBefore, bytesAfter }: ArchiveResult) {
  const archived =
    archive === undefined
      ? { archived: false, reason }
      : {
          archived: true,
          file,
          fromSeq: archive.after.seq + 1,
          toSeq: archive.end.seq,
          toTime: isoTime(archive.end.time),
          batches: archive.end.position - archive.after.position,
          bytes: archive.bytes,
          journalHash: Buffer.from(archive.end.hash).toString('hex'),
        }
  return {
    ...archived,
    removedBatches: removed,
    journalBytesBefore: bytesBefore,
    journalBytesAfter: bytesAfter,
  }
}

function textOf({ archive, reason, path: file, removed, bytesBefore, bytesAfter }: ArchiveResult): string {
  const journal = ['journal', `${count(bytesBefore)} bytes before, ${count(bytesAfter)} now`] as const
  if (archive === undefined)
    return facts([
      ['archived', `nothing: ${reason}`],
      ...(removed === 0
        ? []
        : [['removed', `${count(removed)} batches archived by an earlier run`] as const, journal]),
    ])
  const { after, end, bytes } = archive
  return facts([
    ['archive', file ?? archive.file],
    ['commands', `${count(after.seq + 1)} to ${count(end.seq)}, up to ${isoTime(end.time)}`],
    ['batches', count(end.position - after.position)],
    ['size', `${count(bytes)} bytes`],
    ['verified', 'replayed up to a snapshot, read back, same state'],
    journal,
  ])
}
