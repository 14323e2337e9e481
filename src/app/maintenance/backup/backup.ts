/**
 * `bourse backup`: a consistent copy of an exchange, running or stopped.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Arguments, UsageError } from '../../../cli/arguments.ts'
import { facts } from '../../../cli/table.ts'
import { isoTime } from '../../../contract/time.ts'
import type { Witnessed } from '../../../engine/audit/chain.ts'
import { writeWhole } from '../../../storage/files/directory.ts'
import { seq, timeMs } from '../../../units/quantities.ts'
import { MASTER_KEY_FILE } from '../../node/load-master-key.ts'
import { StoredExchange } from '../../node/storage/stored-exchange.ts'
import { dataOf, openSource } from '../verification/data.ts'
import { type AuditCommand, type AuditHost, CannotRunError, EXIT_SOUND } from '../verification/host.ts'
import { count } from '../verification/progress.ts'
import { hex } from '../verification/verify.ts'
import { BACKUP_FILE, type BackupManifest } from './backup-manifest.ts'
import { keepOf, nextInSeries, pruneSeries } from './backup-series.ts'
import type { PendingCopy } from './customers-copy.ts'
import { type CopiedExchange, copyExchange, requireEmpty } from './exchange-copy.ts'
import { noteBackup, noteFailedBackup } from './last-backup.ts'

const HELP = `bourse backup: make a consistent copy of an exchange, running or stopped

Usage: bourse backup --data DIR --to DIR2 [options]
       bourse backup --data DIR --into DIR3 [--keep N] [options]

Copies the journal up to a command, which it reports, and verifies the copy by reading and replaying it. A running node
keeps running and hands over its journal in small pieces. The customer store is copied first, without the keys that unseal
it. Trade history is not copied: it is rebuilt from the journal. The backup is recorded in the data directory, so that the
node can report its age.

Options:
  --data DIR            data directory [DATA_DIR]
  --to DIR2             directory of the backup; must be new or empty
  --into DIR3           directory that collects backups: each one gets a subdirectory named after its time
  --keep N              with --into: number of newest backups to keep, default 7. Older backups are deleted after the
                        new one is verified; nothing else there is deleted
  --include-master-key  include master.key: such a backup can decrypt the secrets of all API keys. Otherwise keep a copy
                        of master.key elsewhere: without it no API key works in a restored exchange
  --customers-keys DIR4  also copy customers.keys, which unseals the customers' data, into a directory outside of all
                        backups, and remove the copies there that are older than 30 days
  --json                print the result as JSON
  --help                show this help

Exit code: 0 the backup is complete and verified, 1 the journal is damaged (no backup was made), 2 the backup could not be
made.`

export const BACKUP: AuditCommand = {
  name: 'backup',
  help: HELP,
  forms: {
    data: 'value',
    to: 'value',
    into: 'value',
    keep: 'value',
    'include-master-key': 'flag',
    'customers-keys': 'value',
    json: 'flag',
  },
  run: async (given, host) => {
    const directory = dataOf(given, host)
    const { to, into, keep } = targetOf(given.options, host)
    requireEmpty(to, into === undefined ? '--to' : '--into')
    const masterKey = given.options.has('include-master-key') ? readMasterKey(directory) : undefined
    const keysInto = keysDirectory(given.options.get('customers-keys'), [into ?? to, directory])
    const manifest = await backUp(directory, to, masterKey, host).catch((error: unknown) => {
      const problem = error instanceof Error ? error.message : String(error)
      noteFailedBackup(directory, isoTime(timeMs(host.nowMs())), problem)
      throw error
    })
    const keys =
      keysInto === undefined
        ? undefined
        : (await import('./customers-copy.ts')).keepKeys(directory, keysInto, host.nowMs())
    const isNoted = noteBackup(directory, to, manifest)
    const removed = into === undefined ? [] : pruneSeries(into, keep)
    const json = { ...manifest, directory: to, removed, noted: isNoted, customersKeys: keys ?? null }
    const text = textOf(manifest, { to, removed, isNoted, keys })
    host.print(given.options.has('json') ? JSON.stringify(json, undefined, 2) : text)
    return EXIT_SOUND
  },
}

/**
 * Throws `UsageError` for a directory inside one of `others`: stored next to the data that they decrypt, the
 * keys would provide no protection.
 */
function keysDirectory(given: string | true | undefined, others: readonly string[]): string | undefined {
  if (typeof given !== 'string') return undefined
  const inside = others.find((other) => !path.relative(other, given).startsWith('..'))
  if (inside === undefined) return given
  throw new UsageError(`--customers-keys: expected a directory outside of ${inside}, found ${given}`)
}

type Target = { readonly to: string; readonly into: string | undefined; readonly keep: number }

