/**
 * Exact decimals for an outside examiner: integers of smallest units as BigInt, without code of the product.
 */

/**
 * Integer value in units of 10^-decimals. Throws for anything but plain digits, and for more decimals than
 * that.
 */
export function units(text: string, decimals: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (match === null) throw new Error(`not a plain decimal: ${text}`)
  const [, sign, whole, fraction = ''] = match
  if (fraction.length > decimals) throw new Error(`${text} has more than ${decimals} decimals`)
  return BigInt(`${sign}${whole}${fraction.padEnd(decimals, '0')}`)
}

/** Writes units with all their decimals. */
export function fixed(value: bigint, decimals: number): string {
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`
}

/** Writes units without trailing zeros. */
export function plain(value: bigint, decimals: number): string {
  const text = fixed(value, decimals)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** Quotient rounded down; both at least 0. */
export function divideDown(value: bigint, by: bigint): bigint {
  return value / by
}

/** Quotient rounded up; both at least 0. */
export function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

/** Quotient rounded half up; both at least 0. */
export function divideHalfUp(value: bigint, by: bigint): bigint {
  return (2n * value + by) / (2n * by)
}

export function power10(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}

export function sum(values: Iterable<bigint>): bigint {
  let total = 0n
  for (const value of values) total += value
  return total
}
