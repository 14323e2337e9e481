/**
 * Checks signatures: HMAC-SHA256 over a text followed by the raw body, under the secret of the API key, in
 * hex of any case or in base64; or Ed25519 over the same bytes, in base64
 * (docs/reference/authentication.md#signature). It does not depend on the content of the text. The form of a
 * signature determines which of the two it is, and therefore the amount of work, independent of the key.
 *
 * Measured on Bun 1.4.5, a 90-byte body: `createHmac` of node:crypto 460 ns, a new `Bun.CryptoHasher` 360 ns,
 * a copy of a keyed one 265 ns. So each key's keyed hasher is kept and copied, in a table of bounded size.
 * The digest is compared in the text form in which the client sent it, which saves decoding that text (`npm
 * run bench -- order-to-ack`).
 */
import type { ApiKey } from '../../../core/registry/records.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { BoundedCache } from './bounded-cache.ts'
import { ed25519Key, isEd25519Form, isSignedByEd25519 } from './ed25519.ts'
import { isSignedByP256, P256_KEY_BYTES, p256Key } from './p256.ts'
import type { SecretBox } from './secret-box.ts'

const HEX_LENGTH = 64
const BASE64_LENGTH = 44

/** A key with its stored secrets, or its stored public key. */
export type SealedKey = Pick<ApiKey, 'apiKey' | 'sealedSecret' | 'previousSecret' | 'publicKey'>

/** The signed data and the signature. */
export type Signed = {
  /** The text before the body, as received: the query string, for the plain signature. */
  readonly text: string
  /** As received; undefined if there is none, or it is not valid. */
  readonly body: Uint8Array | undefined
  /** In hex of any case or in base64. */
  readonly signature: string
}

/** Used in place of the public key that an API key does not have; the result is discarded. */
const NO_PAIR = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex')

/** Maximum number of keys whose hashers are kept: about 600 bytes each. */
const HASHERS_MAX = 10_000
/** The suffix of a key's name that selects its previous secret. */
const PREVIOUS = ' (previous)'

/** The stored form of a secret, and the bytes from which it was opened: those of the registry's record. */
type Keyed = { readonly sealedSecret: Uint8Array; readonly hasher: Bun.CryptoHasher }

/** Verifies signatures; opens each secret once and keeps at most `hashersMax` of them in memory. */
export class SignatureVerifier {
  readonly #box: SecretBox
  readonly #keyedByName: BoundedCache<Keyed>
  /** Used for a secret that does not exist; the result is discarded. */
  readonly #nobody = new Bun.CryptoHasher('sha256', 'nobody')

  constructor(box: SecretBox, hashersMax = HASHERS_MAX) {
    this.#box = box
    this.#keyedByName = new BoundedCache(hashersMax)
  }

