/**
 * Warns of a symbol whose smallest orders pay no commission: commission is rounded half up to a ledger unit,
 * so receipts that are worth less than half a unit of commission earn the house nothing
 * (docs/reference/matching.md#commission).
 */
import { baseUnits, leastCharged, lotScale } from '../../../core/ledger/money.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import { plainDecimal } from '../../../units/decimal.ts'
import { type Amount, amount, type Decimals, lots } from '../../../units/quantities.ts'
import { rateText } from '../presentation.ts'

type Leg = {
  readonly code: string
  readonly precision: Decimals
  /** Ledger units that the smallest order receives. */
  readonly least: Amount
  readonly remedy: string
}

/** One sentence per side and rate of a symbol's smallest order that would earn no unit of commission. */
export function commissionWarnings(symbol: TradingSymbol): string[] {
  const smallest = lots(Math.max(symbol.minQuantity, 1))
  const legs: readonly Leg[] = [
    {
      code: symbol.baseCode,
      precision: symbol.basePrecision,
      least: baseUnits(smallest, lotScale(symbol.baseFraction, symbol.basePrecision)),
      remedy: 'minQuantity',
    },
    {
      code: symbol.quoteCode,
      precision: symbol.quotePrecision,
      least: symbol.minTotal > 0 ? symbol.minTotal : amount(1),
      remedy: 'minTotal',
    },
  ]
  const [rate] = [symbol.makerRate, symbol.takerRate].filter((each) => each > 0).sort((a, b) => a - b)
  if (rate === undefined) return []
  const earning = leastCharged(rate)
  return legs
    .filter(({ least }) => least < earning)
    .map(({ code, precision, least, remedy }) => {
      const smallest = plainDecimal(least, precision)
      const enough = plainDecimal(earning, precision)
      return (
        `${symbol.name}: a trader who receives only ${smallest} ${code} pays no commission at ${rateText(rate)}; ` +
        `it takes ${enough} ${code} to earn one unit. A larger ${remedy} prevents that.`
      )
    })
}
