/**
 * The journal's own batches: the cluster's leader from a batch on, and skipped commands. Each is one frame,
 * so that it takes one sequence number and every reader of batches skips it; a replay refuses it and changes
 * nothing else.
 */
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import type { Seq } from '../../units/quantities.ts'
import { FRAME_HEAD_BYTES } from '../port/frames.ts'
import {
  type Batch,
  type BatchKind,
  type Digest,
  following,
  HASH_BYTES,
  JournalFault,
  type Quarantined,
  sealed,
  type Tail,
} from '../port/journal.ts'

/** Format of such a batch's content; any other belongs to a newer version. */
const FORM = 1

/**
 * Random bytes of a claim: they differ between two claimants, so that their batches never have the same hash.
 */
export const CLAIM_NONCE_BYTES = 16

/** Longest name of a claimant in characters. */
export const CLAIMANT_CHARACTERS_MAX = 64

export type Claim = {
  /** The claimant's name, for people: 1 to `CLAIMANT_CHARACTERS_MAX` characters. */
  readonly name: string
  /** `CLAIM_NONCE_BYTES` random bytes. */
  readonly nonce: Uint8Array
}

/**
 * The batch that begins the epoch after `tail`'s. It has the same time as the previous batch: claiming needs
 * no clock.
 */
export function claimBatch(digest: Digest, tail: Tail, { name, nonce }: Claim): Batch {
  const head = { ...following(tail), epoch: tail.epoch + 1 }
  return ownBatch(digest, tail, 'CLAIM', head, (writer) => {
    writer.text(name)
    writer.raw(nonce)
  })
}

/** The batch that makes every replay skip command `entry.seq`. */
export function quarantineBatch(digest: Digest, tail: Tail, { seq, check }: Quarantined): Batch {
  return ownBatch(digest, tail, 'QUARANTINE', following(tail), (writer) => {
    writer.uint(seq)
    writer.raw(check)
  })
}

/** The claimant of `batch`, of kind `CLAIM`. Throws `JournalFault`. */
export function claimOf(batch: Batch): Claim {
  return readOwn(batch, (reader) => ({ name: reader.text(), nonce: reader.raw(CLAIM_NONCE_BYTES).slice() }))
}

/** The command quarantined by `batch`, of kind `QUARANTINE`. Throws `JournalFault`. */
export function quarantinedBy(batch: Batch): Quarantined {
  return readOwn(batch, (reader) => ({ seq: reader.uint() as Seq, check: reader.raw(HASH_BYTES).slice() }))
}

/** A batch of kind `kind` that contains one command of the journal's own. */
export function ownBatch(
  digest: Digest,
  { time }: Tail,
  kind: BatchKind,
  head: ReturnType<typeof following>,
  write: (writer: ByteWriter) => void,
): Batch {
  const writer = new ByteWriter(128)
  writer.u32(0)
  writer.u8(FORM)
  write(writer)
  writer.u32At(0, writer.length - FRAME_HEAD_BYTES)
  return sealed(digest, { ...head, kind, count: 1, time, data: writer.take() })
}

/** Reads the content of one of the journal's own batches. Throws `JournalFault`. */
export function readOwn<T>(batch: Batch, read: (reader: ByteReader) => T): T {
  const where = `the ${batch.kind} at position ${batch.position} of the journal`
  try {
    const reader = new ByteReader(batch.data)
    const length = reader.u32()
    const form = reader.u8()
    if (form !== FORM) throw new JournalFault('UNSUPPORTED', `${where} has form ${form}, expected ${FORM}`)
    const found = read(reader)
    reader.end()
    if (length !== batch.data.length - FRAME_HEAD_BYTES) throw new BytesFault(`its length field is ${length}`)
    return found
  } catch (cause) {
    if (!(cause instanceof BytesFault)) throw cause
    throw new JournalFault('DAMAGED', `${where} cannot be read: ${cause.message}`, { cause })
  }
}