/** Throws `UsageError` unless exactly one place is given. */
function targetOf(options: Arguments['options'], { nowMs }: AuditHost): Target {
  const [to, into, keep] = [options.get('to'), options.get('into'), options.get('keep')]
  if (typeof to === 'string' && typeof into === 'string')
    throw new UsageError('expected only one of --to and --into')
  if (typeof into === 'string') return { to: nextInSeries(into, nowMs()), into, keep: keepOf(keep) }
  if (typeof to !== 'string')
    throw new UsageError('expected a directory for the backup: --to DIR2 or --into DIR3')
  if (keep !== undefined) throw new UsageError('--keep needs --into')
  return { to, into: undefined, keep: 0 }
}

async function backUp(
  directory: string,
  to: string,
  masterKey: Uint8Array | undefined,
  host: AuditHost,
): Promise<BackupManifest> {
  // Before the source is opened: it then contains the remembered positions.
  const marks = await marksIn(directory)
  const customers = existsSync(path.join(directory, 'customers'))
    ? (await import('./customers-copy.ts')).beginCustomersCopy(directory, to)
    : undefined
  try {
    return await backUpJournal(directory, to, { customers, masterKey, marks }, host)
  } finally {
    customers?.drop()
  }
}

type Parts = {
  readonly customers: PendingCopy | undefined
  readonly masterKey: Uint8Array | undefined
  readonly marks: readonly Witnessed[]
}

async function backUpJournal(
  directory: string,
  to: string,
  { customers, masterKey, marks }: Parts,
  host: AuditHost,
): Promise<BackupManifest> {
  const remembered = seq(Math.max(0, ...marks.map((mark) => mark.seq)))
  const source = await openSource({ kind: 'DIRECTORY', directory }, remembered)
  let manifest: BackupManifest | undefined
  try {
    await copyExchange(source, marks, to, host, (copied) => {
      if (masterKey !== undefined) writePrivate(path.join(to, MASTER_KEY_FILE), masterKey)
      customers?.place()
      manifest = { ...manifestOf(copied, masterKey !== undefined, host), ...ofCustomers(customers) }
      // Last of all: a directory without it is no backup.
      const text = `${JSON.stringify(manifest, undefined, 2)}\n`
      writePrivate(path.join(to, BACKUP_FILE), new TextEncoder().encode(text))
    })
  } finally {
    await source.close()
  }
  return manifest as BackupManifest
}

function ofCustomers(copy: PendingCopy | undefined): Pick<BackupManifest, 'customers'> {
  return copy === undefined ? {} : { customers: { sha256: copy.sha256, persons: copy.persons } }
}

/** Witnesses of the journal to be copied. */
export async function marksIn(directory: string): Promise<Witnessed[]> {
  const stored = new StoredExchange(directory)
  const { heads } = await stored.snapshots().list()
  const marks = heads.map(({ seq, journalHash }) => ({ who: `snapshot ${seq}`, seq, hash: journalHash }))
  const recorded = stored.recall()
  return recorded.kind === 'MARK' ? [...marks, { who: 'the witness file', ...recorded.mark }] : marks
}

function manifestOf(
  { tail, stateHash }: CopiedExchange,
  hasMasterKey: boolean,
  host: AuditHost,
): BackupManifest {
  return {
    format: 1,
    seq: tail.seq,
    time: isoTime(tail.time),
    journalHash: hex(tail.hash),
    stateHash: hex(stateHash),
    createdAt: isoTime(timeMs(host.nowMs())),
    version: host.version.number,
    commit: host.version.commit,
    commitDate: host.version.commitDate,
    hasMasterKey,
  }
}

function readMasterKey(directory: string): Uint8Array {
  const file = path.join(directory, MASTER_KEY_FILE)
  try {
    return new Uint8Array(readFileSync(file))
  } catch (cause) {
    const absent = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const why = absent ? 'does not exist: the node takes its key from BOURSE_MASTER_KEY' : 'cannot be read'
    throw new CannotRunError(`${file} ${why}; back up without --include-master-key`, { cause })
  }
}

export function writePrivate(file: string, bytes: Uint8Array): void {
  writeWhole(file, `${file}.tmp`, [bytes])
}

type Made = {
  readonly to: string
  readonly removed: readonly string[]
  readonly isNoted: boolean
  /** The copy of the customers' keys. */
  readonly keys: string | undefined
}

function textOf(manifest: BackupManifest, { to, removed, isNoted, keys }: Made): string {
  const key = manifest.hasMasterKey
    ? 'included: this backup can decrypt the secrets of all API keys'
    : 'not included: keep a copy of it elsewhere; without it no API key works'
  return facts([
    ['backup', to],
    ['up to command', `${count(manifest.seq)}, ${manifest.time}`],
    ['state hash', manifest.stateHash],
    ['master key', key],
    ...(manifest.customers === undefined
      ? []
      : [
          ['customers', `${count(manifest.customers.persons)} persons, sealed`] as const,
          ['their keys', keys ?? 'not copied: --customers-keys DIR copies them to another place'] as const,
        ]),
    ['verified', 'read back, replayed, same state'],
    ...(isNoted
      ? []
      : [['not recorded', 'the data directory is not writable: this backup is not recorded there'] as const]),
    ...(removed.length === 0 ? [] : [['removed', removed.join(', ')] as const]),
  ])
}
