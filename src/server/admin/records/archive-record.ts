/** A recorded file of the journal, as the admin server and its programs write it. */

import type { AdminArchive } from '../../../contract/admin/records.ts'
import type { RecordedArchive } from '../../../engine/archive/archived.ts'

export function adminArchive({ after, end, firstHash, digest, bytes, file }: RecordedArchive): AdminArchive {
  const { hash, ...last } = end
  const hashes = { hash: base64(hash), firstHash: base64(firstHash), digest: base64(digest) }
  return { afterPosition: after.position, afterSeq: after.seq, ...last, ...hashes, bytes, file }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
