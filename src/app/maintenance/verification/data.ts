/**
 * A data directory as an auditor opens it: its files while no node runs on it, the node itself while one
 * does.
 */
import type { Arguments } from '../../../cli/arguments.ts'
import { refuseExtraWord, UsageError } from '../../../cli/arguments.ts'
import type { Findings } from '../../../engine/audit/findings.ts'
import { SnapshotAudit } from '../../../engine/audit/snapshots.ts'
import type { JournalSource } from '../../../engine/audit/source.ts'
import { readSnapshots, type StoredBesides } from '../../../engine/audit/verify.ts'
import { HistoryFault } from '../../../engine/history/history.ts'
import { JournalFault } from '../../../engine/port/journal.ts'
import { EXCHANGE_FACTORY } from '../../../engine/port/state-machine.ts'
import { isReadable } from '../../../storage/files/readable.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { seq } from '../../../units/quantities.ts'
import { databaseOf, loadCluster } from '../../cluster/settings.ts'
import type { DatabaseAddress } from '../../node/storage/cluster-database.ts'
import { openClusterJournal } from '../../node/storage/moving-exchange.ts'
import { StoredExchange } from '../../node/storage/stored-exchange.ts'
import { NodeJournal } from '../backup/node-journal.ts'
import { type AuditHost, CannotRunError } from './host.ts'

/** The directory specified by `--data` or the environment. */
export function dataOf(given: Arguments, host: AuditHost): string {
  const { words, options } = given
  refuseExtraWord(words[0])
  const data = options.get('data') ?? host.defaultData
  if (typeof data !== 'string') throw new UsageError('expected a data directory: --data DIR')
  if (!isReadable(data)) {
    const from = given.options.has('data') ? '' : ' (set by DATA_DIR in the environment)'
    throw new CannotRunError(`there is no directory ${data}${from}`)
  }
  return data
}

/**
 * An exchange that is audited: a data directory, or the journal of a cluster together with an engine's
 * directory, if one is given.
 */
export type Audited =
  | { readonly kind: 'DIRECTORY'; readonly directory: string }
  | { readonly kind: 'CLUSTER'; readonly database: DatabaseAddress; readonly directory: string | undefined }

/**
 * The exchange specified by `--config` or `--data`. With `--config`, a directory counts only if it is on the
 * command line.
 */
export function auditedOf(given: Arguments, host: AuditHost): Audited {
  const file = given.options.get('config')
  if (typeof file !== 'string') return { kind: 'DIRECTORY', directory: dataOf(given, host) }
  const isNamed = given.options.has('data')
  if (!isNamed) refuseExtraWord(given.words[0])
  const directory = isNamed ? dataOf(given, host) : undefined
  return { kind: 'CLUSTER', database: databaseOf(loadCluster(file)), directory }
}

/** The journal's file when no node runs on the directory; undefined when one does. */
export function openStopped(directory: string): JournalSource | undefined {
  try {
    return new StoredExchange(directory).openJournal()
  } catch (cause) {
    if (cause instanceof JournalFault && cause.kind === 'IN_USE') return undefined
    throw cause
  }
}

/**
 * The source of the journal: a file, the node that runs on it and continues in the meantime, or a database.
 * `atLeast`: a command that a running node is known to have.
 */
export async function openSource(audited: Audited, atLeast = seq(0)): Promise<JournalSource> {
  if (audited.kind === 'CLUSTER') return openClusterJournal(audited.database)
  return openStopped(audited.directory) ?? (await NodeJournal.open(audited.directory, atLeast))
}

/** A journal without other files beside it. */
export function nothingBesides(findings: Findings): StoredBesides {
  return { recorded: undefined, snapshots: SnapshotAudit.none(sha256, findings), history: undefined }
}

/** All data that is stored beside the journal; unreadable parts become findings. */
export async function openBesides(
  directory: string,
  isAlone: boolean,
  findings: Findings,
): Promise<StoredBesides> {
  const stored = new StoredExchange(directory)
  const recorded = stored.recall()
  const history = openHistory(stored, isAlone, findings)
  const parts = { factory: EXCHANGE_FACTORY, digest: sha256, findings }
  const snapshots = await readSnapshots(stored.snapshots(), parts)
  return { recorded, snapshots, history }
}

function openHistory(stored: StoredExchange, isAlone: boolean, findings: Findings): StoredBesides['history'] {
  try {
    return stored.openHistory(isAlone)
  } catch (cause) {
    if (!(cause instanceof HistoryFault)) throw cause
    findings.add('HISTORY', cause.message)
    return undefined
  }
}
