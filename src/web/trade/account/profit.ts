/**
 * Profit for display: rounded, in percent, and summed in one asset. The exact figures are the exchange's
 * (docs/reference/positions.md).
 */
import { Decimal } from '../../../client/decimal.ts'
import type { Position } from '../../../client/interface/positions.ts'
import type { PriceTable, Worth } from './worth.ts'

/** Rounded to `places` decimals, all of which are shown; half away from zero. */
export function roundedText(exact: string, places: number): string {
  const isBelow = exact.startsWith('-')
  const [whole = '0', fraction = ''] = exact.replace('-', '').split('.')
  const digits = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
  const units = digits + (Number(fraction[places] ?? '0') >= 5 ? 1n : 0n)
  const text = units.toString().padStart(places + 1, '0')
  const cut = text.length - places
  const size = places === 0 ? text : `${text.slice(0, cut)}.${text.slice(cut)}`
  return isBelow && units > 0n ? `-${size}` : size
}

export type Percent = { readonly isBelow: boolean; readonly size: string }

/** `part` of `whole` in percent, in hundredths, rounded as above; undefined unless `whole` is positive. */
export function percentOf(part: string, whole: string): Percent | undefined {
  const [above, below] = [scaled(part), scaled(whole)]
  if (below <= 0n) return undefined
  const size = above < 0n ? -above : above
  const hundredths = (size * 20_000n + below) / (below * 2n)
  return { isBelow: above < 0n && hundredths > 0n, size: centsText(hundredths) }
}

/** In units of 10^-36: enough for the decimals of every ledger plus up to 18 more. */
function scaled(exact: string): bigint {
  const isBelow = exact.startsWith('-')
  const [whole = '0', fraction = ''] = exact.replace('-', '').split('.')
  const units = BigInt(whole + fraction.padEnd(36, '0').slice(0, 36))
  return isBelow ? -units : units
}

function centsText(hundredths: bigint): string {
  const text = hundredths.toString().padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`
}

export type PortfolioTotals = {
  readonly value: Worth
  /** The asset in which all others are valued is not included. */
  readonly unrealized: Worth
  readonly realized: Worth
  /** The assets that cannot be valued from any market. */
  readonly unknown: readonly string[]
}

/** All positions in `code`, at the last prices. */
export function totalsOf(positions: readonly Position[], code: string, prices: PriceTable): PortfolioTotals {
  const unknown = new Set<string>()
  const sum = { value: NOTHING, unrealized: NOTHING, realized: NOTHING }
  for (const { asset, quantity, costAsset, unrealizedProfit, realizedProfit } of positions) {
    const add = (name: keyof typeof sum, exact: string | undefined, of: string | undefined) => {
      if (exact === undefined || of === undefined) return
      const worth = signedWorth(exact, of, code, prices)
      if (worth === undefined) unknown.add(asset)
      else sum[name] = together(sum[name], worth)
    }
    add('value', quantity, asset)
    if (asset === code) continue
    add('unrealized', unrealizedProfit, costAsset)
    add('realized', realizedProfit, costAsset)
  }
  return { ...sum, unknown: [...unknown] }
}

const NOTHING: Worth = { value: Decimal.from('0'), isRounded: false }

function signedWorth(exact: string, of: string, code: string, prices: PriceTable): Worth | undefined {
  const amount = Decimal.from(exact)
  if (amount.compare('0') >= 0) return prices.worth(amount, of, code)
  const worth = prices.worth(amount.negated(), of, code)
  return worth && { value: worth.value.negated(), isRounded: worth.isRounded }
}

function together(a: Worth, b: Worth): Worth {
  return { value: a.value.plus(b.value), isRounded: a.isRounded || b.isRounded }
}
