/** Answers about positions. Made by `npm run schemas` from src/contract/publish: change it there. */
import type { DecimalText } from '../values.ts'

/** What an account has of an asset, what that cost, and the profit. */
export type Position = {
  readonly asset: string
  /** All of it: free, held by orders, frozen and in savings. */
  readonly quantity: DecimalText
  /** The part that nobody knows the cost of. */
  readonly withoutCost?: DecimalText | undefined
  /** The part whose cost is a last price, not what was paid for it. */
  readonly atLastPrice?: DecimalText | undefined
  /** The market that the asset is valued in. */
  readonly symbol?: string | undefined
  /** What all amounts below are in. */
  readonly costAsset?: string | undefined
  /** Of all but the part without cost. */
  readonly cost?: DecimalText | undefined
  /** Of 1 of the asset. */
  readonly averageCost?: DecimalText | undefined
  /** Of the last trade in that market. */
  readonly lastPrice?: DecimalText | undefined
  /** Of the quantity at the last price. */
  readonly value?: DecimalText | undefined
  /** The value of what has a cost, less the cost. */
  readonly unrealizedProfit?: DecimalText | undefined
  /** What sales brought less the cost of what was sold. */
  readonly realizedProfit?: DecimalText | undefined
  /** The cost of what was sold. */
  readonly soldCost?: DecimalText | undefined
}

/** Of each asset that the account ever had. */
export type PositionList = {
  readonly positions: readonly Position[]
}
