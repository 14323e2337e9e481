/**
 * The journal: every accepted command of the exchange, in order, in batches chained by hash. One batch is one
 * commit. The journal does not interpret the commands. This file also has the type of all storage faults.
 */
import { ByteWriter } from '../../units/bytes.ts'
import { invariant } from '../../units/invariant.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import type { ArchivePort } from '../archive/archived.ts'

/**
 * The kinds of storage faults.
 * - `STORAGE_FULL`: no space; nothing was written, the same may work later.
 * - `NO_DESCRIPTORS`: the process, or the system, has no file descriptor left; nothing was opened, the same
 *   may work later.
 * - `FAILED`: a read, write or sync failed; the result is unknown, so the node must stop.
 * - `DAMAGED`: stored bytes have changed; the message gives the place.
 * - `WITNESS`: the journal lacks a position of a witness; the message gives what was expected and how to
 *   proceed.
 * - `IN_USE`: another process uses the data directory.
 * - `UNSUPPORTED`: not a file of this program, of a newer format, or a runtime too old to trust.
 * - `SEALED`: the exchange continues elsewhere; the message says where.
 */
export type JournalFaultKind =
  | 'STORAGE_FULL'
  | 'NO_DESCRIPTORS'
  | 'FAILED'
  | 'DAMAGED'
  | 'WITNESS'
  | 'IN_USE'
  | 'UNSUPPORTED'
  | 'SEALED'

/** Storage failed. */
export class JournalFault extends Error {
  override readonly name = 'JournalFault'
  readonly kind: JournalFaultKind

