/**
 * ECDSA over P-256 with SHA-256, for session keys of browsers without Ed25519 (FIPS 186-5; the form of a
 * signature is that of WebCrypto: r and s, 32 bytes each). Keys of the journal are never of this kind.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'

/** An uncompressed point: 4, x and y (SEC 1, 2.3.3). */
export const P256_KEY_BYTES = 65
const UNCOMPRESSED = 4

/** The head of such a key: the bytes before it in the SubjectPublicKeyInfo of RFC 5480. */
const SPKI_HEAD = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex')

/** The prime of the field, and the curve's b (FIPS 186-5 refers to SP 800-186, 3.2.1.3). */
const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/** Whether the bytes are a point of the curve, in this one form. The curve has no point of small order. */
export function isP256Key(bytes: Uint8Array): boolean {
  if (bytes.length !== P256_KEY_BYTES || bytes[0] !== UNCOMPRESSED) return false
  const [x, y] = [numberOf(bytes.subarray(1, 33)), numberOf(bytes.subarray(33))]
  if (x >= P || y >= P) return false
  return (y * y) % P === (x * x * x + (P - 3n) * x + B) % P
}

/** The object that verifies signatures of such a key. */
export function p256Key(publicKey: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: 'der', type: 'spki' })
}

/** `signature`: 64 bytes. */
export function isSignedByP256(key: KeyObject, message: Uint8Array, signature: Uint8Array): boolean {
  return verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}
