/**
 * The nearest number that would be accepted in place of a refused one
 * (docs/reference/refusals.md). It is only reported, never used: no value that a client sends
 * is rounded.
 */
import { DECIMAL_TEXT_MAX, plainDecimal } from '../../units/decimal.ts'
import type { Decimals } from '../../units/quantities.ts'

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * As a text with at most `places` decimals, `min` to `max` units of 10^-`places`; undefined if the input is
 * not a number.
 */
export function nearestDecimal(text: string, places: Decimals, min: bigint, max: bigint): string | undefined {
  const units = nearestUnits(text, places)
  if (units === undefined) return undefined
  return plainDecimal(units < min ? min : units > max ? max : units, places)
}

/** A whole number from `min` to `max`. */
export function nearestWhole(text: string, min: number, max: number): string | undefined {
  return nearestDecimal(text, 0 as Decimals, BigInt(min), BigInt(max))
}

/** Rounds halves up. A number below zero becomes some number below zero. */
function nearestUnits(text: string, places: Decimals): bigint | undefined {
  const [, sign, whole = '', fraction = ''] = (text.length <= DECIMAL_TEXT_MAX && NUMBER.exec(text)) || []
  if (sign === undefined) return undefined
  const units = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
  if (sign === '-') return -units - 1n
  return (fraction[places] ?? '0') >= '5' ? units + 1n : units
}
