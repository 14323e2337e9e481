/**
 * Copies an exchange into an empty directory: journal, a snapshot of its end, and a witness of its own; the
 * copy is read back and verified before it becomes visible. Used by backup and restore.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { NO_EVENTS } from '../../../core/events/event.ts'
import type { Witnessed } from '../../../engine/audit/chain.ts'
import { type Copied, copyJournal } from '../../../engine/audit/copy.ts'
import type { JournalSource } from '../../../engine/audit/source.ts'
import { type Batch, endOf, JournalFault, type Tail } from '../../../engine/port/journal.ts'
import { takeSnapshot } from '../../../engine/port/snapshots.ts'
import { EXCHANGE_FACTORY } from '../../../engine/port/state-machine.ts'
import { replayBatch } from '../../../engine/writer/recovery/replay.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { sameBytes } from '../../../units/typed-arrays.ts'
import { StoredExchange } from '../../node/storage/stored-exchange.ts'
import { type AuditHost, CannotRunError } from '../verification/host.ts'
import { Progress } from '../verification/progress.ts'
import { verifyDirectory } from '../verification/verify.ts'

export type CopiedExchange = { readonly tail: Tail; readonly stateHash: Uint8Array }

/** Throws `CannotRunError` unless the directory is absent or empty. */
export function requireEmpty(directory: string, option: string): void {
  if (!existsSync(directory)) return
  if (!statSync(directory).isDirectory() || readdirSync(directory).length > 0) {
    throw new CannotRunError(
      `${option} ${directory} is not empty: choose an empty directory, or one that does not exist`,
    )
  }
}

/**
 * Copies into `directory`, which must be absent or empty. If it or `finish` fails, the written files are
 * removed again. `finish` completes the copy for its purpose, after it has been verified; `goesOn` returns
 * the batch that follows the copied exchange in the copy.
 */
export async function copyExchange(
  source: JournalSource,
  marks: readonly Witnessed[],
  directory: string,
  host: AuditHost,
  finish: (copied: CopiedExchange) => void,
  goesOn: (copied: Copied) => Promise<Batch | undefined> = async () => undefined,
): Promise<CopiedExchange> {
  const wasThere = existsSync(directory)
  try {
    const { tail, machine } = await writeJournal(source, marks, directory, host, goesOn)
    const snapshot = takeSnapshot(machine, tail, sha256)
    const stored = new StoredExchange(directory)
    if (tail.seq > 0) await stored.snapshots().save(snapshot)
    stored.resetWitness(tail)
    const copied = { tail, stateHash: snapshot.stateHash }
    await verifyCopy(directory, copied, host)
    finish(copied)
    return copied
  } catch (cause) {
    if (wasThere)
      for (const name of readdirSync(directory)) rmSync(path.join(directory, name), { recursive: true })
    else rmSync(directory, { recursive: true, force: true })
    throw cause
  }
}

async function writeJournal(
  source: JournalSource,
  marks: readonly Witnessed[],
  directory: string,
  host: AuditHost,
  goesOn: (copied: Copied) => Promise<Batch | undefined>,
): Promise<Copied> {
  const progress = new Progress(host, 'copying')
  const target = new StoredExchange(directory).createJournal()
  try {
    const parts = { factory: EXCHANGE_FACTORY, digest: sha256, onProgress: progress.at }
    const copied = await copyJournal({ source, target, marks, ...parts })
    const batch = await goesOn(copied)
    if (batch === undefined) return copied
    await target.write([batch])
    replayBatch(copied.machine, batch, new Set(), NO_EVENTS)
    return { ...copied, tail: endOf(batch) }
  } finally {
    progress.end()
    await target.close()
  }
}

/** Reads the written copy back: runs the whole audit, and compares its end and state. */
async function verifyCopy(
  directory: string,
  { tail, stateHash }: CopiedExchange,
  host: AuditHost,
): Promise<void> {
  const { report } = await verifyDirectory(directory, host)
  const [first] = report.findings.kept
  if (first !== undefined) throw new JournalFault('DAMAGED', `the copy is damaged: ${first.message}`)
  const isSame = sameBytes(report.tail.hash, tail.hash) && sameBytes(report.stateHash, stateHash)
  if (!isSame) throw new JournalFault('DAMAGED', 'the copy replays to a different state than the original')
}
