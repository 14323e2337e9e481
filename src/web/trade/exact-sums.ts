/**
 * Exact computations: the quantity for a total or a share of a balance, and the nearest value that a market
 * accepts.
 */
import { Decimal } from '../../client/decimal.ts'

/** One unit of the last decimal: 0.01 for 2. */
export function stepOf(places: number): Decimal {
  return Decimal.from(places === 0 ? '1' : `0.${'0'.repeat(places - 1)}1`)
}

export function hasDecimals(value: Decimal, places: number): boolean {
  return value.compare(value.roundedDownTo(stepOf(places))) === 0
}

/** The nearest multiple of the step, the lower one if two are equally near, and never less than one step. */
export function nearestTo(value: Decimal, step: Decimal): Decimal {
  const below = value.roundedDownTo(step)
  if (below.compare('0') === 0) return step
  const above = below.plus(step)
  return above.minus(value).compare(value.minus(below)) < 0 ? above : below
}

/**
 * The largest quantity with `places` decimals whose total is not above `total`. `price` must be above zero.
 */
export function quantityFor(total: Decimal, price: Decimal, places: number): Decimal {
  const [totalUnits, totalPlaces] = unitsOf(total)
  const [priceUnits, pricePlaces] = unitsOf(price)
  // total / price, in units of 10^-places.
  const units = (totalUnits * 10n ** BigInt(pricePlaces + places)) / (priceUnits * 10n ** BigInt(totalPlaces))
  return Decimal.from(units).times(stepOf(places))
}

/** An integer percentage of an amount, rounded down to `places` decimals. */
export function shareOf(amount: Decimal, percent: number, places: number): Decimal {
  return amount.times(BigInt(percent)).times('0.01').roundedDownTo(stepOf(places))
}

/**
 * `part` in percent of `whole`, rounded up to hundredths. `part` must not be negative, `whole` must be
 * positive.
 */
export function percentUp(part: Decimal, whole: Decimal): Decimal {
  const [partUnits, partPlaces] = unitsOf(part)
  const [wholeUnits, wholePlaces] = unitsOf(whole)
  const [above, below] = [
    partUnits * 10_000n * 10n ** BigInt(wholePlaces),
    wholeUnits * 10n ** BigInt(partPlaces),
  ]
  return Decimal.from((above + below - 1n) / below).times('0.01')
}

function unitsOf(value: Decimal): readonly [units: bigint, places: number] {
  const [whole = '0', fraction = ''] = value.toString().split('.')
  return [BigInt(whole + fraction), fraction.length]
}

/** The share of the free balance that is used, as an integer percentage from 0 to 100, for a slider. */
export function sharePercent(given: Decimal, free: string | undefined): number {
  const share = free === undefined ? 0 : (Number(given.toString()) / Number(free)) * 100
  return Number.isFinite(share) ? Math.min(100, Math.max(0, Math.round(share))) : 0
}
