/**
 * `bourse repair`: the damaged batches of a stopped node's journal, taken from a backup.
 */

import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../../../cli/arguments.ts'
import { QuarantineCheck, type Witnessed, WitnessedMarks } from '../../../engine/audit/chain.ts'
import { Findings } from '../../../engine/audit/findings.ts'
import { repairedBatches } from '../../../engine/audit/repair.ts'
import type { JournalSource } from '../../../engine/audit/source.ts'
import { type Batch, endOf, JournalFault, type Quarantined, type Tail } from '../../../engine/port/journal.ts'
import { ensureDirectory, fileFault, syncDirectory } from '../../../storage/files/directory.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { printable } from '../../../units/printable.ts'
import type { Seq } from '../../../units/quantities.ts'
import { JOURNAL_FILE, JOURNAL_LOG_FILE, StoredExchange } from '../../node/storage/stored-exchange.ts'
import { marksIn } from '../backup/backup.ts'
import { readManifest } from '../backup/backup-manifest.ts'
import { dataOf, openStopped } from './data.ts'
import { type AuditCommand, CannotRunError, EXIT_FINDING, EXIT_SOUND } from './host.ts'
import { count } from './progress.ts'

const HELP = `bourse repair: replace damaged batches of the journal from a backup

Usage: bourse repair --data DIR --from DIR2 [--yes] [--json]

The node must be stopped, and cannot start while this runs. Reads the journal and lists every damaged or missing batch that
the backup has. With --yes it writes a new journal, with these batches from the backup and all others unchanged, and checks
the hashes of the whole journal. The new journal then replaces the old one atomically; the old one is kept as
journal.sqlite.damaged. No other file is touched. Needs disk space for a second journal.

Refused, with nothing changed, if the backup is damaged or belongs to another exchange, if the damage is after the backup's
end, if the witness or a snapshot covers commands that the repaired journal would not have, or if a journal.sqlite.damaged
of an earlier repair exists.

Options:
  --data DIR   data directory [DATA_DIR]
  --from DIR2  the backup; it must contain the batches that are damaged
  --yes        repair; without it, only show what would be done
  --json       print the result as JSON
  --help       show this help

Exit code: 0 repaired, or nothing to repair; 1 damage was found and not repaired; 2 the command could not be carried out.`

/** The name under which the new journal is created. */
const WORK = 'repair.tmp'
const ASIDE = `${JOURNAL_FILE}.damaged`
/** Maximum number of repaired batches that are listed. */
const NAMED_MAX = 20
/** Bytes of batches in one commit of the new journal. */
const WRITE_BYTES = 1024 * 1024

type Repair = {
  readonly tail: { readonly seq: Seq }
  readonly batches: number
  readonly repaired: number
  /** The first problems found. */
  readonly problems: readonly string[]
}

export const REPAIR: AuditCommand = {
  name: 'repair',
  help: HELP,
  forms: { data: 'value', from: 'value', yes: 'flag', json: 'flag' },
  run: async (given, host) => {
    const directory = dataOf(given, host)
    const from = given.options.get('from')
    if (typeof from !== 'string') throw new UsageError('expected a backup: --from DIR2')
    const manifest = readManifest(from)
    const marks = await marksIn(directory)
    const backup = new StoredExchange(from).openJournal()
    try {
      if (backup.tail.seq !== manifest.seq) {
        throw new JournalFault(
          'DAMAGED',
          `backup.json states command ${manifest.seq}, but the backup's journal ends at ${backup.tail.seq}`,
        )
      }
      const planned = await plan(directory, backup, marks)
      const isDone = planned.repaired > 0 && given.options.has('yes')
      if (isDone) await carryOut(directory, backup, marks)
      const { tail, ...rest } = planned
      const json = JSON.stringify({ seq: tail.seq, ...rest, done: isDone }, undefined, 2)
      host.print(given.options.has('json') ? json : textOf(planned, isDone, directory))
      return planned.repaired === 0 || isDone ? EXIT_SOUND : EXIT_FINDING
    } finally {
      await backup.close()
    }
  },
}

/** The repair that would be done; nothing is written. */
async function plan(directory: string, backup: JournalSource, marks: readonly Witnessed[]): Promise<Repair> {
  const journal = openStopped(directory)
  if (journal === undefined) throw new CannotRunError(`a node runs on ${directory}: stop it first`)
  try {
    const entries = await entriesOf(journal)
    return await walk({ journal, backup, marks, entries, take: async () => {} })
  } finally {
    await journal.close()
  }
}

/**
 * Creates the repaired journal beside the old one, reads it back, and replaces the old one with it. Holds the
 * old one exclusively until then, so that no node starts on it and continues with commands that would be
 * lost; its log is then empty, and removed at the end.
 */
async function carryOut(
  directory: string,
  backup: JournalSource,
  marks: readonly Witnessed[],
): Promise<void> {
  requireNoneAside(directory)
  const work = path.join(directory, WORK)
  const journal = new StoredExchange(directory).holdJournal()
  let isReady = false
  try {
    rmSync(work, { recursive: true, force: true })
    const source = { journal, backup, marks, entries: await entriesOf(journal) }
    const tail = await writeRepaired(work, source)
    await readBack(work, tail, source)
    isReady = true
  } finally {
    if (!isReady) rmSync(work, { recursive: true, force: true })
    // No await from here to the swap.
    journal.release()
  }
  swap(directory, work)
}

