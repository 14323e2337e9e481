/**
 * Repairs a damaged journal from a backup of it: the chain of hashes shows for every batch whether it is
 * intact, and for a replacement whether it fits. Only damaged batches are replaced, and a fork is never
 * treated as damage.
 */
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import {
  type Batch,
  type Digest,
  EMPTY_TAIL,
  endOf,
  hexOf,
  JournalFault,
  lastSeqOf,
  type Tail,
  verifyBatch,
} from '../port/journal.ts'
import { verifiedBatches } from '../writer/recovery/verified-batches.ts'
import { AUDIT_READ_BYTES } from './chain.ts'
import type { JournalSource } from './source.ts'

/** A batch of the repaired journal. */
export type RepairedBatch = {
  readonly batch: Batch
  /** The problem of the batch that this one replaces; undefined if it is the journal's own batch. */
  readonly problem: string | undefined
}

export type RepairOptions = {
  /** The damaged journal. */
  readonly journal: Pick<JournalSource, 'read'>
  /** Contains the journal up to the backup's end. */
  readonly backup: Pick<JournalSource, 'read' | 'tail'>
  readonly digest: Digest
}

/**
 * The whole journal, batch by batch. Throws `DAMAGED` if the backup is damaged, belongs to another exchange
 * or to another fork of this one, or ends before the damage does.
 */
export async function* repairedBatches({
  journal,
  backup,
  digest,
}: RepairOptions): AsyncGenerator<RepairedBatch, void> {
  const replacedHashes = new Set<string>()
  let tail: Tail = EMPTY_TAIL
  for await (const { batches } of verifiedBatches(backup, digest, EMPTY_TAIL, AUDIT_READ_BYTES)) {
    for (const batch of batches) {
      const problem = await problemAt(journal, batch, tail, digest)
      if (problem !== undefined) replacedHashes.add(hexOf(batch.hash))
      tail = endOf(batch)
      yield { batch, problem }
    }
  }
  yield* rest(journal, tail, replacedHashes, digest)
}

/** The problem of the journal's batch in the place of the backup's; undefined if they are the same. */
async function problemAt(
  journal: RepairOptions['journal'],
  expected: Batch,
  tail: Tail,
  digest: Digest,
): Promise<string | undefined> {
  const where = `batch ${expected.firstSeq} to ${lastSeqOf(expected)}`
  let found: Batch | undefined
  try {
    found = (await journal.read(tail.seq, 1))[0]
  } catch (cause) {
    return `${where} cannot be read: ${damageOf(cause)}`
  }
  if (found === undefined) return `${where} is missing`
  if (isSame(found, expected)) return undefined
  const problem = misfit(digest, tail, found)
  if (problem !== undefined) return found.firstSeq > lastSeqOf(expected) ? `${where} is missing` : problem
  throw new JournalFault(
    'DAMAGED',
    `the backup is of another exchange, or of another fork of this one: both have an intact batch after command ` +
      `${tail.seq}, and the two batches differ`,
  )
}

/** The journal's batches after the backup's end: they must be intact, since no other copy has them. */
async function* rest(
  journal: RepairOptions['journal'],
  end: Tail,
  replacedHashes: ReadonlySet<string>,
  digest: Digest,
): AsyncGenerator<RepairedBatch, void> {
  let tail = end
  let after: Seq = end.seq
  for (;;) {
    let batch: Batch | undefined
    try {
      batch = (await journal.read(after, 1))[0]
    } catch (cause) {
      throw beyondBackup(`the batches after command ${after} cannot be read: ${damageOf(cause)}`, end)
    }
    if (batch === undefined) return
    after = lastSeqOf(batch)
    const problem = misfit(digest, tail, batch)
    if (problem === undefined) {
      tail = endOf(batch)
      yield { batch, problem: undefined }
    } else if (!replacedHashes.has(hexOf(batch.hash))) throw beyondBackup(problem, end)
  }
}

function beyondBackup(problem: string, { seq }: Tail): JournalFault {
  return new JournalFault('DAMAGED', `${problem}; the backup ends at command ${seq}: use a later backup`)
}

/** The reason why the batch is not the one that was written after `tail`. */
function misfit(digest: Digest, tail: Tail, batch: Batch): string | undefined {
  try {
    verifyBatch(digest, tail, batch)
    return undefined
  } catch (cause) {
    return damageOf(cause)
  }
}

/** Returns the message of damage; rethrows every other error. */
function damageOf(cause: unknown): string {
  if (cause instanceof JournalFault && cause.kind === 'DAMAGED') return cause.message
  throw cause
}

function isSame(a: Batch, b: Batch): boolean {
  const hasSameNumbers = a.firstSeq === b.firstSeq && a.count === b.count && a.time === b.time
  return (
    hasSameNumbers &&
    sameBytes(a.previousHash, b.previousHash) &&
    sameBytes(a.hash, b.hash) &&
    sameBytes(a.data, b.data)
  )
}
