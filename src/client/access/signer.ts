/**
 * Signs texts with the secret of a key (docs/reference/http.md#signature). The secret goes in and never comes out: nothing shows it, and where there is
 * WebCrypto it becomes a key that cannot be read either.
 */
import type { Platform } from '../platform/ports.ts'
import { hmacSha256 } from './sha256.ts'

/** The secret as text, or as a key of WebCrypto for HMAC with SHA-256 that may sign. */
export type Secret = string | CryptoKey

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }

/** A secret as a key that cannot be read again, to be kept by a page in place of the text. */
export function importSecret(subtle: SubtleCrypto, secret: string): Promise<CryptoKey> {
  return subtle.importKey('raw', new TextEncoder().encode(secret), ALGORITHM, false, ['sign'])
}

export class Signer {
  readonly #sign: (message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>

  constructor(secret: Secret, platform: Pick<Platform, 'subtle'>) {
    this.#sign =
      typeof secret === 'string' ? textSigner(secret, platform.subtle) : keySigner(secret, platform)
  }

  /** 64 hexadecimal digits. */
  async sign(text: string): Promise<string> {
    const digest = await this.#sign(new TextEncoder().encode(text))
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
}

function textSigner(secret: string, subtle: SubtleCrypto | undefined) {
  if (secret === '') throw new TypeError('The secret is empty: expected the text that came with the key.')
  if (subtle === undefined) {
    const bytes = new TextEncoder().encode(secret)
    return async (message: Uint8Array) => hmacSha256(bytes, message)
  }
  const imported = importSecret(subtle, secret)
  // A failure shows in the first signature that waits for it.
  imported.catch(() => {})
  return async (message: Uint8Array<ArrayBuffer>) => digestOf(subtle, await imported, message)
}

function keySigner(key: CryptoKey, { subtle }: Pick<Platform, 'subtle'>) {
  if (subtle === undefined)
    throw new TypeError('The secret is a CryptoKey, and this platform has no WebCrypto.')
  return (message: Uint8Array<ArrayBuffer>) => digestOf(subtle, key, message)
}

async function digestOf(subtle: SubtleCrypto, key: CryptoKey, message: Uint8Array<ArrayBuffer>) {
  return new Uint8Array(await subtle.sign(ALGORITHM.name, key, message))
}
