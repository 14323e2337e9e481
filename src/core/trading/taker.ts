/** An order in the form for matching. */
import type { Side } from '../../units/order-enums.ts'
import type { Price } from '../../units/quantities.ts'
import type { PlaceImmediate } from '../commands/orders.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { budgetOf, budgetUnit } from '../ledger/money.ts'
import type { Taker } from '../market/matching.ts'
import { endedMakers } from './timers/ended.ts'

export function takerOf(command: PlaceImmediate, market: Market, state: ExchangeState): Taker {
  const { side, accountId, price, quantity, total, type } = command
  const hasBudget = type === 'MARKET' && total !== undefined
  return {
    side,
    owner: accountId,
    limit: price ?? edgeOf(market, side),
    quantity,
    budget: hasBudget ? budgetOf(total, market.scale) : undefined,
    // A seller's total bounds exact proceeds.
    budgetUnit: hasBudget && side === 'BUY' ? budgetUnit(market.scale) : undefined,
    stepSize: hasBudget ? market.symbol.increments?.stepSize : undefined,
    selfTradeMode: command.selfTradeMode ?? market.symbol.selfTradeMode,
    stepsMax: state.matchStepsMax,
    hasEnded: endedMakers(state),
  }
}

/** The worst price of a MARKET order: the end of the symbol's price band; undefined for any. */
function edgeOf({ symbol: { priceBand } }: Market, side: Side): Price | undefined {
  return side === 'BUY' ? priceBand?.max : priceBand?.min
}
