/** Appends batches, and examines the result. */

import { batchAfter } from '../../../src/engine/port/journal.contract.ts'
import {
  type Batch,
  EMPTY_TAIL,
  type Journal,
  JournalFault,
  verifyBatch,
} from '../../../src/engine/port/journal.ts'
import type { PostgresJournal } from '../../../src/storage/postgres/journal.ts'
import { sha256 } from '../../../src/storage/sha256.ts'
import type { Seq } from '../../../src/units/quantities.ts'

const ALL_BYTES = 1 << 28

/** The fault of an append; undefined if it was acknowledged. */
export function faultOf(work: Promise<unknown>): Promise<JournalFault | undefined> {
  return work.then(
    () => undefined,
    (cause) => {
      if (cause instanceof JournalFault) return cause
      throw cause
    },
  )
}

/** Everything stored; each batch must follow the previous one. */
export async function verified(journal: Journal): Promise<readonly Batch[]> {
  const batches = await journal.read(0 as Seq, ALL_BYTES)
  let tail = EMPTY_TAIL
  for (const batch of batches) tail = verifyBatch(sha256, tail, batch)
  return batches
}

/** Hashes in hex, for comparing batches. */
export function named(batches: readonly Batch[]): string[] {
  return batches.map(({ hash }) => Buffer.from(hash).toString('hex'))
}

/** Appends until the journal refuses; returns the acknowledged batches. */
export async function appendUntilRefused(journal: PostgresJournal, bytes = 100): Promise<readonly Batch[]> {
  const acknowledged: Batch[] = []
  for (;;) {
    const batch = batchAfter(journal.tail, 1, bytes)
    if ((await faultOf(journal.append(batch))) !== undefined) return acknowledged
    acknowledged.push(batch)
  }
}
