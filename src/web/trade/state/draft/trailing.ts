/**
 * The distance of an order that follows the price: percent for people, basis points for the exchange
 * (docs/reference/trailing-orders.md#the-parameter).
 */
import { Decimal } from '../../../../client/decimal.ts'
import { hasDecimals } from '../../exact-sums.ts'
import { typedNumber } from './number-field.ts'

/** The distances that the exchange accepts, in percent. */
export const TRAILING_PERCENTS = { least: '0.1', most: '20', places: 2 } as const

/** Undefined for a distance that the exchange does not accept. */
export function basisPointsOf(percent: Decimal): number | undefined {
  const { least, most } = TRAILING_PERCENTS
  if (percent.compare(least) < 0 || percent.compare(most) > 0) return undefined
  return Number(percent.times('100').toString())
}

/** The same for a typed percentage; also undefined if it is not a number. */
export function typedBasisPoints(text: string): number | undefined {
  const typed = typedNumber(text)
  if (typed.kind !== 'number' || !hasDecimals(typed.value, TRAILING_PERCENTS.places)) return undefined
  return basisPointsOf(typed.value)
}

/** In percent, without trailing zeros. */
export function percentOf(basisPoints: number): string {
  return Decimal.from(String(basisPoints)).times('0.01').toString()
}
