/** Random names: of accounts, session keys, sessions and tokens. */
import { createHash } from 'node:crypto'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
/** 26 letters of five bits each. */
const NAME_BYTES = 26
const TOKEN_BYTES = 32
const ID_BYTES = 8
const RECOVERY_CODES = 10

type Random = (size: number) => Uint8Array

/** `c-` and 26 characters, 130 random bits: the name reveals nothing about the person. */
export function newAccountName(random: Random): string {
  return `c-${letters(random)}`
}

/** `s-` and 26 characters. */
export function newSessionKeyName(random: Random): string {
  return `s-${letters(random)}`
}

/** Ten codes of 80 bits: 16 letters and digits in groups of four. */
export function newRecoveryCodes(random: Random): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(random(16), (byte) => LETTERS[byte & 31])
      .join('')
      .replace(/(.{4})(?=.)/g, '$1-'),
  )
}

/** 26 random characters, practically unique. */
export function newReference(random: Random): string {
  return letters(random)
}

/** 256 bits in base64url: of a cookie, of a link. */
export function newToken(random: Random): string {
  return Buffer.from(random(TOKEN_BYTES)).toString('base64url')
}

/** 16 hexadecimal digits: a name that gives no access. */
export function newId(random: Random): string {
  return Buffer.from(random(ID_BYTES)).toString('hex')
}

/**
 * The digest under which a token is looked up: a token has 256 random bits, so that a plain digest cannot be
 * searched.
 */
export function digestOf(token: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(token).digest())
}

function letters(random: Random): string {
  return Array.from(random(NAME_BYTES), (byte) => LETTERS[byte & 31]).join('')
}
