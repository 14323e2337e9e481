/**
 * Encrypts secrets at rest: AES-256-GCM under the node's master key. A sealed secret is bound to its API key,
 * so that it cannot be opened for another key (docs/security.md#someone-who-obtains-files).
 *
 * Layout: version (1 byte, 1), nonce (12), ciphertext, tag (16).
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { invariant } from '../../../units/invariant.ts'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Length of the master key. */
export const MASTER_KEY_BYTES = 32

/** A sealed secret that does not open: damaged, of another API key, or sealed under another master key. */
export class SecretBoxFault extends Error {
  override readonly name = 'SecretBoxFault'
}

export interface SecretBox {
  /** Encrypts the secret of `apiKey`. */
  seal(secret: string, apiKey: string): Uint8Array
  /** Decrypts it again; throws `SecretBoxFault`. */
  open(sealed: Uint8Array, apiKey: string): string
}

/**
 * A box that seals under `masterKey` (32 bytes). `randomBytes` must be unpredictable: a nonce must never
 * repeat.
 */
export function createSecretBox(masterKey: Uint8Array, randomBytes: (size: number) => Uint8Array): SecretBox {
  invariant(
    masterKey.length === MASTER_KEY_BYTES,
    () => `master key must have ${MASTER_KEY_BYTES} bytes, found ${masterKey.length}`,
  )
  const key = masterKey.slice()
  return {
    seal(secret, apiKey) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      cipher.setAAD(Buffer.from(apiKey))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return new Uint8Array(Buffer.concat([Buffer.of(VERSION), nonce, text, cipher.getAuthTag()]))
    },
    open(sealed, apiKey) {
      if (sealed.length < 1 + NONCE_BYTES + TAG_BYTES || sealed[0] !== VERSION) {
        throw new SecretBoxFault(
          `sealed secret of ${apiKey} has ${sealed.length} bytes, version ${sealed[0]}`,
        )
      }
      const tagAt = sealed.length - TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(apiKey))
      decipher.setAuthTag(sealed.subarray(tagAt))
      try {
        const text = decipher.update(sealed.subarray(1 + NONCE_BYTES, tagAt))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new SecretBoxFault(`sealed secret of ${apiKey} cannot be decrypted with this master key`, {
          cause,
        })
      }
    },
  }
}
