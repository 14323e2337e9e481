/** Decimals from answers as integers in units of 10^-8, for sums that must be exact to the last unit. */

const PLACES = 8

/** Converts plain digits with at most eight decimals, also negative ones; throws for anything else. */
export function units(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,8}))?$/.exec(text)
  if (match === null) throw new Error(`expected a decimal with at most ${PLACES} places, found ${text}`)
  const [, sign, whole, fraction = ''] = match
  return BigInt(`${sign}${whole}${fraction.padEnd(PLACES, '0')}`)
}
