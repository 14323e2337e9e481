/**
 * `last-backup.json` in a data directory: the last result of `bourse backup`, for the node that runs there,
 * which has no other information about its backups. Nothing depends on it: without it a node reports that it
 * has no record of a backup.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { AdminBackups } from '../../../contract/admin/records.ts'
import { writeWhole } from '../../../storage/files/directory.ts'
import { DOCUMENT_JSON, parseJson } from '../../../units/bounded-json.ts'
import type { BackupManifest } from './backup-manifest.ts'

export const LAST_BACKUP_FILE = 'last-backup.json'

/** Maximum length of a stored failure message. */
const PROBLEM_MAX = 500

const schema = z.object({
  format: z.literal(1),
  /** Read back and replayed before it was recorded. */
  newest: z
    .object({
      directory: z.string(),
      createdAt: z.iso.datetime({ offset: true }),
      seq: z.int().min(0),
      time: z.string(),
      bytes: z.int().min(0),
    })
    .nullable(),
  /** The last attempt, if it failed. */
  failed: z.object({ at: z.iso.datetime({ offset: true }), problem: z.string() }).nullable(),
})

const NONE: AdminBackups = { newest: null, failed: null }

/** A missing or unreadable file means that there is no backup. */
export function readLastBackup(dataDirectory: string): AdminBackups {
  try {
    const text = readFileSync(path.join(dataDirectory, LAST_BACKUP_FILE), 'utf8')
    const { newest, failed } = schema.parse(parseJson(text, DOCUMENT_JSON))
    return { newest, failed }
  } catch {
    return NONE
  }
}

/** False if the data directory cannot be written, so that its node does not learn of this backup. */
export function noteBackup(dataDirectory: string, to: string, manifest: BackupManifest): boolean {
  const { createdAt, seq, time } = manifest
  const newest = { directory: path.resolve(to), createdAt, seq, time, bytes: bytesOf(to) }
  return write(dataDirectory, { newest, failed: null })
}

/** Records a failed backup; the earlier backup stays the newest. */
export function noteFailedBackup(dataDirectory: string, at: string, problem: string): void {
  const { newest } = readLastBackup(dataDirectory)
  write(dataDirectory, { newest, failed: { at, problem: problem.slice(0, PROBLEM_MAX).toWellFormed() } })
}

function write(dataDirectory: string, backups: AdminBackups): boolean {
  const file = path.join(dataDirectory, LAST_BACKUP_FILE)
  const text = `${JSON.stringify({ format: 1, ...backups }, undefined, 2)}\n`
  try {
    // Nothing is created at a path that is not a directory.
    if (!statSync(dataDirectory).isDirectory()) return false
    writeWhole(file, `${file}.tmp`, [new TextEncoder().encode(text)])
    return true
  } catch {
    return false
  }
}

function bytesOf(directory: string): number {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const stats = names.map((name) => statSync(path.join(directory, name)))
  return stats.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
}