/** Returns the end of the journal written at `work`. */
async function writeRepaired(work: string, source: Omit<Walk, 'take'>): Promise<{ readonly seq: Seq }> {
  ensureDirectory(work)
  const target = new StoredExchange(work).createJournal()
  try {
    const pending: Batch[] = []
    let bytes = 0
    const flush = async (): Promise<void> => {
      await target.write(pending.splice(0))
      bytes = 0
    }
    const take = async (batch: Batch): Promise<void> => {
      pending.push(batch)
      bytes += batch.data.length
      if (bytes >= WRITE_BYTES) await flush()
    }
    const { tail } = await walk({ ...source, take })
    await flush()
    for (const entry of source.entries) await target.quarantine(entry)
    return tail
  } finally {
    await target.close()
  }
}

/** Throws if the journal at `work` is not intact, or does not end at `tail`. */
async function readBack(
  work: string,
  tail: { readonly seq: Seq },
  source: Omit<Walk, 'take'>,
): Promise<void> {
  const written = new StoredExchange(work).openJournal()
  try {
    const read = await walk({ ...source, journal: written, take: async () => {} })
    if (read.repaired > 0 || read.tail.seq !== tail.seq)
      throw new JournalFault('FAILED', 'the repaired journal is damaged')
  } finally {
    await written.close()
  }
}

/** Files put aside by an earlier repair are kept. */
function requireNoneAside(directory: string): void {
  const aside = path.join(directory, ASIDE)
  if (!existsSync(aside)) return
  throw new CannotRunError(
    `${aside} exists from an earlier repair: move it away, or delete it once you know the cause of the damage`,
  )
}

type Walk = {
  readonly journal: Pick<JournalSource, 'read' | 'tail'>
  readonly backup: JournalSource
  readonly marks: readonly Witnessed[]
  readonly entries: readonly Quarantined[]
  readonly take: (batch: Batch) => Promise<void>
}

/**
 * The repaired journal from its first batch to its last. Throws `DAMAGED` or `WITNESS` if it does not match.
 */
async function walk({ journal, backup, marks, entries, take }: Walk): Promise<Repair> {
  const findings = new Findings()
  const witnessed = new WitnessedMarks(marks, findings)
  const quarantine = new QuarantineCheck(
    new Map(entries.map(({ seq, check }) => [seq, check])),
    sha256,
    findings,
  )
  const problems: string[] = []
  let tail: Pick<Tail, 'seq'> = { seq: 0 as Seq }
  let batches = 0
  let repaired = 0
  for await (const { batch, problem } of repairedBatches({ journal, backup, digest: sha256 })) {
    const end = endOf(batch)
    witnessed.pass(end)
    quarantine.pass(batch)
    tail = end
    batches++
    if (problem !== undefined && ++repaired <= NAMED_MAX) problems.push(problem)
    await take(batch)
  }
  requireRemembered(tail.seq, journal.tail.seq, marks)
  witnessed.end(tail.seq)
  quarantine.end()
  const [first] = findings.kept
  if (first !== undefined) {
    const kind = first.check === 'WITNESS' ? 'WITNESS' : 'DAMAGED'
    throw new JournalFault(kind, `the repaired journal does not match the directory: ${first.message}`)
  }
  return { tail, batches, repaired, problems }
}

/**
 * Throws if the repaired journal would end later than the journal and everything that refers to it: then the
 * journal was cut back on purpose.
 */
function requireRemembered(end: Seq, ownEnd: Seq, marks: readonly Witnessed[]): void {
  if (end <= ownEnd || marks.some(({ seq }) => seq >= end)) return
  throw new JournalFault(
    'WITNESS',
    `the journal ends at command ${ownEnd} and nothing in its directory refers to a later one; the backup ends at ` +
      `${end}: a repair does not bring back a part that was cut off; use bourse restore to create an exchange from the backup`,
  )
}

async function entriesOf(journal: JournalSource): Promise<Quarantined[]> {
  const entries = [...(await journal.quarantined())]
  return entries.flatMap(([seq, check]) => (check === undefined ? [] : [{ seq, check }]))
}

/** Atomic: a reader finds either the old journal or the new one. */
function swap(directory: string, work: string): void {
  const journal = path.join(directory, JOURNAL_FILE)
  const log = path.join(directory, JOURNAL_LOG_FILE)
  if (existsSync(log)) throw new CannotRunError(`${log} exists again: a node was started during the repair`)
  try {
    linkSync(journal, path.join(directory, ASIDE))
    renameSync(path.join(work, JOURNAL_FILE), journal)
    syncDirectory(directory)
    rmSync(work, { recursive: true, force: true })
  } catch (cause) {
    throw fileFault(cause, `cannot move the repaired journal to ${journal}`)
  }
}

function textOf({ tail, batches, repaired, problems }: Repair, isDone: boolean, directory: string): string {
  const sound = `${count(batches)} batches up to command ${count(tail.seq)}`
  if (repaired === 0) return `Nothing to repair: ${sound}, all intact.`
  const more = repaired > problems.length ? [`and ${count(repaired - problems.length)} more`] : []
  const named = [...problems.map(printable), ...more]
  if (!isDone) {
    return [
      ...named,
      `${count(repaired)} of ${sound} can be taken from the backup. Nothing was changed: run it again with --yes to repair.`,
    ].join('\n')
  }
  const kept = `The old journal is kept as ${path.join(directory, ASIDE)}.`
  return [
    ...named,
    `Repaired: ${count(repaired)} of ${sound}, each checked. ${kept}`,
    `Verify everything: bourse verify --data ${directory}`,
  ].join('\n')
}
