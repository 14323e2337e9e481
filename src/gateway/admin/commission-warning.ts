/**
 * Warns of a symbol whose smallest orders trade for free: commission is rounded half up to a ledger unit, so what
 * is received below half a unit's worth of it earns the house nothing (docs/reference/http.md#commission).
 */
import type { TradingSymbol } from '../../core/registry/records.ts'
import { plainDecimal } from '../../units/decimal.ts'
import { type Decimals, RATE_ONE, type Rate } from '../../units/quantities.ts'
import { rateText } from './presentation.ts'

/** Least amount received, in ledger units, whose commission at `rate` is one unit: rate x amount, rounded half up. */
function leastEarning(rate: Rate): bigint {
  const half = BigInt(RATE_ONE / 2)
  return (half + BigInt(rate) - 1n) / BigInt(rate)
}

type Leg = {
  readonly code: string
  readonly precision: Decimals
  /** Ledger units that the smallest order receives. */
  readonly least: bigint
  readonly remedy: string
}

/** One sentence per side and rate of a symbol's smallest order that would earn no unit of commission. */
export function commissionWarnings(symbol: TradingSymbol): string[] {
  const minLots = BigInt(Math.max(symbol.minQuantity, 1))
  const unitsPerLot = 10n ** BigInt(symbol.basePrecision - symbol.baseFraction)
  const legs: readonly Leg[] = [
    {
      code: symbol.baseCode,
      precision: symbol.basePrecision,
      least: minLots * unitsPerLot,
      remedy: 'minQuantity',
    },
    {
      code: symbol.quoteCode,
      precision: symbol.quotePrecision,
      least: symbol.minTotal > 0n ? symbol.minTotal : 1n,
      remedy: 'minTotal',
    },
  ]
  const [rate] = [symbol.makerRate, symbol.takerRate].filter((each) => each > 0).sort((a, b) => a - b)
  if (rate === undefined) return []
  const earning = leastEarning(rate)
  return legs
    .filter(({ least }) => least < earning)
    .map(({ code, precision, least, remedy }) => {
      const smallest = plainDecimal(least, precision)
      const enough = plainDecimal(earning, precision)
      return (
        `${symbol.name}: whoever receives only ${smallest} ${code} pays no commission at ${rateText(rate)}; ` +
        `it takes ${enough} ${code} to earn one unit. A larger ${remedy} prevents that.`
      )
    })
}
