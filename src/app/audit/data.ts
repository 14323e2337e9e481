/**
 * A data directory as an auditor opens it: its files while no node runs on it, the node itself while one does.
 */
import path from 'node:path'
import type { Arguments } from '../../cli/arguments.ts'
import { UsageError } from '../../cli/arguments.ts'
import { sha256 } from '../../drivers/crypto/sha256.ts'
import { isReadable } from '../../drivers/files/readable.ts'
import { FileWitness } from '../../drivers/files/witness.ts'
import { HistoryReader } from '../../drivers/sqlite/history/reader.ts'
import { JournalReader } from '../../drivers/sqlite/journal-reader.ts'
import { openSnapshots } from '../../drivers/sqlite/storage.ts'
import type { Findings } from '../../engine/audit/findings.ts'
import type { JournalSource } from '../../engine/audit/source.ts'
import { readSnapshots, type StoredBesides } from '../../engine/audit/verify.ts'
import { HistoryFault } from '../../engine/history.ts'
import { JournalFault } from '../../engine/journal.ts'
import { EXCHANGE_FACTORY } from '../../engine/state-machine.ts'
import { type AuditHost, CannotRunError } from './host.ts'
import { NodeJournal } from './node-journal.ts'

export const HISTORY_FILE = 'history.sqlite'
export const WITNESS_FILE = 'journal.witness'

/** The directory that `--data` or the environment names. */
export function dataOf({ words, options }: Arguments, host: AuditHost): string {
  if (words[0] !== undefined) throw new UsageError(`does not understand ${JSON.stringify(words[0])}`)
  const data = options.get('data') ?? host.defaultData
  if (typeof data !== 'string')
    throw new UsageError('which exchange? Name its data directory with --data DIR')
  if (!isReadable(data)) throw new CannotRunError(`there is no directory ${data}`)
  return data
}

/** The journal's file when no node runs on the directory; undefined when one does. */
export function openStopped(directory: string): JournalReader | undefined {
  try {
    return JournalReader.open(directory)
  } catch (cause) {
    if (cause instanceof JournalFault && cause.kind === 'IN_USE') return undefined
    throw cause
  }
}

/** Where the journal can be read from. `isRunning`: through the node, which goes on meanwhile. */
export async function openSource(
  directory: string,
): Promise<{ readonly source: JournalSource; readonly isRunning: boolean }> {
  const reader = openStopped(directory)
  if (reader !== undefined) return { source: reader, isRunning: false }
  return { source: await NodeJournal.open(directory), isRunning: true }
}

/** All that is stored beside the journal; what cannot be read of it becomes a finding. */
export async function openBesides(
  directory: string,
  isAlone: boolean,
  findings: Findings,
): Promise<StoredBesides> {
  const witness = new FileWitness(path.join(directory, WITNESS_FILE), sha256)
  const testimony = witness.recall()
  witness.close()
  const history = openHistory(directory, isAlone, findings)
  const parts = { factory: EXCHANGE_FACTORY, digest: sha256, findings }
  const snapshots = await readSnapshots(openSnapshots(directory), parts)
  return { testimony, snapshots, history }
}

function openHistory(directory: string, isAlone: boolean, findings: Findings): HistoryReader | undefined {
  try {
    return HistoryReader.open(path.join(directory, HISTORY_FILE), isAlone)
  } catch (cause) {
    if (!(cause instanceof HistoryFault)) throw cause
    findings.add('HISTORY', cause.message)
    return undefined
  }
}
