/** The depth in words, with exact figures. */
import { plainDecimal } from '../../../../units/decimal.ts'
import type { Decimals } from '../../../../units/quantities.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { ListedSymbol } from '../../connection/symbols.ts'
import type { DepthFigures, PointedDepth } from '../../state/depth-figures.ts'
import { grouped, groupedDecimal } from '../../state/number-text.ts'
import { NOTHING } from '../dom.ts'

export function summaryText({ bid, ask, near }: DepthFigures, symbol: ListedSymbol): string {
  const price = (ticks: number | undefined) =>
    ticks === undefined ? NOTHING : grouped(ticks, symbol.quoteFraction)
  const spread = bid === undefined || ask === undefined ? undefined : ask - bid
  const sums = [near.bids, near.asks].map((lots) => quantityText(lots, symbol))
  return TEXTS.depth.summary(price(bid), price(ask), price(spread), sums[0] ?? '', sums[1] ?? '')
}

export function crossText({ ticks, side, sums }: PointedDepth, symbol: ListedSymbol): string {
  const price = grouped(Math.max(ticks, 0), symbol.quoteFraction)
  if (side === undefined) return TEXTS.depth.inSpread(price)
  const places = (symbol.baseFraction + symbol.quoteFraction) as Decimals
  const cost = plainDecimal(sums.cost, places)
  const costText = groupedDecimal(cost, (cost.split('.')[1] ?? '').length as Decimals)
  return TEXTS.depth.cross[side](price, quantityText(sums.lots, symbol), `${costText} ${symbol.quoteCode}`)
}

function quantityText(lots: bigint, { baseFraction, baseCode }: ListedSymbol): string {
  return `${plainDecimal(lots, baseFraction)} ${baseCode}`
}
