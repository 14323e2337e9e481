/**
 * The form in which PostgreSQL stores a password under SCRAM-SHA-256 (RFC 5803), computed here so that the
 * password itself is never sent to the server and never written to its log.
 */
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'

const ITERATIONS = 4096
const KEY_BYTES = 32

/** Random bytes that a verifier needs. */
export const SALT_BYTES = 16

/** The verifier of `password`, which must be printable ASCII and so needs no normalization. */
export function scramVerifier(password: string, salt: Uint8Array): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, KEY_BYTES, 'sha256')
  const clientKey = createHmac('sha256', salted).update('Client Key').digest()
  const storedKey = createHash('sha256').update(clientKey).digest('base64')
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${Buffer.from(salt).toString('base64')}$${storedKey}:${serverKey}`
}
