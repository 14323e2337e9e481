/**
 * The journal read from some position to its end; each batch is checked to be intact and to follow the
 * previous one.
 */

import type { Seq } from '../../../units/quantities.ts'
import {
  type Batch,
  type Digest,
  type Journal,
  JournalFault,
  type Tail,
  verifyBatch,
} from '../../port/journal.ts'
import { READ_BYTES_MAX } from '../../port/limits.ts'

/** The batches of one read of the journal, and their end. */
export type VerifiedBatches = { readonly batches: readonly Batch[]; readonly tail: Tail }

/**
 * Everything after `from`, one read at a time. Throws `DAMAGED`, with the batch, before anything after it is
 * returned.
 */
export async function* verifiedBatches(
  journal: Pick<Journal, 'read'> & { readonly tail: { readonly seq: Seq } },
  digest: Digest,
  from: Tail,
  readBytesMax = READ_BYTES_MAX,
): AsyncGenerator<VerifiedBatches, void> {
  let tail = from
  const end = journal.tail.seq
  while (tail.seq < end) {
    const batches = await journal.read(tail.seq, readBytesMax)
    if (batches.length === 0) {
      throw new JournalFault('DAMAGED', `expected a batch after command ${tail.seq} of ${end}, found none`)
    }
    for (const batch of batches) tail = verifyBatch(digest, tail, batch)
    yield { batches, tail }
  }
}
