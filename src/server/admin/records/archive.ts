/**
 * Moves the older part of the journal to files while the node runs: `bourse archive` creates and verifies a
 * file, then makes the node record it and remove the archived part in pieces.
 */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { AdminArchive } from '../../../contract/admin/records.ts'
import type { ArchivePort, RecordedArchive, TrimProgress } from '../../../engine/archive/archived.ts'
import { HASH_BYTES, JournalFault } from '../../../engine/port/journal.ts'
import { seq, timeMs } from '../../../units/quantities.ts'
import { type AdminContext, AdminRequestError, invalid, requireOwnToken } from '../context.ts'
import { adminArchive } from './archive-record.ts'

export async function listArchives(context: AdminContext): Promise<AdminArchive[]> {
  return (await asked(context, (port) => port.archives())).map(adminArchive)
}

export async function recordArchive(
  context: AdminContext,
  request: AdminRequests['archive/record'],
): Promise<AdminResults['archive/record']> {
  requireOwnToken(context, 'recording an archive')
  const archive = recordedArchive(request)
  await asked(context, (port) => port.record(archive))
  return { recorded: true }
}

export async function trimArchived(
  context: AdminContext,
  { batchesMax }: AdminRequests['archive/trim'],
): Promise<TrimProgress> {
  requireOwnToken(context, 'removing archived batches')
  return asked(context, (port) => port.trim(batchesMax))
}

/** Turns a refusal by the journal into the operator's answer; anything else is a failure of the node. */
async function asked<Result>(
  { feed }: AdminContext,
  ask: (port: ArchivePort) => Promise<Result>,
): Promise<Result> {
  try {
    if (feed.archiving === undefined) throw new JournalFault('UNSUPPORTED', 'this journal has no archive')
    return await ask(feed.archiving)
  } catch (cause) {
    if (!(cause instanceof JournalFault)) throw cause
    const { message } = cause
    if (cause.kind === 'UNSUPPORTED') throw new AdminRequestError('NO_ARCHIVE', { message })
    if (cause.kind === 'DAMAGED') throw new AdminRequestError('JOURNAL_DAMAGED', { message })
    if (cause.kind === 'STORAGE_FULL') throw new AdminRequestError('STORAGE_FULL', { message })
    throw cause
  }
}

function recordedArchive(given: AdminArchive): RecordedArchive {
  const { position, epoch, time, bytes, file } = given
  return {
    after: { position: given.afterPosition, seq: seq(given.afterSeq) },
    end: { position, epoch, seq: seq(given.seq), time: timeMs(time), hash: hashOf('hash', given.hash) },
    firstHash: hashOf('firstHash', given.firstHash),
    digest: hashOf('digest', given.digest),
    bytes,
    file,
  }
}

function hashOf(field: string, text: string): Uint8Array {
  const bytes = new Uint8Array(Buffer.from(text, 'base64'))
  if (bytes.length === HASH_BYTES) return bytes
  throw invalid(field, `expected ${HASH_BYTES} bytes as base64, found ${bytes.length}`)
}
