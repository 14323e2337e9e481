/**
 * Checks signatures: HMAC-SHA256 over a text followed by the raw body, under the secret of the API key, in hex of any case or
 * in base64 (docs/reference/http.md#signature). It knows nothing of what the text consists of.
 *
 * Measured on Bun 1.4.5, a 90-byte body: `createHmac` of node:crypto 460 ns, a new `Bun.CryptoHasher` 360 ns, a
 * copy of a keyed one 265 ns. So each key's keyed hasher is kept and copied, in a table of bounded size. The digest is
 * compared as the text it is claimed as, which saves decoding that (`npm run bench -- order-to-ack`).
 */
import type { ApiKey } from '../../../core/registry/records.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { SecretBox } from './secret-box.ts'

const HEX_LENGTH = 64
const BASE64_LENGTH = 44

/** A key and its secrets as they are kept. */
export type SealedKey = Pick<ApiKey, 'apiKey' | 'sealedSecret' | 'previousSecret'>

/** What is said to be signed, and the signature. */
export type Signed = {
  /** What stands before the body, as received: the query string of the plain signature. */
  readonly text: string
  /** As received; undefined where there is none or it does not count. */
  readonly body: Uint8Array | undefined
  /** In hex of any case or in base64. */
  readonly signature: string
}

/** Most keys whose hashers are kept: about 600 bytes each. */
const HASHERS_MAX = 10_000
/** Follows the name of a key whose secret before the present one is meant. */
const PREVIOUS = ' (previous)'

/** What of a secret is kept, and the very bytes that it was opened from: those of the registry's record. */
type Keyed = { readonly sealedSecret: Uint8Array; readonly hasher: Bun.CryptoHasher }

/** Verifies signatures; opens each secret once and keeps at most `hashersMax` of them in memory. */
export class SignatureVerifier {
  readonly #box: SecretBox
  readonly #keyedByName: BoundedCache<Keyed>
  /** Of a secret that nobody has: what fits it does not matter. */
  readonly #nobody = new Bun.CryptoHasher('sha256', 'nobody')

  constructor(box: SecretBox, hashersMax = HASHERS_MAX) {
    this.#box = box
    this.#keyedByName = new BoundedCache(hashersMax)
  }

  /**
   * True when `signature` signs exactly these bytes under the key's secret, or under the one before it while that is
   * valid. Takes the same time wherever a wrong signature differs, and as long for a key that is unknown (undefined). Throws
   * `SecretBoxFault` when a secret of the key does not open.
   */
  verify(apiKey: SealedKey | undefined, signed: Signed, now: TimeMs): boolean {
    if (encodingOf(signed.signature) === undefined) return false
    if (apiKey === undefined) {
      isSigned(this.#nobody, signed)
      return false
    }
    const { apiKey: name, sealedSecret } = apiKey
    if (isSigned(this.#keyed(name, name, sealedSecret), signed)) return true
    const previous = this.#previous(apiKey, now)
    return previous !== undefined && isSigned(previous, signed)
  }

  /**
   * The first of several texts that `signature` signs under the key's secret, or under the one before it while that is valid;
   * undefined: none of them. Until one fits it takes as long for every key, one that is unknown (undefined) included: each text is
   * signed twice, with nobody's secret where the key has none.
   */
  firstSigned(
    apiKey: SealedKey | undefined,
    texts: readonly string[],
    signature: string,
    now: TimeMs,
  ): string | undefined {
    const own =
      apiKey === undefined ? undefined : this.#keyed(apiKey.apiKey, apiKey.apiKey, apiKey.sealedSecret)
    const previous = this.#previous(apiKey, now)
    return texts.find((text) => {
      const signed = { text, body: undefined, signature }
      const isOwn = isSigned(own ?? this.#nobody, signed) && own !== undefined
      const isPrevious = isSigned(previous ?? this.#nobody, signed) && previous !== undefined
      return isOwn || isPrevious
    })
  }

  /** Something of the key has changed, or it has ended: nothing of its secrets stays in memory. */
  forget(apiKey: string): void {
    this.#keyedByName.delete(apiKey)
    this.#keyedByName.delete(apiKey + PREVIOUS)
  }

  /** Of the secret before the present one, while it is valid. */
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

function isSigned(keyed: Bun.CryptoHasher, { text, body, signature }: Signed): boolean {
  const encoding = encodingOf(signature)
  if (encoding === undefined) return false
  const hasher = keyed.copy()
  if (text !== '') hasher.update(text)
  if (body !== undefined) hasher.update(body)
  const claimed = encoding === 'hex' ? signature.toLowerCase() : signature
  return isSameText(hasher.digest(encoding), claimed)
}

/** How a signature of this length would be written; undefined when it is neither hex nor base64. */
function encodingOf(signature: string): 'hex' | 'base64' | undefined {
  if (signature.length === HEX_LENGTH) return 'hex'
  return signature.length === BASE64_LENGTH ? 'base64' : undefined
}

/** Looks at every character, wherever the first difference is: how long it takes says nothing of the right text. */
function isSameText(right: string, claimed: string): boolean {
  if (right.length !== claimed.length) return false
  let difference = 0
  for (let at = 0; at < right.length; at++) difference |= right.charCodeAt(at) ^ claimed.charCodeAt(at)
  return difference === 0
}
