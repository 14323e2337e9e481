/**
 * Writes an archive file under a temporary name. It gets its final name once it is synced, read back and
 * found to be correct.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { type ArchiveContents, encodeContents, type FilePart } from '../../engine/archive/archive-contents.ts'
import type { ArchiveTarget } from '../../engine/archive/write-archive.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { sha256 } from '../sha256.ts'
import {
  ARCHIVE_FORMAT,
  ARCHIVE_HEAD_BYTES,
  ARCHIVE_MAGIC,
  ARCHIVE_TRAILER_BYTES,
  ArchiveFile,
} from './archive-file.ts'
import { ensureDirectory, fileFault, syncDirectory, writeAll } from './directory.ts'

/** Number of bytes between two syncs: a journal's commit on the same disk waits behind unsynced data. */
const SYNCED_BYTES = 2 * 1024 * 1024

/**
 * An incomplete file, in the directory of the complete ones; its number is the id of the process that writes
 * it.
 */
const TEMPORARY = /^archive-(\d+)\.tmp$/

/** The path under which this process writes a file until it is complete. */
export function temporaryIn(directory: string): string {
  return join(directory, `archive-${process.pid}.tmp`)
}

/** Removes the incomplete files of processes that have ended. */
export function removeAbandoned(directory: string): void {
  if (!existsSync(directory)) return
  for (const name of readdirSync(directory)) {
    const writer = TEMPORARY.exec(name)?.[1]
    if (writer !== undefined && !isRunning(Number(writer))) rmSync(join(directory, name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return !(cause instanceof Error && 'code' in cause && cause.code === 'ESRCH')
  }
}

export class ArchiveWriter implements ArchiveTarget {
  readonly #temporary: string
  readonly #fd: number
  #length = 0
  #unsynced = 0
  #isOpen = true

  /** Begins the file `temporary`; creates its directory if absent. Throws `JournalFault`. */
  constructor(temporary: string) {
    this.#temporary = temporary
    try {
      ensureDirectory(dirname(temporary))
      this.#fd = openSync(temporary, 'w', 0o600)
      const head = new Uint8Array(ARCHIVE_HEAD_BYTES)
      head.set(ARCHIVE_MAGIC)
      new DataView(head.buffer).setUint32(ARCHIVE_MAGIC.length, ARCHIVE_FORMAT, true)
      this.#write(head)
    } catch (cause) {
      throw fileFault(cause, `cannot write ${temporary}`)
    }
  }

  async add(plain: Uint8Array): Promise<FilePart> {
    try {
      const bytes = zstdCompressSync(plain)
      const part = { offset: this.#length, bytes: bytes.length, plainBytes: plain.length }
      this.#write(bytes)
      return { ...part, digest: sha256([bytes]) }
    } catch (cause) {
      throw fileFault(cause, `cannot write ${this.#temporary}`)
    }
  }

  /**
   * Completes the file, reads it back, and gives it its name, which must be free. If it throws
   * `JournalFault`, the file did not get the name.
   */
  finish(contents: ArchiveContents, path: string): void {
    try {
      const bytes = encodeContents(contents)
      const offset = this.#length
      this.#write(bytes)
      this.#write(trailerOf(offset, bytes))
      this.#sync()
      this.#close()
      readBack(this.#temporary, sha256([bytes]))
      chmodSync(this.#temporary, 0o400)
      giveName(this.#temporary, path)
      syncDirectory(dirname(path))
    } catch (cause) {
      this.abandon()
      throw fileFault(cause, `cannot write ${path}`)
    }
  }

  /** Removes the incomplete file. */
  abandon(): void {
    this.#close()
    rmSync(this.#temporary, { force: true })
  }

  #write(bytes: Uint8Array): void {
    writeAll(this.#fd, bytes, undefined)
    this.#length += bytes.length
    this.#unsynced += bytes.length
    if (this.#unsynced >= SYNCED_BYTES) this.#sync()
  }

  #sync(): void {
    fsyncSync(this.#fd)
    this.#unsynced = 0
  }

  #close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    closeSync(this.#fd)
  }
}

/**
 * Another run may have written a file with this name in the meantime, and the journal may have recorded that
 * file by its digest, so it is never replaced.
 */
function giveName(temporary: string, path: string): void {
  if (existsSync(path)) throw new JournalFault('FAILED', `${path} already exists: another run created it`)
  try {
    linkSync(temporary, path)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') throw cause
    // The file system has no hard links.
    renameSync(temporary, path)
    return
  }
  rmSync(temporary)
}

function trailerOf(offset: number, contents: Uint8Array): Uint8Array {
  const trailer = new Uint8Array(ARCHIVE_TRAILER_BYTES)
  const view = new DataView(trailer.buffer)
  view.setBigUint64(0, BigInt(offset), true)
  view.setUint32(8, contents.length, true)
  trailer.set(sha256([contents]), 12)
  trailer.set(ARCHIVE_MAGIC, trailer.length - ARCHIVE_MAGIC.length)
  return trailer
}

/** Throws `DAMAGED` unless the contents have this digest and every part of the file matches them. */
function readBack(path: string, digest: Uint8Array): void {
  const file = ArchiveFile.open(path)
  try {
    if (!sameBytes(file.digest, digest))
      throw new JournalFault('DAMAGED', `${path} does not contain the data written to it`)
    verifyParts(file)
  } finally {
    file.close()
  }
}

/** Reads every part of the file. Throws `JournalFault` at the first part that does not match the contents. */
export function verifyParts(file: ArchiveFile): void {
  for (const index of file.contents.blocks.keys()) file.block(index)
  file.state()
}
