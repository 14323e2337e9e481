/** `backup.json`: the description of a backup. It is written last, so a directory without it is no backup. */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { DOCUMENT_JSON, parseJson } from '../../../units/bounded-json.ts'
import { CannotRunError } from '../verification/host.ts'

export const BACKUP_FILE = 'backup.json'

const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/)

const schema = z.object({
  format: z.literal(1),
  /** The last command in the backup, and its time. */
  seq: z.int().min(0),
  time: z.string(),
  /** The hash of the journal and the hash of the state after that command. */
  journalHash: sha256Hex,
  stateHash: sha256Hex,
  createdAt: z.string(),
  /** The version of the program that created it. */
  version: z.string(),
  /** Absent in backups of earlier builds. */
  commit: z.string().optional(),
  commitDate: z.string().optional(),
  hasMasterKey: z.boolean(),
  /**
   * The customer store, without its keys; absent if the exchange has none or an earlier build created the
   * backup.
   */
  customers: z.object({ sha256: sha256Hex, persons: z.int().min(0) }).optional(),
})

export type BackupManifest = Readonly<z.infer<typeof schema>>

/** Reads the manifest of the backup in `directory`. Throws `CannotRunError`. */
export function readManifest(directory: string): BackupManifest {
  const file = path.join(directory, BACKUP_FILE)
  let content: unknown
  try {
    content = parseJson(readFileSync(file, 'utf8'), DOCUMENT_JSON)
  } catch (cause) {
    throw new CannotRunError(`${directory} is not a complete backup: ${file} is missing or cannot be read`, {
      cause,
    })
  }
  const result = schema.safeParse(content)
  if (result.success) return result.data
  const at = result.error.issues[0]?.path.join('.') || 'the top level'
  throw new CannotRunError(`${file} cannot be read at ${at}: it is damaged, or of another version`)
}
