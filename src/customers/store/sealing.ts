/**
 * Encrypts a person's stored fields: AES-256-GCM with that person's key, bound to their place in the store.
 *
 * Layout: version (1 byte, 1), nonce (12), ciphertext, tag (16).
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
export const KEY_BYTES = 32

/** The field cannot be decrypted: it is damaged, from another place, or sealed with another key. */
export class SealFault extends Error {
  override readonly name = 'SealFault'
}

/** `place`: the table and the row's own name, so that sealed data cannot be moved to another row. */
export function seal(
  key: Uint8Array,
  place: string,
  value: object,
  randomBytes: (size: number) => Uint8Array,
): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(place))
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return new Uint8Array(Buffer.concat([Buffer.of(VERSION), nonce, text, cipher.getAuthTag()]))
}

/** Throws `SealFault`. */
export function unseal<Value>(key: Uint8Array, place: string, sealed: Uint8Array): Value {
  if (sealed.length < 1 + NONCE_BYTES + TAG_BYTES || sealed[0] !== VERSION)
    throw new SealFault(`the sealed data at ${place} has ${sealed.length} bytes, version ${sealed[0]}`)
  const tagAt = sealed.length - TAG_BYTES
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(sealed.subarray(tagAt))
  try {
    const text = decipher.update(sealed.subarray(1 + NONCE_BYTES, tagAt))
    return parseJson(Buffer.concat([text, decipher.final()]).toString('utf8'), DOCUMENT_JSON) as Value
  } catch (cause) {
    throw new SealFault(`the sealed data at ${place} cannot be decrypted`, { cause })
  }
}
