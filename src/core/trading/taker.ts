/** An order in the form that matching needs. */
import type { Side } from '../../units/order-enums.ts'
import type { Price } from '../../units/quantities.ts'
import type { PlaceImmediate } from '../commands/orders.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { budgetOf, budgetUnit } from '../ledger/money.ts'
import type { Taker } from '../market/matching.ts'
import { endedMakers } from './timers/ended.ts'

/** Returns the market's own record of a taker, with every field rewritten. */
export function takerOf(command: PlaceImmediate, market: Market, state: ExchangeState): Taker {
  const { side, accountId, price, quantity, total, type } = command
  const hasBudget = type === 'MARKET' && total !== undefined
  const { taker } = market
  taker.side = side
  taker.owner = accountId
  taker.limit = price ?? edgeOf(market, side)
  taker.quantity = quantity
  taker.budget = hasBudget ? budgetOf(total, market.scale) : undefined
  // A seller's total limits the exact proceeds.
  taker.budgetUnit = hasBudget && side === 'BUY' ? budgetUnit(market.scale) : undefined
  taker.stepSize = hasBudget ? market.symbol.increments?.stepSize : undefined
  taker.selfTradeMode = command.selfTradeMode ?? market.symbol.selfTradeMode
  taker.stepsMax = state.matchStepsMax
  taker.hasEnded = endedMakers(state)
  return taker
}

/** The worst price of a MARKET order: the end of the symbol's price band; undefined without a band. */
function edgeOf({ symbol: { priceBand } }: Market, side: Side): Price | undefined {
  return side === 'BUY' ? priceBand?.max : priceBand?.min
}
