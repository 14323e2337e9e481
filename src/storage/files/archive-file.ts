/**
 * An archive file, for reading: parts compressed by zstd, then the contents
 * (engine/archive/archive-contents.ts), then a trailer that locates them. It is written once and never
 * changed, and has everything needed to verify it.
 *
 * Head: 8 bytes of magic, format version (u32). Trailer: offset of the contents (u64), their length (u32),
 * their SHA-256 (32), the magic again. Numbers are little-endian.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { batchesOfBlock } from '../../engine/archive/archive-block.ts'
import { type ArchiveContents, decodeContents, type FilePart } from '../../engine/archive/archive-contents.ts'
import { type Batch, HASH_BYTES, hexOf, JournalFault, NEWER_WRITER } from '../../engine/port/journal.ts'
import { BytesFault } from '../../units/bytes.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { sha256 } from '../sha256.ts'
import { fileFault } from './directory.ts'

export const ARCHIVE_MAGIC = new TextEncoder().encode('BRSARCHV')
export const ARCHIVE_FORMAT = 1
export const ARCHIVE_HEAD_BYTES = ARCHIVE_MAGIC.length + 4
export const ARCHIVE_TRAILER_BYTES = 8 + 4 + HASH_BYTES + ARCHIVE_MAGIC.length

/** Limit of a file's contents: 64 MiB are about 400,000 blocks, or 400 million batches. */
const CONTENTS_BYTES_MAX = 64 * 1024 * 1024

export class ArchiveFile {
  readonly path: string
  readonly contents: ArchiveContents
  /** SHA-256 of the contents, which include the digests of everything else in the file. */
  readonly digest: Uint8Array
  /** Size of the whole file. */
  readonly bytes: number
  readonly #fd: number

  /** Throws `JournalFault`: `DAMAGED` if it is missing or incomplete, `UNSUPPORTED` for another format. */
  static open(path: string): ArchiveFile {
    let fd: number
    try {
      fd = openSync(path, 'r')
    } catch (cause) {
      const isAbsent = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
      if (isAbsent)
        throw new JournalFault('DAMAGED', `the archive ${path} is missing: put it back`, { cause })
      throw fileFault(cause, `cannot open the archive ${path}`)
    }
    try {
      return new ArchiveFile(path, fd)
    } catch (cause) {
      closeSync(fd)
      throw asFault(cause, path)
    }
  }

  private constructor(path: string, fd: number) {
    this.path = path
    this.#fd = fd
    this.bytes = fstatSync(fd).size
    const head = this.#read(0, ARCHIVE_HEAD_BYTES)
    if (!sameBytes(head.subarray(0, ARCHIVE_MAGIC.length), ARCHIVE_MAGIC))
      throw new BytesFault('it has no archive header')
    const format = viewOf(head).getUint32(ARCHIVE_MAGIC.length, true)
    if (format !== ARCHIVE_FORMAT)
      throw new JournalFault(
        'UNSUPPORTED',
        `it has format ${format}, this version reads ${ARCHIVE_FORMAT}: ${NEWER_WRITER}`,
      )
    const trailer = this.#read(this.bytes - ARCHIVE_TRAILER_BYTES, ARCHIVE_TRAILER_BYTES)
    if (!sameBytes(trailer.subarray(12 + HASH_BYTES), ARCHIVE_MAGIC))
      throw new BytesFault('it has no archive trailer: it was truncated')
    const view = viewOf(trailer)
    const contents = this.#read(Number(view.getBigUint64(0, true)), view.getUint32(8, true))
    this.digest = trailer.slice(12, 12 + HASH_BYTES)
    if (!sameBytes(sha256([contents]), this.digest))
      throw new BytesFault('the checksum of its contents does not match')
    this.contents = decodeContents(contents)
  }

  /** The batches of block `index`; their hash chain is computed and compared. Throws `JournalFault`. */
  block(index: number): readonly Batch[] {
    const { blocks, begin } = this.contents
    const block = blocks[index]
    if (block === undefined) throw new Error(`${this.path} has ${blocks.length} blocks, requested ${index}`)
    const before = blocks[index - 1]?.end ?? begin
    try {
      return batchesOfBlock(sha256, this.#part(block), before, block.end)
    } catch (cause) {
      throw asFault(cause, this.path)
    }
  }

  /** The state at the end of the file, encoded as in a snapshot. Throws `JournalFault`. */
  state(): Uint8Array {
    try {
      const pieces = this.contents.state.map((piece) => this.#part(piece))
      const payload = new Uint8Array(Buffer.concat(pieces))
      if (sameBytes(sha256([payload]), this.contents.stateHash)) return payload
      throw new BytesFault('the hash of the state at its end does not match')
    } catch (cause) {
      throw asFault(cause, this.path)
    }
  }

  /**
   * Whether its name still refers to this file. A file that was removed or replaced can be read until it is
   * closed, and is then lost.
   */
  get isInPlace(): boolean {
    try {
      const named = statSync(this.path)
      const own = fstatSync(this.#fd)
      return named.dev === own.dev && named.ino === own.ino
    } catch {
      // The next caller that opens the file gets the error.
      return false
    }
  }

  close(): void {
    closeSync(this.#fd)
  }

  #part({ offset, bytes, plainBytes, digest }: FilePart): Uint8Array {
    const stored = this.#read(offset, bytes)
    const found = sha256([stored])
    if (!sameBytes(found, digest))
      throw new BytesFault(`${bytes} bytes at ${offset} have hash ${hexOf(found)}, expected ${hexOf(digest)}`)
    const plain = zstdDecompressSync(stored, { maxOutputLength: plainBytes })
    if (plain.length !== plainBytes)
      throw new BytesFault(`the part at ${offset} has ${plain.length} bytes, expected ${plainBytes}`)
    return new Uint8Array(plain.buffer, plain.byteOffset, plain.length)
  }

  #read(offset: number, length: number): Uint8Array {
    if (!(offset >= 0 && length <= CONTENTS_BYTES_MAX && offset + length <= this.bytes))
      throw new BytesFault(`it has ${this.bytes} bytes, expected ${length} at ${offset}: it was truncated`)
    const bytes = new Uint8Array(length)
    let done = 0
    while (done < length) {
      const read = readSync(this.#fd, bytes, done, length - done, offset + done)
      if (read === 0) throw new BytesFault(`it was truncated at byte ${offset + done}`)
      done += read
    }
    return bytes
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function asFault(cause: unknown, path: string): JournalFault {
  if (cause instanceof JournalFault)
    return new JournalFault(cause.kind, `the archive ${path}: ${cause.message}`, { cause })
  if (cause instanceof BytesFault)
    return new JournalFault('DAMAGED', `the archive ${path}: ${cause.message}`, { cause })
  return fileFault(cause, `cannot read the archive ${path}`)
}
