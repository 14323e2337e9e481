/**
 * The journal through the admin server, for auditors and backups while the node runs: stored batches, pulled
 * at the caller's pace. Each pull makes the writer wait for one bounded read.
 */

import type { AdminRequests } from '../../../contract/admin/admin.ts'
import { JOURNAL_BYTES_MAX } from '../../../contract/admin/operations/bounds.ts'
import type { AdminBatch } from '../../../contract/admin/records.ts'
import { BATCH_KINDS, type Batch, JournalFault, lastSeqOf } from '../../../engine/port/journal.ts'
import { type Seq, seq } from '../../../units/quantities.ts'
import { type AdminContext, AdminRequestError } from '../context.ts'

/**
 * Batches after a command; none after the last command that the views show, so that the request does not wait
 * for the next commit.
 */
export async function readJournal(
  { feed, seq: shownSeq }: AdminContext,
  { after, bytesMax = JOURNAL_BYTES_MAX }: AdminRequests['journal/read'],
): Promise<AdminBatch[]> {
  const end = shownSeq()
  if (after >= end) return []
  const batches = await feed.next(seq(after), bytesMax).catch((cause: unknown) => {
    const isDamage = cause instanceof JournalFault && cause.kind === 'DAMAGED'
    throw isDamage ? new AdminRequestError('JOURNAL_DAMAGED', { message: cause.message }) : cause
  })
  return batches.filter((batch) => lastSeqOf(batch) <= end).map(adminBatch)
}

export async function quarantined({ feed }: AdminContext): Promise<Seq[]> {
  return [...(await feed.quarantined())]
}

function adminBatch({ kind, previousHash, hash, data, ...head }: Batch): AdminBatch {
  const bytes = { previousHash: base64(previousHash), hash: base64(hash), data: base64(data) }
  return { ...head, kind: BATCH_KINDS[kind], ...bytes }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
