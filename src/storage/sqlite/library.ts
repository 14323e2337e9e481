/**
 * Selects the SQLite library. On Linux and Windows it is the runtime's own. On macOS the runtime uses
 * Apple's, which is too old for a journal; Homebrew's is used instead if installed.
 */
import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'

/** Homebrew's paths, on Apple's processors and on Intel's. */
const HOMEBREW_LIBRARIES = [
  '/opt/homebrew/opt/sqlite/lib/libsqlite3.dylib',
  '/usr/local/opt/sqlite/lib/libsqlite3.dylib',
]

export type LibraryHost = {
  readonly platform: string
  readonly exists: (path: string) => boolean
  readonly use: (path: string) => void
}

const THIS_HOST: LibraryHost = {
  platform: process.platform,
  exists: existsSync,
  use: (path) => {
    Database.setCustomSQLite(path)
  },
}

/** Must be called in each thread before its first database is opened. */
export function chooseLibrary({ platform, exists, use }: LibraryHost = THIS_HOST): void {
  if (platform !== 'darwin') return
  const path = HOMEBREW_LIBRARIES.find(exists)
  if (path !== undefined) use(path)
}

/** Advice for a version of SQLite that is too old; empty for the runtime's own. */
export function newerLibrary(platform: string = process.platform): string {
  return platform === 'darwin' ? '; install it with "brew install sqlite", where the program finds it' : ''
}
