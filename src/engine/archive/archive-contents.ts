/**
 * The description of an archive file, as bytes: the part of the journal that it contains, the places of its
 * blocks, and the state at its end. A file contains everything needed to check it. The driver decides how
 * blocks are compressed, and where files are.
 */
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import { type Seq, seq, timeMs } from '../../units/quantities.ts'
import { HASH_BYTES, type Quarantined, type Tail } from '../port/journal.ts'

/** Bytes of the file that are compressed together. */
export type FilePart = {
  readonly offset: number
  readonly bytes: number
  /** Uncompressed size in bytes. */
  readonly plainBytes: number
  /** SHA-256 of the part as stored in the file. */
  readonly digest: Uint8Array
}

/** Batches that are compressed together. */
export type ArchiveBlock = FilePart & {
  /** The end of the block's last batch. The block begins at the end of the previous one. */
  readonly end: Tail
}

export type ArchiveContents = {
  /** The end of the batch before the file's first batch; `EMPTY_TAIL` if the file begins the journal. */
  readonly begin: Tail
  /** The end of the file's last batch. */
  readonly end: Tail
  /** Hash of the journal's very first batch: it identifies copies of one journal. */
  readonly firstHash: Uint8Array
  /** Quarantined commands in the file. */
  readonly quarantined: readonly Quarantined[]
  readonly blocks: readonly ArchiveBlock[]
  /** The state at `end`, encoded as in a snapshot, and its SHA-256. */
  readonly stateHash: Uint8Array
  readonly state: readonly FilePart[]
  /** The snapshot at or after `end` whose state the replay reached when the file was made. */
  readonly confirmedSeq: Seq
}

/** Batches in the file. */
export function batchesIn({ begin, end }: Pick<ArchiveContents, 'begin' | 'end'>): number {
  return end.position - begin.position
}

export function encodeContents(contents: ArchiveContents): Uint8Array {
  const writer = new ByteWriter()
  writeTail(writer, contents.begin)
  writeTail(writer, contents.end)
  writer.raw(contents.firstHash)
  writer.uint(contents.quarantined.length)
  for (const { seq, check } of contents.quarantined) {
    writer.uint(seq)
    writer.raw(check)
  }
  writer.uint(contents.blocks.length)
  for (const block of contents.blocks) {
    writePart(writer, block)
    writeTail(writer, block.end)
  }
  writer.raw(contents.stateHash)
  writer.uint(contents.state.length)
  for (const piece of contents.state) writePart(writer, piece)
  writer.uint(contents.confirmedSeq)
  return writer.take()
}

/**
 * Throws `BytesFault` if the bytes are not valid contents, or if the blocks do not lead from `begin` to
 * `end`.
 */
export function decodeContents(bytes: Uint8Array): ArchiveContents {
  const reader = new ByteReader(bytes)
  const begin = readTail(reader)
  const end = readTail(reader)
  const firstHash = reader.raw(HASH_BYTES).slice()
  const quarantined = listOf(reader, () => ({
    seq: seq(reader.uint()),
    check: reader.raw(HASH_BYTES).slice(),
  }))
  const blocks = listOf(reader, () => ({ ...readPart(reader), end: readTail(reader) }))
  const stateHash = reader.raw(HASH_BYTES).slice()
  const state = listOf(reader, () => readPart(reader))
  const confirmedSeq = seq(reader.uint())
  reader.end()
  const contents = { begin, end, firstHash, quarantined, blocks, stateHash, state, confirmedSeq }
  requireSense(contents)
  return contents
}

function requireSense({ begin, end, blocks, confirmedSeq }: ArchiveContents): void {
  let at: Pick<Tail, 'position' | 'seq'> = begin
  for (const block of blocks) {
    if (block.end.position <= at.position || block.end.seq <= at.seq)
      throw new BytesFault(
        `a block ends at position ${block.end.position}, and the previous one at ${at.position}`,
      )
    at = block.end
  }
  if (at.position !== end.position || at.seq !== end.seq)
    throw new BytesFault(`its blocks end at position ${at.position}, but its head has ${end.position}`)
  if (blocks.length === 0 || confirmedSeq < end.seq)
    throw new BytesFault(`it has ${blocks.length} blocks, and was confirmed at command ${confirmedSeq}`)
}

function listOf<Entry>(reader: ByteReader, read: () => Entry): Entry[] {
  const entries: Entry[] = []
  for (let left = reader.uint(); left > 0; left--) entries.push(read())
  return entries
}

function writeTail(writer: ByteWriter, { position, epoch, seq, time, hash }: Tail): void {
  for (const value of [position, epoch, seq, time]) writer.uint(value)
  writer.raw(hash)
}

function readTail(reader: ByteReader): Tail {
  const place = { position: reader.uint(), epoch: reader.uint() }
  const last = { seq: seq(reader.uint()), time: timeMs(reader.uint()) }
  return { ...place, ...last, hash: reader.raw(HASH_BYTES).slice() }
}

function writePart(writer: ByteWriter, { offset, bytes, plainBytes, digest }: FilePart): void {
  for (const value of [offset, bytes, plainBytes]) writer.uint(value)
  writer.raw(digest)
}

function readPart(reader: ByteReader): FilePart {
  const place = { offset: reader.uint(), bytes: reader.uint(), plainBytes: reader.uint() }
  return { ...place, digest: reader.raw(HASH_BYTES).slice() }
}
