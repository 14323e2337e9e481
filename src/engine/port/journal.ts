/**
 * The journal: every command the exchange ever took, in order, in batches chained by hash. One batch is one
 * commit. It knows nothing of what the commands mean. Also what may go wrong with storage, in one type.
 */
import { ByteWriter } from '../../units/bytes.ts'
import { invariant } from '../../units/invariant.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import type { ArchivePort } from '../archive/archived.ts'

/**
 * What went wrong with storage.
 * - `STORAGE_FULL`: no room; nothing was written, the same may work later.
 * - `NO_DESCRIPTORS`: the process, or the system, has no file descriptor left; nothing was opened, the same may work later.
 * - `FAILED`: a read, write or sync failed; what it left behind is unknown, so the node must stop.
 * - `DAMAGED`: bytes are not what was written; the message says where.
 * - `WITNESS`: the journal lacks what a witness remembers; the message says what was expected and the way on.
 * - `IN_USE`: another process holds the data directory.
 * - `UNSUPPORTED`: not a file of ours, of a newer format, or a runtime too old to trust.
 * - `SEALED`: the exchange goes on elsewhere; the message says where.
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

/** Storage failed us. */
export class JournalFault extends Error {
  override readonly name = 'JournalFault'
  readonly kind: JournalFaultKind

  constructor(kind: JournalFaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** What to do about a journal that this version cannot read although nothing of it is damaged. */
export const NEWER_WRITER =
  'another version of the program wrote it. Nothing was changed: start that version, or a newer one'

/** SHA-256 of the parts, one after the other: 32 bytes. */
export type Digest = (parts: readonly Uint8Array[]) => Uint8Array

/** Length of a hash. */
export const HASH_BYTES = 32

/**
 * What a batch holds, as the journal stores it: `COMMANDS` is all that an embedded node writes. A `QUARANTINE`, a `CLAIM`
 * of leadership (own-batches.ts) and a `SEAL` (seal.ts) are one command of the journal's own, which changes nothing of the
 * exchange; a journal that was in a cluster once has them wherever it is. No number is ever used twice, and an unknown one
 * is refused (docs/decisions/0023-stored-formats.md).
 */
export const BATCH_KINDS = { COMMANDS: 1, QUARANTINE: 2, CLAIM: 3, SEAL: 4 } as const
export type BatchKind = keyof typeof BATCH_KINDS

const KINDS: readonly BatchKind[] = ['COMMANDS', 'QUARANTINE', 'CLAIM', 'SEAL']

/** The kind that is stored as `code`. Throws `UNSUPPORTED` for any that is not `known`. */
export function kindOf(code: number, known: readonly BatchKind[] = KINDS): BatchKind {
  for (const kind of known) if (BATCH_KINDS[kind] === code) return kind
  throw new JournalFault('UNSUPPORTED', `a batch is of kind ${code}: ${NEWER_WRITER}`)
}

/** The epoch of a journal whose writer needs no leader to be chosen. */
export const EMBEDDED_EPOCH = 0

/** Commands made durable together; they share one time. */
export type Batch = {
  /** 1, 2, 3 ...: the key under which it is stored. */
  readonly position: number
  /** How often leadership had been claimed; `EMBEDDED_EPOCH` where it never is. */
  readonly epoch: number
  readonly kind: BatchKind
  readonly firstSeq: Seq
  /** Commands in it, at least 1. */
  readonly count: number
  readonly time: TimeMs
  /** Hash of the batch before; zeros before the first. */
  readonly previousHash: Uint8Array
  /** See `hashOfBatch`. */
  readonly hash: Uint8Array
  /** The commands, framed (frames.ts). */
  readonly data: Uint8Array
}

/**
 * What a batch takes beside its data: the record, its hash, and what the runtime keeps for each of its arrays. Some 950
 * bytes measured, where a batch of seven orders has 140 bytes of data.
 */
export const BATCH_OVERHEAD_BYTES = 1024

/** What a batch counts for wherever bytes of batches are limited: with data alone a limit would let through many times as much. */
export function sizeOf({ data }: Batch): number {
  return data.length + BATCH_OVERHEAD_BYTES
}

/** The end of the batch whose last command is `seq`; the hash covers all the rest of it. */
export type Mark = { readonly seq: Seq; readonly hash: Uint8Array }

/** The same, with the batch's position and epoch: what is remembered of a journal apart from it. */
export type JournalPosition = Mark & { readonly position: number; readonly epoch: number }

/** A place that somebody remembers, as he says it to others. */
export type RememberedPlace = JournalPosition & {
  /**
   * The name of the journal that it is of, made of the hash of its first batch; undefined: whoever remembers the place does not say. Then it is no reason to end
   * whoever is told of it: it may be of any journal, and only he who says it is refused.
   */
  readonly journal: string | undefined
}

const JOURNAL_NAME_BYTES = 16

/** The name of a cluster's journal, on whichever engine: of the hash of its first batch. */
export function journalName(firstHash: Uint8Array): string {
  return hexOf(firstHash.subarray(0, JOURNAL_NAME_BYTES))
}

/** Why a place of journal `theirs` is none of journal `ours`. */
export function otherJournal(theirs: string, ours: string): string {
  return `what is remembered is of journal ${theirs}, and this is journal ${ours}`
}

/** The end of the journal. */
export type Tail = JournalPosition & { readonly time: TimeMs }

/** The end of an empty journal, and what the first batch follows. */
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
  /** See `hashOfQuarantined`: binds the entry to the very batch that holds the command. */
  readonly check: Uint8Array
}

export interface Journal {
  /** The last batch's end as it is stored, durable even where the writer before was killed; `EMPTY_TAIL`: none. */
  readonly tail: Tail

