/**
 * Batches of an archive as bytes. Derived values are not stored: positions, command numbers and all hashes
 * except the last. A reader of a block computes its chain and compares the end.
 */
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import { invariant } from '../../units/invariant.ts'
import { timeMs } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import {
  BATCH_KINDS,
  type Batch,
  type Digest,
  endOf,
  following,
  hexOf,
  JournalFault,
  kindOf,
  requireNext,
  sealed,
  sizeOf,
  type Tail,
} from '../port/journal.ts'

/**
 * A block ends before its size (`sizeOf`) would exceed this: a reader keeps that much in memory, and hashes
 * about 250 batches in a millisecond.
 */
export const BLOCK_BYTES_MAX = 256 * 1024

/** Gathers batches that follow one another until they fill a block. */
export class BlockBuilder {
  readonly #writer = new ByteWriter(64 * 1024)
  #tail: Tail
  #size = 0

  constructor(begin: Tail) {
    this.#tail = begin
  }

  /** The end of the last batch added. */
  get tail(): Tail {
    return this.#tail
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** Whether the block must be taken before `batch` is added. */
  isFullFor(batch: Batch): boolean {
    return !this.isEmpty && this.#size + sizeOf(batch) > BLOCK_BYTES_MAX
  }

  /** Adds the next batch. */
  add(batch: Batch): void {
    requireNext(batch, this.#tail)
    const { epoch, kind, count, time, data } = batch
    for (const value of [epoch - this.#tail.epoch, BATCH_KINDS[kind], count, time - this.#tail.time])
      this.#writer.uint(value)
    this.#writer.bytes(data)
    this.#tail = endOf(batch)
    this.#size += sizeOf(batch)
  }

  /** Returns the block and begins a new one. */
  take(): Uint8Array {
    invariant(!this.isEmpty, () => 'a block has at least one batch')
    const bytes = this.#writer.take()
    this.#writer.reset()
    this.#size = 0
    return bytes
  }
}

/** The batches of a block that begins after `begin`. Throws `DAMAGED` unless they lead to `end`. */
export function batchesOfBlock(digest: Digest, bytes: Uint8Array, begin: Tail, end: Tail): readonly Batch[] {
  const where = `commands ${begin.seq + 1} to ${end.seq}`
  const batches: Batch[] = []
  let tail = begin
  try {
    const reader = new ByteReader(bytes)
    while (!reader.atEnd) {
      const batch = readBatch(reader, digest, tail)
      batches.push(batch)
      tail = endOf(batch)
    }
  } catch (cause) {
    if (!(cause instanceof BytesFault)) throw cause
    throw new JournalFault('DAMAGED', `${where}: ${cause.message}`, { cause })
  }
  if (tail.seq === end.seq && sameBytes(tail.hash, end.hash)) return batches
  const found = `hash ${hexOf(tail.hash)} at command ${tail.seq}`
  throw new JournalFault(
    'DAMAGED',
    `${where}: their contents end with ${found}, expected hash ${hexOf(end.hash)}`,
  )
}

function readBatch(reader: ByteReader, digest: Digest, tail: Tail): Batch {
  const next = following(tail)
  const epoch = tail.epoch + reader.uint()
  const kind = kindOf(reader.uint())
  const count = reader.uint()
  if (count < 1) throw new BytesFault(`the batch at position ${next.position} has no commands`)
  const time = timeMs(tail.time + reader.uint())
  return sealed(digest, { ...next, epoch, kind, count, time, data: reader.bytes() })
}
