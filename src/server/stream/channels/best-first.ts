import type { PriceLevel } from '../../../contract/api/market-data.ts'
import type { Side } from '../../../units/order-enums.ts'
import type { Price } from '../../../units/quantities.ts'

/** Levels of one side in the order of their prices: BUY descending, SELL ascending. */
export function bestFirst(side: Side, quantityByPrice: ReadonlyMap<Price, bigint>): PriceLevel[] {
  const direction = side === 'BUY' ? -1 : 1
  const levels = [...quantityByPrice].map(([price, quantity]) => ({ price, quantity }))
  return levels.sort((a, b) => (a.price - b.price) * direction)
}
