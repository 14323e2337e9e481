/**
 * The key under which the secrets of API keys are encrypted: from the environment, or stored in the data
 * directory, readable only by its owner. Losing it makes every secret unreadable, so a missing key is never
 * replaced silently.
 *
 * `master.key` has one key, in hexadecimal digits. During a rotation it has two, the newest first: one file,
 * replaced as a whole, so that a needed key is in a file at all times.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ApiKey } from '../../core/registry/records.ts'
import { type MasterKeys, sealingsOf } from '../../server/access/auth/key-ring.ts'
import { MASTER_KEY_BYTES, type SecretBox, SecretBoxFault } from '../../server/access/auth/secret-box.ts'
import { writeWhole } from '../../storage/files/directory.ts'
import { requirePrivate } from './private-file.ts'

export const MASTER_KEY_FILE = 'master.key'

/**
 * The master key is missing, unreadable, accessible to others, or not the one that the secrets were sealed
 * with.
 */
export class MasterKeyFault extends Error {
  override readonly name = 'MasterKeyFault'
}

export type LoadedMasterKey = MasterKeys & {
  /** `NEW`: just created; it must be stored before anything is sealed with it. */
  readonly source: 'ENVIRONMENT' | 'FILE' | 'NEW'
}

/** The master key in the environment. */
export type MasterKeyTexts = {
  readonly masterKey: string | undefined
  /** The previous master key, while the key is being rotated. */
  readonly masterKeyPrevious: string | undefined
}

/** Throws `MasterKeyFault` for a key of a wrong form, and for a file that others may read. */
export function loadMasterKey(
  dataDirectory: string,
  { masterKey, masterKeyPrevious }: MasterKeyTexts,
): LoadedMasterKey {
  if (masterKey !== undefined) {
    const newest = parseKey(masterKey, 'BOURSE_MASTER_KEY in the environment')
    const place = 'BOURSE_MASTER_KEY_PREVIOUS in the environment'
    const previous = masterKeyPrevious === undefined ? undefined : parseKey(masterKeyPrevious, place)
    return { newest, previous, source: 'ENVIRONMENT' }
  }
  const kept = readMasterKeys(path.join(dataDirectory, MASTER_KEY_FILE))
  if (kept === undefined) return { newest: newMasterKey(), previous: undefined, source: 'NEW' }
  return { ...kept, source: 'FILE' }
}

/**
 * The keys in a file that all processes of a cluster share, the newest first. The operator who put them there
 * also changes them. Throws `MasterKeyFault`.
 */
export function loadSharedMasterKey(file: string): LoadedMasterKey {
  const kept = readMasterKeys(file)
  if (kept !== undefined) return { ...kept, source: 'ENVIRONMENT' }
  throw new MasterKeyFault(`${file} is missing: it must contain the cluster's master key`)
}

/** Undefined if there is no such file. Throws `MasterKeyFault`. */
function readMasterKeys(file: string): MasterKeys | undefined {
  let kept: string
  try {
    requirePrivate(file, (problem) => new MasterKeyFault(problem))
    kept = readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof MasterKeyFault) throw cause
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const found = cause instanceof Error ? cause.message : String(cause)
    throw new MasterKeyFault(`${file} cannot be read: ${found}`, { cause })
  }
  const [newest = '', previous, ...more] = kept.trim().split('\n')
  if (more.length > 0) throw new MasterKeyFault(`${file}: expected one key or two, found ${more.length + 2}`)
  return {
    newest: parseKey(newest, file),
    previous: previous === undefined ? undefined : parseKey(previous, file),
  }
}

/**
 * Checks that the exchange's secrets can be decrypted with this key, and stores a new key. Examines every
 * secret: some seconds for a million of them.
 */
export function settleMasterKey(
  dataDirectory: string,
  key: LoadedMasterKey,
  box: Pick<SecretBox, 'open'>,
  apiKeys: Iterable<ApiKey>,
): void {
  for (const apiKey of apiKeys) {
    if (key.source === 'NEW') {
      const file = path.join(dataDirectory, MASTER_KEY_FILE)
      throw new MasterKeyFault(
        `${file} is missing, and the secrets of the API keys are encrypted with it: restore it, or set BOURSE_MASTER_KEY`,
      )
    }
    for (const sealed of sealingsOf(apiKey)) openOrThrow(box, sealed, apiKey.apiKey)
  }
  if (key.source === 'NEW') keepMasterKeys(dataDirectory, key)
}

function openOrThrow(box: Pick<SecretBox, 'open'>, sealed: Uint8Array, apiKey: string): void {
  try {
    box.open(sealed, apiKey)
  } catch (cause) {
    if (!(cause instanceof SecretBoxFault)) throw cause
    throw new MasterKeyFault(
      `the master key is not the one with which the secrets of this exchange were encrypted (${cause.message})`,
      { cause },
    )
  }
}

/** Writes the keys to their file, durably and readable only by the owner. Throws `JournalFault`. */
export function keepMasterKeys(dataDirectory: string, { newest, previous }: MasterKeys): void {
  const keys = previous === undefined ? [newest] : [newest, previous]
  const text = keys.map((key) => `${Buffer.from(key).toString('hex')}\n`).join('')
  const file = path.join(dataDirectory, MASTER_KEY_FILE)
  writeWhole(file, `${file}.tmp`, [new TextEncoder().encode(text)])
}

export function newMasterKey(): Uint8Array {
  return new Uint8Array(randomBytes(MASTER_KEY_BYTES))
}

function parseKey(text: string, place: string): Uint8Array {
  if (/^[0-9a-f]{64}$/i.test(text)) return new Uint8Array(Buffer.from(text, 'hex'))
  const digits = MASTER_KEY_BYTES * 2
  const found = text.length === digits ? 'other characters' : `${text.length} characters`
  throw new MasterKeyFault(`${place}: expected ${digits} hexadecimal digits, found ${found}`)
}
