/**
 * The key under which the secrets of API keys are sealed: from the environment, or kept in the data directory for
 * its owner alone. Losing it makes every secret unreadable, so one that is missing is never replaced in silence.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ApiKey } from '../core/registry/records.ts'
import { writeWhole } from '../drivers/files/directory.ts'
import { MASTER_KEY_BYTES, type SecretBox, SecretBoxFault } from '../gateway/auth/secret-box.ts'

export const MASTER_KEY_FILE = 'master.key'

/** The master key is missing, unreadable or not the one that the secrets were sealed with. */
export class MasterKeyFault extends Error {
  override readonly name = 'MasterKeyFault'
}

export type MasterKey = {
  readonly bytes: Uint8Array
  /** Made just now; it must be kept before anything is sealed with it. */
  readonly isNew: boolean
}

/** `text`: what the environment says, if anything. Throws `MasterKeyFault` for a key of a wrong form. */
export function loadMasterKey(dataDirectory: string, text: string | undefined): MasterKey {
  if (text !== undefined) {
    return { bytes: parseKey(text, 'BOURSE_MASTER_KEY in the environment'), isNew: false }
  }
  const file = path.join(dataDirectory, MASTER_KEY_FILE)
  let kept: string
  try {
    kept = readFileSync(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') {
      return { bytes: randomBytes(MASTER_KEY_BYTES), isNew: true }
    }
    const found = cause instanceof Error ? cause.message : String(cause)
    throw new MasterKeyFault(`${file} cannot be read: ${found}`, { cause })
  }
  return { bytes: parseKey(kept.trim(), file), isNew: false }
}

/**
 * Makes sure that the exchange's secrets open under this key, and keeps a new one. `apiKeys`: at least one of
 * those registered, where there are any.
 */
export function settleMasterKey(
  dataDirectory: string,
  key: MasterKey,
  box: SecretBox,
  apiKeys: readonly ApiKey[],
): void {
  const file = path.join(dataDirectory, MASTER_KEY_FILE)
  if (key.isNew && apiKeys.length > 0) {
    throw new MasterKeyFault(
      `${file} is missing, and the secrets of the API keys are sealed with it: restore it, or set BOURSE_MASTER_KEY`,
    )
  }
  for (const { apiKey, sealedSecret } of apiKeys) {
    try {
      box.open(sealedSecret, apiKey)
    } catch (cause) {
      if (!(cause instanceof SecretBoxFault)) throw cause
      throw new MasterKeyFault(
        `the master key is not the one that this exchange's secrets were sealed with (${cause.message})`,
        { cause },
      )
    }
  }
  if (key.isNew) {
    const text = `${Buffer.from(key.bytes).toString('hex')}\n`
    writeWhole(file, `${file}.tmp`, [new TextEncoder().encode(text)])
  }
}

function parseKey(text: string, place: string): Uint8Array {
  if (/^[0-9a-f]{64}$/i.test(text)) return new Uint8Array(Buffer.from(text, 'hex'))
  const digits = MASTER_KEY_BYTES * 2
  const found = text.length === digits ? 'other characters among them' : `${text.length} characters`
  throw new MasterKeyFault(`${place}: expected ${digits} hexadecimal digits, found ${found}`)
}
