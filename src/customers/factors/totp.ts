/**
 * Codes of authenticator apps (RFC 6238): six digits, SHA-1, 30 seconds, the parameters that every app
 * supports.
 */
import { Secret, TOTP } from 'otpauth'

export const STEP_MS = 30_000
const DIGITS = 6
/** Clocks of phones are inaccurate: one step before and after is accepted. */
const WINDOW = 1
/** RFC 4226, section 4, requirement 6. */
const SECRET_BYTES = 20

const PATTERN = { algorithm: 'SHA1', digits: DIGITS, period: STEP_MS / 1_000 } as const

/** A secret that was shown and is not in use yet. */
export type TotpOffer = { readonly secret: string; tries: number }

/** In base32. */
export function newTotpSecret(randomBytes: (size: number) => Uint8Array): string {
  const bytes = new Uint8Array(randomBytes(SECRET_BYTES))
  return new Secret({ buffer: bytes.buffer }).base32
}

/** The form that apps read: `otpauth://totp/...`. */
export function totpUri(
  secret: string,
  { issuer, label }: { readonly issuer: string; readonly label: string },
): string {
  return new TOTP({ ...PATTERN, issuer, label, secret: Secret.fromBase32(secret) }).toString()
}

/** The step of this code, at or near the current time; undefined if there is none. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  const totp = new TOTP({ ...PATTERN, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW })
  return delta === null ? undefined : Math.floor(nowMs / STEP_MS) + delta
}
