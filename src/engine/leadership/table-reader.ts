/** A cluster's journal read through its table, up to a known end. It changes nothing. */
import type { Seq } from '../../units/quantities.ts'
import { type Batch, JournalFault, lastSeqOf, type Quarantined, type Tail } from '../port/journal.ts'
import { quarantinedBy } from '../writer/own-batches.ts'
import type { LeadershipTable } from './leadership-table.ts'

/** The source of batches. */
type Rows = Pick<LeadershipTable, 'lastSeqAt' | 'readFrom'>

/** Batches that end after `afterSeq`, up to `end`; see `Journal.read`. */
export async function readAfter(
  table: Rows,
  afterSeq: Seq,
  end: Tail,
  maxBytes: number,
): Promise<readonly Batch[]> {
  const first = await positionAfter(table, afterSeq, end)
  const batches = await table.readFrom(first, end.position, maxBytes)
  requireRising(batches, afterSeq)
  return batches
}

/** See `Journal.hashAt`. */
export async function hashAt(table: Rows, seq: Seq, end: Tail): Promise<Uint8Array | undefined> {
  if (seq < 1 || seq > end.seq) return undefined
  const [batch] = await readAfter(table, (seq - 1) as Seq, end, 0)
  return batch !== undefined && lastSeqOf(batch) === seq ? batch.hash : undefined
}

/** The commands quarantined by the journal's own batches. */
export function quarantinedIn(own: readonly Batch[]): readonly Quarantined[] {
  return own.filter(({ kind }) => kind === 'QUARANTINE').map(quarantinedBy)
}

/** Position of the first batch, up to `end`, that ends after `after`; `end.position + 1` if there is none. */
async function positionAfter(table: Rows, after: Seq, end: Tail): Promise<number> {
  // Positions and commands rise together, so a binary search finds the batch, without an index that every
  // commit would have to write.
  if (after >= end.seq) return end.position + 1
  let low = 0
  let high = end.position - 1
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2)
    const last = await table.lastSeqAt(middle)
    // A missing row gives no information: the search then continues below it, and reading continues up to the
    // place.
    if (last !== undefined && last <= after) low = middle
    else high = middle - 1
  }
  return low + 1
}

/** With a damaged key, reading could repeat forever. */
function requireRising(batches: readonly Batch[], afterSeq: Seq): void {
  let after = afterSeq
  for (const batch of batches) {
    if (lastSeqOf(batch) <= after) {
      const found = `position ${batch.position} ends at ${lastSeqOf(batch)}`
      throw new JournalFault('DAMAGED', `expected a batch after command ${after}; ${found}`)
    }
    after = lastSeqOf(batch)
  }
}
