/**
 * Signs texts with the secret of a key (docs/reference/authentication.md#signature). The secret is never
 * displayed, and with WebCrypto it becomes a key that cannot be exported. The private key of a pair is
 * such a key from the start: Ed25519, or for the session of a customer ECDSA over P-256.
 */
import type { Platform } from '../platform/ports.ts'
import { hmacSha256 } from './sha256.ts'

/**
 * The secret as text, or as a WebCrypto key with permission to sign: for HMAC with SHA-256, or the private
 * key of an Ed25519 pair.
 */
export type Secret = string | CryptoKey

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }
/** The algorithm of a key pair, in the form used by `subtle.sign`. */
const PAIRS: Readonly<Record<string, AlgorithmIdentifier | EcdsaParams>> = {
  Ed25519: 'Ed25519',
  ECDSA: { name: 'ECDSA', hash: 'SHA-256' },
}

/** A secret as a key that cannot be exported, which a page can store instead of the text. */
export function importSecret(subtle: SubtleCrypto, secret: string): Promise<CryptoKey> {
  return subtle.importKey('raw', new TextEncoder().encode(secret), ALGORITHM, false, ['sign'])
}

/** Whether the secret is the private key of a pair, which makes only strict signatures. */
export function isPair(secret: Secret | undefined): boolean {
  return typeof secret === 'object' && Object.hasOwn(PAIRS, secret.algorithm.name)
}

export class Signer {
  readonly #sign: (message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>
  readonly #isPair: boolean

  constructor(secret: Secret, platform: Pick<Platform, 'subtle'>) {
    this.#isPair = isPair(secret)
    this.#sign =
      typeof secret === 'string' ? textSigner(secret, platform.subtle) : keySigner(secret, platform)
  }

  /** 64 hexadecimal digits; for a key pair, 88 characters of base64. */
  async sign(text: string): Promise<string> {
    const digest = await this.#sign(new TextEncoder().encode(text))
    if (this.#isPair) return btoa(String.fromCharCode(...digest))
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
  // If the import fails, the first signature reports it.
  imported.catch(() => {})
  return async (message: Uint8Array<ArrayBuffer>) => digestOf(subtle, await imported, message)
}

function keySigner(key: CryptoKey, { subtle }: Pick<Platform, 'subtle'>) {
  if (subtle === undefined)
    throw new TypeError('The secret is a CryptoKey, and this platform has no WebCrypto.')
  return (message: Uint8Array<ArrayBuffer>) => digestOf(subtle, key, message)
}

async function digestOf(subtle: SubtleCrypto, key: CryptoKey, message: Uint8Array<ArrayBuffer>) {
  const { name } = key.algorithm
  return new Uint8Array(await subtle.sign(PAIRS[name] ?? name, key, message))
}
