/** Decimals as this wire writes them: always with eight places, or more where the value has them. */
import { fixedDecimal } from '../../../units/decimal.ts'
import type { Decimals } from '../../../units/quantities.ts'

const PLACES = 8

/** Units of 10^-`places`: 150 of two places are `1.50000000`. */
export function padded(units: number | bigint, places: Decimals): string {
  return paddedText(fixedDecimal(units, places))
}

/** A plain decimal, padded with zeros to eight places, and without zeros beyond them. */
export function paddedText(text: string): string {
  const point = text.indexOf('.')
  const places = point < 0 ? 0 : text.length - point - 1
  if (places >= PLACES) {
    let end = text.length
    while (end > point + 1 + PLACES && text[end - 1] === '0') end--
    return text.slice(0, end)
  }
  return `${text}${point < 0 ? '.' : ''}${'0'.repeat(PLACES - places)}`
}
