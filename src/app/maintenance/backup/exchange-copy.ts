/**
 * An exchange copied into an empty directory: journal, a snapshot of its end, and a witness of its own; read again and
 * verified before anybody learns that it is there. Backup and restore are both this.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Witnessed } from '../../../engine/audit/chain.ts'
import { type Copied, copyJournal } from '../../../engine/audit/copy.ts'
import type { JournalSource } from '../../../engine/audit/source.ts'
import { JournalFault, type Tail } from '../../../engine/port/journal.ts'
import { takeSnapshot } from '../../../engine/port/snapshots.ts'
import { EXCHANGE_FACTORY } from '../../../engine/port/state-machine.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { sameBytes } from '../../../units/typed-arrays.ts'
import { StoredExchange } from '../../node/storage/stored-exchange.ts'
import { type AuditHost, CannotRunError } from '../audit/host.ts'
import { Progress } from '../audit/progress.ts'
import { verifyDirectory } from '../audit/verify.ts'

export type CopiedExchange = { readonly tail: Tail; readonly stateHash: Uint8Array }

/** Throws `CannotRunError` unless the directory is absent or empty. */
export function requireEmpty(directory: string, option: string): void {
  if (!existsSync(directory)) return
  if (!statSync(directory).isDirectory() || readdirSync(directory).length > 0) {
    throw new CannotRunError(
      `${option} ${directory} is not an empty directory: name one that is, or is not there yet`,
    )
  }
}

/**
 * Copies into `directory`, which must be absent or empty. When it fails, or `finish` does, what was written is
 * removed again. `finish` makes the copy what it is to be, after it has been verified.
 */
export async function copyExchange(
  source: JournalSource,
  marks: readonly Witnessed[],
  directory: string,
  host: AuditHost,
  finish: (copied: CopiedExchange) => void,
): Promise<CopiedExchange> {
  const wasThere = existsSync(directory)
  try {
    const { tail, machine } = await writeJournal(source, marks, directory, host)
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
): Promise<Copied> {
  const progress = new Progress(host, 'copying')
  const target = new StoredExchange(directory).createJournal()
  try {
    const parts = { factory: EXCHANGE_FACTORY, digest: sha256, onProgress: progress.at }
    return await copyJournal({ source, target, marks, ...parts })
  } finally {
    progress.end()
    await target.close()
  }
}

/** Reads back what was written: the whole audit, and the same end and state. */
async function verifyCopy(
  directory: string,
  { tail, stateHash }: CopiedExchange,
  host: AuditHost,
): Promise<void> {
  const { report } = await verifyDirectory(directory, host)
  const [first] = report.findings.kept
  if (first !== undefined) throw new JournalFault('DAMAGED', `the copy is not sound: ${first.message}`)
  const isSame = sameBytes(report.tail.hash, tail.hash) && sameBytes(report.stateHash, stateHash)
  if (!isSame) throw new JournalFault('DAMAGED', 'the copy does not lead to the state that was copied')
}
