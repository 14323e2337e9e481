/** A second parser of decimals, digit by digit with integers of any size. */

/** Units of 10^-`places`; otherwise a word for the error. */
export function decimalUnits(text: string, places: number): bigint | 'MALFORMED' | 'TOO_MANY_DECIMALS' {
  const parts = text.split('.')
  const isSound = parts.length <= 2 && parts.every((part) => part !== '' && [...part].every(isDigit))
  if (!isSound) return 'MALFORMED'
  const [whole = '', fraction = ''] = parts
  let units = 0n
  for (const digit of whole) units = units * 10n + BigInt(digit)
  for (let at = 0; at < Math.max(places, fraction.length); at++) {
    const digit = BigInt(fraction[at] ?? '0')
    if (at < places) units = units * 10n + digit
    else if (digit !== 0n) return 'TOO_MANY_DECIMALS'
  }
  return units
}

function isDigit(character: string): boolean {
  return character.length === 1 && character >= '0' && character <= '9'
}