  /**
   * The end of what lies in files of an archive, from which it is read as long as they are there: a start needs nothing before it. Undefined, or
   * `EMPTY_TAIL`: nothing does.
   */
  readonly beginning?: Tail | undefined

  /**
   * Adds the batch that follows `tail`; one at a time. Durable when the promise resolves. Rejects with `JournalFault`:
   * `STORAGE_FULL` (nothing was written) or `FAILED` (unknown; the journal takes no more).
   */
  append(batch: Batch): Promise<void>

  /**
   * Stored batches that end after `afterSeq`, oldest first, unverified: as many as fit into `maxBytes`, counted by
   * `sizeOf`, and at least one where there is one.
   */
  read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]>

  /** The stored hash of the batch that ends exactly at `seq`; undefined where none does. */
  hashAt(seq: Seq): Promise<Uint8Array | undefined>

  quarantined(): Promise<readonly Quarantined[]>

  /** Durable when the promise resolves. A journal that keeps it as a batch has a new `tail` then. Rejects as `append` does. */
  quarantine(entry: Quarantined): Promise<void>

  /**
   * A moment between two batches, for housekeeping that must not fall into one; `idle` when nobody waits.
   * Rejects with `FAILED` only.
   */
  maintain(idle: boolean): Promise<void>

  /**
   * Resolves when it is certain that no other writer had taken the journal when this was asked, so that a state without a new command
   * may be shown. Rejects with `FAILED`, and then the journal takes no more. Undefined: no other writer can.
   */
  readonly confirmLead?: (() => Promise<void>) | undefined

  /** Lets its older part move to files, between two batches. Undefined: it has no archive. */
  readonly archiving?: ArchivePort | undefined

  /** Lets go of the storage. Nothing else may be called afterwards. */
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

/** What the batch after `tail` begins with, before it is sealed by its hash. */
export function following(tail: Tail): Pick<Batch, 'position' | 'epoch' | 'firstSeq' | 'previousHash'> {
  const { position, epoch, seq, hash } = tail
  return { position: position + 1, epoch, firstSeq: (seq + 1) as Seq, previousHash: hash }
}

/** The batch with its hash. */
export function sealed(digest: Digest, batch: Omit<Batch, 'hash'>): Batch {
  return { ...batch, hash: hashOfBatch(digest, batch) }
}

/**
 * SHA-256 over the previous hash, then position, epoch, kind (one byte), first sequence number, count and time (LEB128
 * each), then the data.
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

/** SHA-256 over the hash of the batch that holds the command, then the command's sequence number (LEB128). */
export function hashOfQuarantined(digest: Digest, batchHash: Uint8Array, seq: Seq): Uint8Array {
  const bytes = new ByteWriter(HASH_BYTES + 8)
  bytes.raw(batchHash)
  bytes.uint(seq)
  return digest([bytes.peek()])
}

/** Only the batch after `tail` may be appended; any other is a bug of the writer's. */
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

/**
 * Throws `DAMAGED` unless `batch` is the one that follows `tail` and holds what was written. Returns the new
 * tail.
 */
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
      `${where}: its time ${batch.time} is before ${tail.time}, the batch's before`,
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

/** All bytes in hex: damage may have left the first ones of two hashes the same. */
export function hexOf(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}
