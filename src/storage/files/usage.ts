/** The size of a data directory, its free space, and the age of its newest snapshot. */
import { readdirSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import type { StorageUse } from '../../engine/writer/meters.ts'

const SNAPSHOT_SUFFIX = '.snapshot'

/** A missing file counts as 0 bytes: files appear and disappear while a node runs. */
export function storageUse(dataDirectory: string): StorageUse {
  const sizeOf = (...names: readonly string[]): number =>
    names.reduce((sum, name) => sum + (stat(path.join(dataDirectory, name))?.size ?? 0), 0)
  const snapshots = names(path.join(dataDirectory, 'snapshots'))
    .filter((name) => name.endsWith(SNAPSHOT_SUFFIX))
    .flatMap((name) => stat(path.join(dataDirectory, 'snapshots', name)) ?? [])
  return {
    journalBytes: sizeOf('journal.sqlite', 'journal.sqlite-wal'),
    historyBytes: sizeOf('history.sqlite', 'history.sqlite-wal'),
    snapshotsBytes: snapshots.reduce((sum, { size }) => sum + size, 0),
    freeBytes: freeBytes(dataDirectory),
    snapshotMs: snapshots.length === 0 ? undefined : Math.max(...snapshots.map(({ mtimeMs }) => mtimeMs)),
  }
}

/** Free bytes in the file system of a directory. Opens no file, so it works even if no descriptor is left. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

function stat(file: string): { readonly size: number; readonly mtimeMs: number } | undefined {
  return statSync(file, { throwIfNoEntry: false })
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw cause
  }
}
