/**
 * Conversion of text to integers and back. This is the only place where a decimal point is read or written.
 * Nothing is rounded: a text with more decimals than requested is refused (docs/reference/http.md#decimals).
 */
import type { Decimals } from './quantities.ts'

/** The reason why a text is not a decimal of the required form. */
export type DecimalFault = 'MALFORMED' | 'TOO_MANY_DECIMALS' | 'TOO_LONG'

/** Longest text accepted as a decimal: far longer than any amount, far below a harmful length. */
export const DECIMAL_TEXT_MAX = 128

const DECIMAL = /^\d+(?:\.\d+)?$/

/** A number of this many digits is always a safe integer. */
const SAFE_DIGITS = 15
const ZEROS = '0'.repeat(SAFE_DIGITS)
const POWERS_OF_TEN = Array.from({ length: SAFE_DIGITS + 1 }, (_, exponent) => 10 ** exponent)

/**
 * Reads digits with an optional fraction into units of 10^-`places`. No sign, exponent, space, separator,
 * leading or trailing point is allowed. Zeros beyond `places` are allowed, other digits there are refused.
 */
export function parseDecimal(text: string, places: Decimals): bigint | DecimalFault {
  const units = parseShortDecimal(text, places)
  if (units !== undefined) return BigInt(units)
  if (text.length > DECIMAL_TEXT_MAX) return 'TOO_LONG'
  if (!DECIMAL.test(text)) return 'MALFORMED'
  const point = text.indexOf('.')
  if (point < 0) return BigInt(text + '0'.repeat(places))
  const fraction = text.slice(point + 1)
  for (let i = places; i < fraction.length; i++) if (fraction[i] !== '0') return 'TOO_MANY_DECIMALS'
  return BigInt(text.slice(0, point) + fraction.slice(0, places).padEnd(places, '0'))
}

/**
 * Reads the most common decimals, in one pass (`npm run bench -- order-to-ack`): at most `SAFE_DIGITS`
 * characters and decimals together, no digit beyond `places`. Undefined for any other text.
 */
export function parseShortDecimal(text: string, places: Decimals): number | undefined {
  if (text.length + places > SAFE_DIGITS) return undefined
  let units = 0
  let pointAt = -1
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit >= 0 && digit <= 9) units = units * 10 + digit
    else if (digit === -2 && pointAt < 0 && at > 0) pointAt = at
    else return undefined
  }
  const decimals = pointAt < 0 ? 0 : text.length - 1 - pointAt
  if (decimals > places || text.length === 0 || pointAt === text.length - 1) return undefined
  return units * (POWERS_OF_TEN[places - decimals] as number)
}

/** Writes units of 10^-`places` with exactly `places` decimals: `fixedDecimal(150n, 2)` is `1.50`. */
export function fixedDecimal(units: bigint | number, places: Decimals): string {
  const negative = units < 0
  let digits = (negative ? -units : units).toString()
  if (digits.length <= places) digits = digits.padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const text = places === 0 ? whole : `${whole}.${digits.slice(digits.length - places)}`
  return negative ? `-${text}` : text
}

/**
 * Like `plainDecimal` for safe integers, with as few intermediate strings as possible
 * (`npm run bench -- order-entry`).
 */
function shortPlain(units: number, places: number): string {
  const one = POWERS_OF_TEN[places] as number
  let fraction = units % one
  const whole = String((units - fraction) / one)
  if (fraction === 0) return whole
  let width = places
  while (fraction % 10 === 0) {
    fraction /= 10
    width--
  }
  const digits = String(fraction)
  return `${whole}.${ZEROS.slice(0, width - digits.length)}${digits}`
}

/**
 * Writes units of 10^-`places` without trailing zeros: `plainDecimal(150n, 2)` is `1.5`. Never an exponent.
 */
export function plainDecimal(units: bigint | number, places: Decimals): string {
  if (typeof units === 'number' && units >= 0 && places <= SAFE_DIGITS) return shortPlain(units, places)
  const text = fixedDecimal(units, places)
  if (places === 0) return text
  let end = text.length
  while (text.charCodeAt(end - 1) === 48) end--
  if (text.charCodeAt(end - 1) === 46) end--
  return text.slice(0, end)
}
