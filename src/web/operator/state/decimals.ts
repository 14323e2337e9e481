/** Decimals in the node's notation, added and compared exactly. */

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * Whether the text may be typed as an amount: digits, without a sign, with at most one point between them.
 */
export function isDecimal(text: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(text)
}

/** The sum of two decimals, with as many digits after the point as the longer one has. */
export function sumOf(one: string, other: string): string {
  const places = Math.max(placesOf(one), placesOf(other))
  return decimalOf(unitsOf(one, places) + unitsOf(other, places), places)
}

/** Below zero if the first one is less. */
export function compareDecimals(one: string, other: string): number {
  const places = Math.max(placesOf(one), placesOf(other))
  const difference = unitsOf(one, places) - unitsOf(other, places)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/**
 * The value in units of 10^-`places`. Throws a RangeError if it is not a decimal with at most that many
 * digits after the point.
 */
export function unitsOf(text: string, places: number): bigint {
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === '' || fraction.length > places)
    throw new RangeError(`expected an amount with at most ${places} decimals, found ${text}`)
  const units = BigInt(whole + fraction.padEnd(places, '0'))
  return sign === '' ? units : -units
}

export function decimalOf(units: bigint, places: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  const [whole, fraction] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

function placesOf(text: string): number {
  return text.split('.')[1]?.length ?? 0
}
