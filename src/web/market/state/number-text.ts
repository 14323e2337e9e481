/**
 * Figures for people: the integer part in groups of three, and the zeros at the end separate, so that they
 * can be drawn faintly while decimal points are still aligned.
 */
import { fixedDecimal } from '../../../units/decimal.ts'
import type { Decimals, Price } from '../../../units/quantities.ts'
import { GROUP_SPACE, groupedWhole } from '../../shared/grouped-text.ts'

/** `text` without `zeros` is the figure; both together have a fixed number of decimals. */
export type NumberText = { readonly text: string; readonly zeros: string }

/** `1 234.50` from 123450 units of 10^-2. */
export function grouped(units: bigint | number, places: Decimals): string {
  const text = fixedDecimal(units, places)
  const point = text.indexOf('.')
  const whole = point < 0 ? text : text.slice(0, point)
  return groupedWhole(whole) + (point < 0 ? '' : text.slice(point))
}

/** `1 234.50` from the exact decimal `1234.5`, which must not have more than `places` decimals. */
export function groupedDecimal(text: string, places: Decimals): string {
  const [whole = '', rest = ''] = text.split('.')
  const grouping = groupedWhole(whole)
  return places === 0 ? grouping : `${grouping}.${rest.padEnd(places, '0')}`
}

/** `1 234.5` and `0`. A point followed only by zeros belongs to the zeros. */
export function figure(units: bigint | number, places: Decimals): NumberText {
  const text = grouped(units, places)
  if (places === 0) return { text, zeros: '' }
  const end = text.search(/\.?0*$/)
  return { text: text.slice(0, end), zeros: text.slice(end) }
}

/** `1234.50` from `1 234.50`: the format of fields and of the exchange. */
export function plainNumber(text: string): string {
  return text.replaceAll(GROUP_SPACE, '')
}

/** The exact price halfway between two, with one more decimal if needed. */
export function midPrice(buy: Price, sell: Price, places: Decimals): string {
  const sum = BigInt(buy) + BigInt(sell)
  return sum % 2n === 0n ? grouped(sum / 2n, places) : grouped(sum * 5n, (places + 1) as Decimals)
}

/** A spread as a share of the middle price, in percent, with three decimals: only for display. */
export function spreadPercent(buy: Price, sell: Price): string {
  const share = (2 * (sell - buy)) / (sell + buy)
  return (share * 100).toFixed(3)
}
