/** Creates the record of an order when it is placed. */
import type { OrderNumber } from '../../units/ids.ts'
import { isStopType } from '../../units/order-enums.ts'
import { NO_LOTS, NO_NOTIONAL, type Price } from '../../units/quantities.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { NO_COMMISSION } from '../ledger/money.ts'
import { NO_SLOT } from '../market/order-book.ts'
import type { Asked } from './execution.ts'
import type { Order, OrderStop } from './open-orders.ts'
import { termsOf } from './order-terms.ts'

/** Creates the record of an order, which gets the next order number. */
export function newOrder(state: ExchangeState, { symbol }: Market, asked: Asked): Order {
  const { nextOrder, time } = state
  const { type, timeInForce, selfTradeMode } = asked
  return {
    number: nextOrder as OrderNumber,
    time,
    terms: termsOf(type, timeInForce, selfTradeMode ?? symbol.selfTradeMode),
    updatedAt: time,
    accountId: asked.accountId,
    keyNumber: asked.keyNumber || undefined,
    symbolId: asked.symbolId,
    side: asked.side,
    price: asked.price ?? (0 as Price),
    quantity: asked.quantity ?? NO_LOTS,
    askedQuantity: undefined,
    remaining: asked.quantity ?? NO_LOTS,
    slot: NO_SLOT,
    executedQuantity: NO_LOTS,
    executedNotional: NO_NOTIONAL,
    commission: NO_COMMISSION,
    stop: stopOf(asked),
    icebergQuantity: asked.icebergQuantity,
  }
}

/**
 * The trigger of a new order, and the total that it holds while it waits; undefined if it does not wait or
 * its trigger was left out.
 */
function stopOf({ type, side, price, stopPrice, trailingDelta, total }: Asked): OrderStop | undefined {
  if (!isStopType(type) || (stopPrice === undefined && trailingDelta === undefined)) return undefined
  const isBudget = price === undefined && side === 'BUY'
  return {
    price: stopPrice,
    trailing: trailingDelta && { delta: trailingDelta, following: { since: undefined } },
    total: isBudget ? total : undefined,
    triggeredAt: undefined,
  }
}
