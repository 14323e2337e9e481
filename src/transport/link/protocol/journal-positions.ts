/** The encoding of journal positions on a link. */
import { HASH_BYTES, type JournalPosition } from '../../../engine/port/journal.ts'
import type { ByteReader, ByteWriter } from '../../../units/bytes.ts'
import { seq } from '../../../units/quantities.ts'

export function writePosition(writer: ByteWriter, { position, epoch, seq, hash }: JournalPosition): void {
  writer.uint(position)
  writer.uint(epoch)
  writer.uint(seq)
  writer.raw(hash)
}

/** Throws `BytesFault`. */
export function readPosition(reader: ByteReader): JournalPosition {
  return {
    position: reader.uint(),
    epoch: reader.uint(),
    seq: seq(reader.uint()),
    hash: reader.raw(HASH_BYTES).slice(),
  }
}

export function writeOptionalPosition(writer: ByteWriter, position: JournalPosition | undefined): void {
  writer.bool(position !== undefined)
  if (position !== undefined) writePosition(writer, position)
}

/** Throws `BytesFault`. */
export function readOptionalPosition(reader: ByteReader): JournalPosition | undefined {
  return reader.bool() ? readPosition(reader) : undefined
}

/** The later of two confirmed positions; undefined if neither is known. */
export function laterPosition(
  known: JournalPosition | undefined,
  other: JournalPosition | undefined,
): JournalPosition | undefined {
  if (known === undefined || other === undefined) return known ?? other
  return other.position > known.position ? other : known
}