  /**
   * True if `signature` signs exactly these bytes with the key's secret, or with the previous secret while
   * that is valid. Takes the same time regardless of the position at which a wrong signature differs, and as
   * long for an unknown key (undefined). Throws `SecretBoxFault` when a secret of the key cannot be opened.
   */
  verify(apiKey: SealedKey | undefined, signed: Signed, now: TimeMs): boolean {
    if (isEd25519Form(signed.signature)) return isSignedByPair(apiKey, signed)
    if (encodingOf(signed.signature) === undefined) return false
    if (!hasSecret(apiKey)) {
      isSigned(this.#nobody, signed)
      return false
    }
    const { apiKey: name, sealedSecret } = apiKey
    if (isSigned(this.#keyed(name, name, sealedSecret), signed)) return true
    const previous = this.#previous(apiKey, now)
    return previous !== undefined && isSigned(previous, signed)
  }

  /**
   * The first of several texts that `signature` signs with the key's secret, or with the previous secret
   * while that is valid; undefined if there is none. Until one matches, it takes as long for every key,
   * including an unknown one (undefined): each text is signed twice, with a dummy secret if the key has none;
   * a signature in the form of Ed25519 is checked once for each text.
   */
  firstSigned(
    apiKey: SealedKey | undefined,
    texts: readonly string[],
    signature: string,
    now: TimeMs,
  ): string | undefined {
    if (isEd25519Form(signature)) {
      return texts.find((text) => isSignedByPair(apiKey, { text, body: undefined, signature }))
    }
    const own = hasSecret(apiKey) ? this.#keyed(apiKey.apiKey, apiKey.apiKey, apiKey.sealedSecret) : undefined
    const previous = this.#previous(apiKey, now)
    return texts.find((text) => {
      const signed = { text, body: undefined, signature }
      const isOwn = isSigned(own ?? this.#nobody, signed) && own !== undefined
      const isPrevious = isSigned(previous ?? this.#nobody, signed) && previous !== undefined
      return isOwn || isPrevious
    })
  }

  /** Called when the key changes or ends: none of its secrets stay in memory. */
  forget(apiKey: string): void {
    this.#keyedByName.delete(apiKey)
    this.#keyedByName.delete(apiKey + PREVIOUS)
  }

  /** The previous sealed secret, while it is valid. */
  #previous(apiKey: SealedKey | undefined, now: TimeMs): Bun.CryptoHasher | undefined {
    const previousSecret = apiKey?.previousSecret
    if (apiKey === undefined || previousSecret === undefined || now >= previousSecret.until) return undefined
    return this.#keyed(apiKey.apiKey + PREVIOUS, apiKey.apiKey, previousSecret.sealedSecret)
  }

  #keyed(name: string, apiKey: string, sealedSecret: Uint8Array): Bun.CryptoHasher {
    const known = this.#keyedByName.get(name)
    if (known?.sealedSecret === sealedSecret) return known.hasher
    const hasher = new Bun.CryptoHasher('sha256', this.#box.open(sealedSecret, apiKey))
    this.#keyedByName.set(name, { sealedSecret, hasher })
    return hasher
  }
}

function hasSecret(apiKey: SealedKey | undefined): apiKey is SealedKey {
  return apiKey !== undefined && apiKey.publicKey === undefined
}

/** Takes the same time for every key: for a key without a public key, another one is checked. */
function isSignedByPair(apiKey: SealedKey | undefined, { text, body, signature }: Signed): boolean {
  const publicKey = apiKey?.publicKey
  const head = Buffer.from(text)
  const message = body === undefined ? head : Buffer.concat([head, body])
  // Ed25519 and P-256 signatures have the same form; only session keys can be P-256 keys.
  if (publicKey?.length === P256_KEY_BYTES)
    return isSignedByP256(p256Key(publicKey), message, Buffer.from(signature, 'base64'))
  const isRight = isSignedByEd25519(ed25519Key(publicKey ?? NO_PAIR), message, signature)
  return isRight && publicKey !== undefined
}

function isSigned(keyed: Bun.CryptoHasher, { text, body, signature }: Signed): boolean {
  const encoding = encodingOf(signature)
  if (encoding === undefined) return false
  const hasher = keyed.copy()
  if (text !== '') hasher.update(text)
  if (body !== undefined) hasher.update(body)
  const claimed = encoding === 'hex' ? signature.toLowerCase() : signature
  return isSameText(hasher.digest(encoding), claimed)
}

/** The notation that a signature of this length would have; undefined when it is neither hex nor base64. */
function encodingOf(signature: string): 'hex' | 'base64' | undefined {
  if (signature.length === HEX_LENGTH) return 'hex'
  return signature.length === BASE64_LENGTH ? 'base64' : undefined
}

/**
 * Compares every character regardless of the position of the first difference, so that the time reveals
 * nothing about the correct text.
 */
function isSameText(right: string, claimed: string): boolean {
  if (right.length !== claimed.length) return false
  let difference = 0
  for (let at = 0; at < right.length; at++) difference |= right.charCodeAt(at) ^ claimed.charCodeAt(at)
  return difference === 0
}
