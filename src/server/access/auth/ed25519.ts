/**
 * Ed25519 (RFC 8032): parsing of public keys in the usual forms, and verification of a signature. It does not
 * depend on accounts or requests.
 *
 * A key and a signature each have exactly one accepted form: a second spelling is refused, and so is a point
 * that fits more than one secret. The runtime refuses a scalar that is not reduced and compares the point of
 * a signature by its bytes. It accepts public keys of small order and those with a second encoding, which
 * `publicKeyFault` refuses before a key is stored.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { PUBLIC_KEY_BYTES } from '../../../units/limits.ts'

/** The accepted forms of a public key. */
export const PUBLIC_KEY_FORM =
  'an Ed25519 public key: PEM (BEGIN PUBLIC KEY), or its 32 bytes in base64 or hexadecimal'

/** The head of 32-byte keys: the bytes before them in the SubjectPublicKeyInfo of RFC 8410. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
const PEM = /^-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]{1,200})-----END PUBLIC KEY-----$/
const HEX = /^[0-9a-fA-F]{64}$/
/** 32 bytes; the last character has two bits that are unused and zero. */
const BASE64 = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/
/** 44 bytes of SubjectPublicKeyInfo. */
const SPKI_BASE64 = /^[A-Za-z0-9+/]{58}[AEIMQUYcgkosw048]=$/
/** 64 bytes; the last character has four bits that are unused and zero. */
const SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw]==$/

/** The prime of the field, and the curve's d = -121665 / 121666 (RFC 8032, section 5.1). */
const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
/** The y of points of order 8: this one and its negative. */
const Y_OF_ORDER_8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022n
/** Every y of a point of order 1, 2, 4 or 8: under such a key a signature is valid for many texts. */
const SMALL_ORDER = new Set([0n, 1n, P - 1n, Y_OF_ORDER_8, P - Y_OF_ORDER_8])

/** The reasons why bytes are not an accepted public key. */
export type PublicKeyFault = 'LENGTH' | 'NOT_CANONICAL' | 'NOT_ON_CURVE' | 'SMALL_ORDER'

/**
 * The 32 bytes of an accepted public key; undefined if the text has none of the forms of `PUBLIC_KEY_FORM`.
 */
export function parsePublicKey(text: string): Uint8Array | undefined {
  const bytes = bytesOf(text.trim())
  return bytes !== undefined && publicKeyFault(bytes) === undefined ? bytes : undefined
}

/** Undefined if the bytes are an accepted public key. */
export function publicKeyFault(bytes: Uint8Array): PublicKeyFault | undefined {
  if (bytes.length !== PUBLIC_KEY_BYTES) return 'LENGTH'
  const whole = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
  const y = BigInt.asUintN(255, whole)
  if (y >= P) return 'NOT_CANONICAL'
  if (SMALL_ORDER.has(y)) return 'SMALL_ORDER'
  return hasX(y) ? undefined : 'NOT_ON_CURVE'
}

/** Whether the text has the form of a signature: 64 bytes in base64, in the only accepted spelling. */
export function isEd25519Form(signature: string): boolean {
  return SIGNATURE.test(signature)
}

/** The object that verifies signatures of an accepted public key. */
export function ed25519Key(publicKey: Uint8Array): KeyObject {
  const key = Buffer.concat([SPKI_HEAD, publicKey])
  return createPublicKey({ key, format: 'der', type: 'spki' })
}

/** True if `signature` (base64, in its one spelling) is that of `key` over exactly these bytes. */
export function isSignedByEd25519(key: KeyObject, message: Uint8Array, signature: string): boolean {
  return isEd25519Form(signature) && verify(null, message, key, Buffer.from(signature, 'base64'))
}

function bytesOf(text: string): Uint8Array | undefined {
  if (HEX.test(text)) return new Uint8Array(Buffer.from(text, 'hex'))
  if (BASE64.test(text)) return new Uint8Array(Buffer.from(text, 'base64'))
  const inner = PEM.exec(text)?.[1]?.replace(/\s/g, '') ?? text
  if (!SPKI_BASE64.test(inner)) return undefined
  const spki = Buffer.from(inner, 'base64')
  if (!spki.subarray(0, SPKI_HEAD.length).equals(SPKI_HEAD)) return undefined
  return new Uint8Array(spki.subarray(SPKI_HEAD.length))
}

/** Whether x² = (y² - 1) / (d y² + 1) has a root, which is so if numerator times denominator is a square. */
function hasX(y: bigint): boolean {
  const square = (y * y) % P
  return power((((square - 1n + P) % P) * ((D * square + 1n) % P)) % P, (P - 1n) / 2n) === 1n
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, factor] = [1n, base]
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * factor) % P
    factor = (factor * factor) % P
  }
  return result
}