  constructor(kind: JournalFaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Advice for a journal that this version cannot read although it is not damaged. */
export const NEWER_WRITER =
  'another version of the program wrote it. Nothing was changed: start that version, or a newer one'

/** SHA-256 of the concatenated parts: 32 bytes. */
export type Digest = (parts: readonly Uint8Array[]) => Uint8Array

/** Length of a hash in bytes. */
export const HASH_BYTES = 32

/**
 * The kinds of batches in the journal: `COMMANDS` is the only one that an embedded node writes. A
 * `QUARANTINE`, a `CLAIM` of leadership (own-batches.ts) and a `SEAL` (seal.ts) are single commands of the
 * journal itself, which change nothing of the exchange; a journal that was once in a cluster contains them.
 * Numbers are never reused, and an unknown one is refused (docs/decisions/0023-stored-formats.md).
 */
export const BATCH_KINDS = { COMMANDS: 1, QUARANTINE: 2, CLAIM: 3, SEAL: 4 } as const
export type BatchKind = keyof typeof BATCH_KINDS

const KINDS: readonly BatchKind[] = ['COMMANDS', 'QUARANTINE', 'CLAIM', 'SEAL']

/** The kind stored as `code`. Throws `UNSUPPORTED` for any kind that is not in `known`. */
export function kindOf(code: number, known: readonly BatchKind[] = KINDS): BatchKind {
  for (const kind of known) if (BATCH_KINDS[kind] === code) return kind
  throw new JournalFault('UNSUPPORTED', `a batch is of kind ${code}: ${NEWER_WRITER}`)
}

/** The epoch of a journal that has a single writer and no leader. */
export const EMBEDDED_EPOCH = 0

/** Commands made durable together; they share one time. */
export type Batch = {
  /** 1, 2, 3 ...: the key under which it is stored. */
  readonly position: number
  /** Number of claims of leadership so far; `EMBEDDED_EPOCH` if leadership is never claimed. */
  readonly epoch: number
  readonly kind: BatchKind
  readonly firstSeq: Seq
  /** Number of commands in the batch, at least 1. */
  readonly count: number
  readonly time: TimeMs
  /** Hash of the previous batch; zeros in the first batch. */
  readonly previousHash: Uint8Array
  /** See `hashOfBatch`. */
  readonly hash: Uint8Array
  /** The commands, framed (frames.ts). */
  readonly data: Uint8Array
}

/**
 * Memory of a batch besides its data: the record, its hash, and the runtime's overhead for each of its
 * arrays. About 950 bytes measured, for a batch of seven orders with 140 bytes of data.
 */
export const BATCH_OVERHEAD_BYTES = 1024

/**
 * The size of a batch for all limits in bytes of batches: if only data counted, a limit would admit many
 * times as much.
 */
export function sizeOf({ data }: Batch): number {
  return data.length + BATCH_OVERHEAD_BYTES
}

/**
 * The end of the batch whose last command is `seq`, with the batch's hash, which covers everything before it.
 */
export type Mark = { readonly seq: Seq; readonly hash: Uint8Array }

/** The end of a batch with its position and epoch: the record of a journal's end that is kept outside it. */
export type JournalPosition = Mark & { readonly position: number; readonly epoch: number }

/** A position that a peer has seen, as it presents it to others. */
export type RememberedPlace = JournalPosition & {
  /**
   * The name of its journal, made from the hash of its first batch; undefined if the peer does not give it.
   * Then the position may belong to any journal: it is no reason to end the receiver, and only the peer is
   * refused.
   */
  readonly journal: string | undefined
}

const JOURNAL_NAME_BYTES = 16

/** The name of a cluster's journal, the same on every engine: made from the hash of its first batch. */
export function journalName(firstHash: Uint8Array): string {
  return hexOf(firstHash.subarray(0, JOURNAL_NAME_BYTES))
}

/** The reason why a position of journal `theirs` is no position of journal `ours`. */
export function otherJournal(theirs: string, ours: string): string {
  return `the remembered position belongs to journal ${theirs}, and this is journal ${ours}`
}

/** The end of the journal. */
export type Tail = JournalPosition & { readonly time: TimeMs }

/** The end of an empty journal, which the first batch follows. */
export const EMPTY_TAIL: Tail = {
  position: 0,
  epoch: EMBEDDED_EPOCH,
  seq: 0 as Seq,
  time: 0 as TimeMs,
  hash: new Uint8Array(HASH_BYTES),
}

/** A command that must be refused without being applied, because applying it is a known bug. */
export type Quarantined = {
  readonly seq: Seq
  /** See `hashOfQuarantined`: binds the entry to the one batch that contains the command. */
  readonly check: Uint8Array
}

export interface Journal {
  /**
   * The end of the last stored batch, durable even if the previous writer was killed; `EMPTY_TAIL` if there
   * is none.
   */
  readonly tail: Tail

  /**
   * The end of the archived part, which is read from its files while they exist: a start needs nothing before
   * it. Undefined or `EMPTY_TAIL` if nothing is archived.
   */
  readonly beginning?: Tail | undefined

  /**
   * Adds the batch that follows `tail`; one at a time. Durable when the promise resolves. Rejects with
   * `JournalFault`: `STORAGE_FULL` (nothing was written) or `FAILED` (unknown; the journal accepts nothing
   * more).
   */
  append(batch: Batch): Promise<void>

  /**
   * Stored batches that end after `afterSeq`, oldest first, unverified: as many as fit into `maxBytes`,
   * counted by `sizeOf`, and at least one if any is stored.
   */
  read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]>

  /** The stored hash of the batch that ends exactly at `seq`; undefined if there is none. */
  hashAt(seq: Seq): Promise<Uint8Array | undefined>

  quarantined(): Promise<readonly Quarantined[]>

  /**
   * Adds an entry to the quarantine. Durable when the promise resolves. A journal that stores the entry as a
   * batch then has a new `tail`. Rejects like `append`.
   */
  quarantine(entry: Quarantined): Promise<void>

  /**
   * Called between two batches, for housekeeping that must not happen within one; `idle` is true when no
   * request waits. Rejects only with `FAILED`.
   */
  maintain(idle: boolean): Promise<void>

  /**
   * Resolves when it is certain that no other writer had taken the journal at the time of the call, so that a
   * state may be shown without a new command. Rejects with `FAILED`, and then the journal accepts nothing
   * more. Undefined if no other writer is possible.
   */
  readonly confirmLead?: (() => Promise<void>) | undefined

  /**
   * Moves the journal's older part to files, between two batches. Undefined if the journal has no archive.
   */
  readonly archiving?: ArchivePort | undefined

  /** Releases the storage. Nothing else may be called afterwards. */
  close(): Promise<void>
}

/** Sequence number of the batch's last command. */
export function lastSeqOf(batch: Batch): Seq {
  return (batch.firstSeq + batch.count - 1) as Seq
}

/** The journal's end once `batch` is its last. */
export function endOf(batch: Batch): Tail {
  const { position, epoch, time, hash } = batch
  return { position, epoch, seq: lastSeqOf(batch), time, hash }
}

/** The first fields of the batch after `tail`, before it is sealed by its hash. */
export function following(tail: Tail): Pick<Batch, 'position' | 'epoch' | 'firstSeq' | 'previousHash'> {
  const { position, epoch, seq, hash } = tail
  return { position: position + 1, epoch, firstSeq: (seq + 1) as Seq, previousHash: hash }
}

/** The batch with its hash. */
export function sealed(digest: Digest, batch: Omit<Batch, 'hash'>): Batch {
  return { ...batch, hash: hashOfBatch(digest, batch) }
}

/**
 * SHA-256 over the previous hash, then position, epoch, kind (one byte), first sequence number, count and
 * time (LEB128 each), then the data.
 */
export function hashOfBatch(digest: Digest, batch: Omit<Batch, 'hash'>): Uint8Array {
  const head = new ByteWriter(HASH_BYTES + 40)
  head.raw(batch.previousHash)
  head.uint(batch.position)
  head.uint(batch.epoch)
  head.u8(BATCH_KINDS[batch.kind])
  head.uint(batch.firstSeq)
  head.uint(batch.count)
  head.uint(batch.time)
  return digest([head.peek(), batch.data])
}

/**
 * SHA-256 over the hash of the batch that contains the command, then the command's sequence number (LEB128).
 */
export function hashOfQuarantined(digest: Digest, batchHash: Uint8Array, seq: Seq): Uint8Array {
  const bytes = new ByteWriter(HASH_BYTES + 8)
  bytes.raw(batchHash)
  bytes.uint(seq)
  return digest([bytes.peek()])
}

/** Only the batch after `tail` may be appended; any other is a bug of the writer. */
export function requireNext({ position, epoch, firstSeq, previousHash }: Batch, tail: Tail): void {
  invariant(
    position === tail.position + 1 && epoch >= tail.epoch,
    () => `expected position ${tail.position + 1} in epoch ${tail.epoch}, found ${position} in ${epoch}`,
  )
  invariant(firstSeq === tail.seq + 1, () => `expected command ${tail.seq + 1} next, found ${firstSeq}`)
  invariant(
    sameBytes(previousHash, tail.hash),
    () => `expected a batch that follows hash ${hexOf(tail.hash)}, found ${hexOf(previousHash)}`,
  )
}

/** Throws `DAMAGED` unless `batch` follows `tail` and is intact. Returns the new tail. */
export function verifyBatch(digest: Digest, tail: Tail, batch: Batch): Tail {
  const where = `batch ${batch.firstSeq} to ${lastSeqOf(batch)} of the journal`
  if (batch.firstSeq !== tail.seq + 1 || batch.count < 1) {
    throw new JournalFault('DAMAGED', `${where}: expected it to start at command ${tail.seq + 1}`)
  }
  if (batch.position !== tail.position + 1 || batch.epoch < tail.epoch) {
    const expected = `position ${tail.position + 1} in epoch ${tail.epoch} or later`
    throw new JournalFault(
      'DAMAGED',
      `${where}: expected ${expected}, found ${batch.position} in epoch ${batch.epoch}`,
    )
  }
  if (batch.time < tail.time) {
    throw new JournalFault(
      'DAMAGED',
      `${where}: its time ${batch.time} is before ${tail.time}, the time of the previous batch`,
    )
  }
  if (!sameBytes(batch.previousHash, tail.hash)) {
    const found = hexOf(batch.previousHash)
    throw new JournalFault(
      'DAMAGED',
      `${where}: expected it to follow hash ${hexOf(tail.hash)}, found ${found}`,
    )
  }
  const hash = hashOfBatch(digest, batch)
  if (!sameBytes(hash, batch.hash)) {
    const found = hexOf(batch.hash)
    throw new JournalFault('DAMAGED', `${where}: its contents have hash ${hexOf(hash)}, expected ${found}`)
  }
  return endOf(batch)
}

/** All bytes in hex: after damage, two different hashes may begin with the same bytes. */
export function hexOf(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}
