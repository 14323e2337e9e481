/**
 * Positions of an account: the quantity of an asset, its cost, and the profit (docs/reference/positions.md).
 * Every decimal is an exact string.
 */
import { plainDecimal } from '../../units/decimal.ts'
import type { Amount, Decimals, Price } from '../../units/quantities.ts'
import {
  assetCode,
  component,
  decimal,
  listOf,
  optional,
  signedDecimal,
  symbolName,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { successHeads } from '../envelope.ts'

export type PositionLine = {
  readonly asset: { readonly code: string; readonly fraction: Decimals }
  readonly quantity: Amount
  readonly withoutCost: Amount
  readonly atLastPrice: Amount
  /** Undefined if the asset cannot be valued from any market. */
  readonly valued: ValuedLine | undefined
}

export type ValuedLine = {
  readonly symbol: string
  readonly costAsset: string
  /** Decimals of the amounts below; `quoteFraction`: those of the price. */
  readonly fraction: Decimals
  readonly quoteFraction: Decimals
  readonly cost: Amount
  readonly averageCost: Amount | undefined
  /** 0 if there was no trade. */
  readonly lastPrice: Price
  readonly value: Amount | undefined
  readonly unrealized: Amount | undefined
  readonly realized: Amount
  readonly soldCost: Amount
}

export const POSITIONS_READ = successHeads({
  en: 'The positions have been read.',
  tr: 'Pozisyonlar getirildi.',
})

/** An element of `positions`; inapplicable fields are absent. */
const POSITION = component('Position', 'The quantity of an asset in an account, its cost, and the profit.', {
  asset: assetCode(),
  quantity: decimal('The whole quantity: free, held by orders, frozen and in savings.'),
  withoutCost: optional(decimal('The part whose cost is unknown.')),
  atLastPrice: optional(decimal('The part whose cost is a last price instead of an amount paid.')),
  symbol: optional(symbolName('The market in which the asset is valued.')),
  costAsset: optional(assetCode('The asset of all amounts below.')),
  cost: optional(decimal('The cost of the part whose cost is known.')),
  averageCost: optional(decimal('The cost of 1 unit of the asset.')),
  lastPrice: optional(decimal('The price of the last trade in that market.')),
  value: optional(decimal('The value of the quantity at the last price.')),
  unrealizedProfit: optional(signedDecimal('The value of the part whose cost is known, less that cost.')),
  realizedProfit: optional(signedDecimal('Proceeds of sales less the cost of the sold quantity.')),
  soldCost: optional(decimal('The cost of the sold quantity.')),
})

export const POSITIONS = component(
  'PositionList',
  'One position for each asset that the account has ever had.',
  {
    positions: listOf(POSITION),
  },
)

export function positionLineJson({ asset, valued, ...line }: PositionLine): string {
  const units = (value: Amount) => plainDecimal(value, asset.fraction)
  return jsonOf(POSITION, {
    asset: asset.code,
    quantity: units(line.quantity),
    withoutCost: line.withoutCost === 0 ? undefined : units(line.withoutCost),
    atLastPrice: line.atLastPrice === 0 ? undefined : units(line.atLastPrice),
    ...(valued && valuedFields(valued)),
  })
}

function valuedFields(line: ValuedLine) {
  const text = (value: Amount | undefined) =>
    value === undefined ? undefined : plainDecimal(value, line.fraction)
  return {
    symbol: line.symbol,
    costAsset: line.costAsset,
    cost: text(line.cost),
    averageCost: text(line.averageCost),
    lastPrice: line.lastPrice === 0 ? undefined : plainDecimal(line.lastPrice, line.quoteFraction),
    value: text(line.value),
    unrealizedProfit: text(line.unrealized),
    realizedProfit: text(line.realized),
    soldCost: text(line.soldCost),
  }
}
