/**
 * `bourse archive`: the older part of a journal moves to a file that everything which reads the journal still reads.
 */

import { statSync } from 'node:fs'
import path from 'node:path'
import { type Arguments, UsageError } from '../../../cli/arguments.ts'
import { facts } from '../../../cli/table.ts'
import type { RecordedArchive } from '../../../engine/archive/archived.ts'
import { NothingToArchiveError, writeArchive } from '../../../engine/archive/write-archive.ts'
import { JournalFault } from '../../../engine/port/journal.ts'
import { EXCHANGE_FACTORY } from '../../../engine/port/state-machine.ts'
import { ArchiveFile } from '../../../storage/files/archive-file.ts'
import { ArchiveWriter, removeAbandoned, temporaryIn } from '../../../storage/files/archive-writer.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { TRIM_BATCHES_MAX } from '../../../units/operator-words.ts'
import type { Seq } from '../../../units/quantities.ts'
import { isoTime } from '../../../wire/time.ts'
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
import { dataOf } from '../audit/data.ts'
import { type AuditCommand, type AuditHost, EXIT_SOUND } from '../audit/host.ts'
import { count, Progress } from '../audit/progress.ts'
import { momentOf } from './moment.ts'
import { NodeArchiving } from './node-archiving.ts'

const HELP = `bourse archive: the older part of a journal moves to a file

Usage: bourse archive --data DIR [--before TIME | --keep-days N] [--at-least-days N] [--to DIR2]
                     [--json]

Takes the oldest commands of the journal up to a time, at most up to the newest snapshot, and writes them to a new file
in DIR2, compressed, with the state at their end. On the way everything is checked by the chain and replayed, from the
state that the archive before has proven, up to that snapshot, whose state must be the one reached. The file is synced
and read back; then the journal records it; then the commands are removed from the journal, piece by piece, each
compared with what the file gives, and the journal's file gives the room back.

Nothing is lost at any moment: a command is in the journal, in the file, or in both. A run that was cut short goes on
with the next one. verify, replay, journal, report, liabilities, backup, rebuild, cluster import and standbys read the
file as if it were the journal: keep it as safe as the journal, and in the same place. A start needs no archive.

Works on a stopped node, which cannot start meanwhile, and on a running one, which goes on: it hands out its journal in small
pieces, and removes what is archived in small pieces. The journal's file gets smaller where the node is stopped; while
one runs, the room is used for new commands.

Options:
  --data DIR      data directory [DATA_DIR]
  --before TIME   commands of this time and later stay: a day or a time in UTC, like 2026-01-31
  --keep-days N   instead: commands of the last N days stay, 0 to 36500; default 90
  --at-least-days N
                  only if what may go is of at least N days, 0 to 36500, so that a nightly job makes no file of a single day
  --to DIR2       directory of the file, made where absent; default DIR/archive
  --json          the result as JSON
  --help          show this help

Exit code: 0 done, or nothing was old enough, 1 the journal, a snapshot or an archive is damaged (nothing was removed), 2 it
could not be done.`

const KEEP_DAYS_DEFAULT = 90
export const ARCHIVE_DAYS_MAX = 36_500
const DAY_MS = 86_400_000
/** The pause after each piece that a running node has removed, in times of what the piece took. */
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

/** The time from which commands stay. Throws `UsageError`. */
function cutOf(options: Arguments['options'], { nowMs }: AuditHost): number {
  const keep = options.get('keep-days')
  const before = momentOf('--before', options.get('before'))
  if (before !== undefined && keep !== undefined)
    throw new UsageError('--before or --keep-days: name one of them')
  if (before?.kind === 'seq') throw new UsageError('--before needs a time like 2026-01-31, found a number')
  if (before !== undefined) return before.timeMs
  return nowMs() - daysOf('--keep-days', keep, KEEP_DAYS_DEFAULT) * DAY_MS
}

function daysOf(option: string, text: string | true | undefined, byDefault: number): number {
  if (text === undefined) return byDefault
  if (typeof text === 'string' && /^\d{1,5}$/.test(text) && Number(text) <= ARCHIVE_DAYS_MAX)
    return Number(text)
  throw new UsageError(`${option} needs a number from 0 to ${ARCHIVE_DAYS_MAX}, found ${String(text)}`)
}

/** Moments between which a run can be cut short, in their order. */
export type ArchiveStep = 'WRITTEN' | 'RECORDED' | 'TRIMMED' | 'COMPACTED'

export type ArchiveOptions = {
  readonly directory: string
  /** Where the file goes. */
  readonly to: string
  /** Batches of this time (milliseconds since 1970) and later stay. */
  readonly cutMs: number
  /** Nothing is archived before there is so much (milliseconds) from the first command that may go to `cutMs`; default 0. */
  readonly minMs?: number
  readonly host: AuditHost
  /** Batches that are removed with one commit; default 256. */
  readonly trimBatches?: number
  /** Is told of each step that is done. */
  readonly at?: (step: ArchiveStep) => void
}

export type ArchiveResult = {
  /** Undefined: nothing was archived, and why. */
  readonly archive: RecordedArchive | undefined
  readonly reason: string | undefined
  readonly path: string | undefined
  /** Batches that were removed from the journal, also those that an earlier run has left. */
  readonly removed: number
  /** Size of the journal's file, before and after. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/** Archives what `directory` has before a time. Rejects with `JournalFault`, or with what keeps it from being done. */
export async function archiveDirectory(options: ArchiveOptions): Promise<ArchiveResult> {
  const { directory, at } = options
  const journal = await open(directory)
  try {
    const file = path.join(directory, JOURNAL_FILE)
    const bytesBefore = statSync(file).size
    // What an earlier run has recorded and not removed any more.
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

/** The journal, held so that no node starts meanwhile; or the one of the node that runs, and goes on. */
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
    // Where a node uses the journal, its orders have most of the time.
    if (journal.compact === undefined) await Bun.sleep(PAUSES_PER_STEP * (host.monotonicMs() - startMs))
  }
}

/** A file that can be recorded: one that an earlier run has completed, or a new one. A sentence: there is nothing to archive, and why. */
async function nextArchive(
  journal: ArchivableSource,
  options: ArchiveOptions,
): Promise<RecordedArchive | string> {
  const { directory, to, cutMs, minMs = 0, host, at } = options
  removeAbandoned(to)
  const before = archivedState(directory, await journal.archives())
  const firstHash = before?.firstHash ?? (await journal.read(0 as Seq, 1))[0]?.hash
  const [oldest] = await journal.read(before?.end.seq ?? (0 as Seq), 1)
  if (firstHash === undefined || oldest === undefined) return 'the journal is empty'
  if (oldest.time + minMs > cutMs)
    return `nothing is old enough: the first command that is not archived is of ${isoTime(oldest.time)}`
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
        : [['removed', `${count(removed)} batches that an earlier run had archived`] as const, journal]),
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
