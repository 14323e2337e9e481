/**
 * Files and directories that survive a power failure: contents are synced before they get their name, and
 * names are synced with their directory. This is also the one place where errors of the file system are
 * classified.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { JournalFault, type JournalFaultKind } from '../../engine/port/journal.ts'

/**
 * Number of bytes between two syncs of a long file: the journal's own sync waits behind unsynced data (see
 * `writeWhole`).
 */
const SYNCED_BYTES = 2 * 1024 * 1024

/**
 * Creates the directory, readable only by its owner, and its missing parents, durably. Throws if the name
 * belongs to something that is not a directory.
 */
export function ensureDirectory(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found !== undefined) throw new Error(`${path} is not a directory`)
  const parent = dirname(path)
  ensureDirectory(parent)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  syncDirectory(parent)
}

/** Makes the names in the directory durable. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Writes a file with these contents to `path`, completely or not at all; `temporary` is a name in the same
 * directory. A long file is synced in pieces, so that a commit on the same disk does not wait for all of it.
 * Throws `JournalFault`, which names the file: the system's own errors do not always.
 */
export function writeWhole(path: string, temporary: string, parts: readonly Uint8Array[]): void {
  try {
    const fd = openSync(temporary, 'w', 0o600)
    try {
      for (const part of parts) writePieces(fd, part)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(temporary, path)
    syncDirectory(dirname(path))
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw fileFault(cause, `cannot write ${path}`)
  }
}

function writePieces(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += SYNCED_BYTES) {
    if (at > 0) fsyncSync(fd)
    writeAll(fd, bytes.subarray(at, at + SYNCED_BYTES), undefined)
  }
}

/** Writes all bytes at `position` or, if it is undefined, after the last write. */
export function writeAll(fd: number, bytes: Uint8Array, position: number | undefined): void {
  let done = 0
  while (done < bytes.length) {
    const at = position === undefined ? null : position + done
    done += writeSync(fd, bytes, done, bytes.length - done, at)
  }
}

/** The fault for an error of the file system; an error that already is a fault is returned unchanged. */
export function fileFault(cause: unknown, what: string): JournalFault {
  if (cause instanceof JournalFault) return cause
  const message = cause instanceof Error ? cause.message : String(cause)
  return new JournalFault(kindOf(cause), `${what}: ${message}`, { cause })
}

function kindOf(cause: unknown): JournalFaultKind {
  if (isOutOfDescriptors(cause)) return 'NO_DESCRIPTORS'
  const code = codeOf(cause)
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'STORAGE_FULL' : 'FAILED'
}

/** Whether the process, or the system, has no descriptor left for a file or a connection. */
export function isOutOfDescriptors(cause: unknown): boolean {
  const code = codeOf(cause)
  return code === 'EMFILE' || code === 'ENFILE'
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}
