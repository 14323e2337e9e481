/**
 * Copies the newest snapshot of another process piece by piece, and rejects a snapshot if its hash differs
 * from the hash in its header.
 */
import type {
  Snapshot,
  SnapshotHead,
  SnapshotPieces,
  SnapshotToCopy,
} from '../../../engine/port/snapshots.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { sameBytes } from '../../../units/typed-arrays.ts'
import { LinkFault } from '../protocol/link-fault.ts'
import { PIECE_BYTES_MAX } from '../serving/replica-questions.ts'

/** Largest accepted payload: the copy is kept in memory. */
const SNAPSHOT_BYTES_MAX = 2 * 1024 * 1024 * 1024

/** Maximum number of attempts: the source may drop a snapshot while it is being copied slowly. */
const TRIES = 3

/**
 * Undefined if there is none. Rejects with `LinkFault` if no snapshot of at most `bytesMax` could be copied,
 * and with the errors of `source`.
 */
export async function copySnapshot(
  source: SnapshotPieces,
  bytesMax = SNAPSHOT_BYTES_MAX,
): Promise<Snapshot | undefined> {
  let problem = ''
  for (let tried = 0; tried < TRIES; tried++) {
    const newest = await source.newest()
    if (newest === undefined) return undefined
    const payload = await payloadOf(source, newest, bytesMax)
    if (payload instanceof Uint8Array) return { ...newest.head, payload }
    problem = payload.problem
  }
  throw new LinkFault('BAD_FRAME', `no snapshot could be copied: ${problem}`)
}

async function payloadOf(
  source: SnapshotPieces,
  { head, payloadBytes }: SnapshotToCopy,
  bytesMax: number,
): Promise<Uint8Array | { readonly problem: string }> {
  if (payloadBytes > bytesMax)
    return { problem: `snapshot ${head.seq} has ${payloadBytes} bytes, expected at most ${bytesMax}` }
  const payload = new Uint8Array(payloadBytes)
  let at = 0
  while (at < payloadBytes) {
    const piece = await source.piece(head, at, Math.min(PIECE_BYTES_MAX, payloadBytes - at))
    if (piece === undefined) return { problem: `snapshot ${head.seq} was released` }
    if (piece.length === 0 || piece.length > payloadBytes - at) return cut(head)
    payload.set(piece, at)
    at += piece.length
  }
  return sameBytes(sha256([payload]), head.stateHash) ? payload : cut(head)
}

function cut(head: SnapshotHead): { readonly problem: string } {
  return { problem: `snapshot ${head.seq} does not match its header` }
}
