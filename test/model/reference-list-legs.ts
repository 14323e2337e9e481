/** The possible lists, and their orders as single orders, for the reference exchange. */
import type { ListLeg, PlaceList } from '../../src/core/commands/order-lists.ts'
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import { figuresOrNone } from '../../src/core/exchange/order-figures.fixture.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import { amount, type Lots, UNITS_MAX } from '../../src/units/quantities.ts'
import { isDistance } from './reference-trailing.ts'

/** Undefined if no type has these figures. */
export function legOrder(
  {
    accountId,
    symbolId,
    selfTradeMode,
    keyNumber,
  }: Pick<PlaceList, 'accountId' | 'symbolId' | 'selfTradeMode' | 'keyNumber'>,
  { clientOrderId, ...leg }: ListLeg,
): PlaceOrder | undefined {
  const takesTime = leg.type === 'LIMIT' || leg.type.endsWith('_LIMIT')
  // `timeInForce` is required for the types that take it, and forbidden for the others.
  if (takesTime !== (leg.timeInForce !== undefined)) return undefined
  const figures = figuresOrNone(leg)
  if (figures === undefined) return undefined
  return { kind: 'PlaceOrder', accountId, symbolId, selfTradeMode, clientOrderId, keyNumber, ...figures }
}

/** A pending order with placeholders for the figures that it leaves out. */
export function formOf(leg: ListLeg): ListLeg {
  const isBudget = leg.side === 'BUY' && leg.price === undefined
  return { ...leg, quantity: leg.quantity ?? (1 as Lots), total: isBudget ? amount(1n) : undefined }
}

export function isWellFormedList(command: PlaceList): boolean {
  const { list, legs } = command
  const ids = idsOf(command)
  if (new Set(ids).size < ids.length || ids.some((id) => !/^[A-Za-z0-9._:/-]{1,36}$/.test(id))) return false
  const isUnits = (value: number | undefined) => value === undefined || (value >= 1 && value <= UNITS_MAX)
  const hasFigures = ({ price, stopPrice, trailingDelta, quantity, total }: ListLeg) =>
    isDistance(trailingDelta) &&
    [price, stopPrice, quantity].every(isUnits) &&
    (total === undefined || (total >= 1n && total <= AMOUNT_MAX))
  if (!legs.every(hasFigures) || legs.length !== (list === 'OTOCO' ? 3 : 2)) return false
  const placed = list === 'OCO' ? legs : legs.slice(0, 1)
  const pending = list === 'OCO' ? [] : legs.slice(1)
  if (placed.some((leg) => leg.quantity === undefined || legOrder(command, leg) === undefined)) return false
  const isBoundByTotal = ({ side, price }: ListLeg) => side === 'BUY' && price === undefined
  if (placed.some((leg) => isBoundByTotal(leg) !== (leg.total !== undefined))) return false
  const [working] = legs as [ListLeg]
  if (list !== 'OCO' && working.type !== 'LIMIT' && working.type !== 'LIMIT_MAKER') return false
  for (const leg of pending) {
    if (leg.total !== undefined || legOrder(command, formOf(leg)) === undefined) return false
    const isBudget = leg.side === 'BUY' && leg.price === undefined
    // `pendingSide` must be the other side, unless `pendingQuantity` states the quantity.
    if ((leg.quantity === undefined || isBudget) && leg.side === working.side) return false
  }
  return list === 'OTO' || isPair(legs.at(-2) as ListLeg, legs.at(-1) as ListLeg)
}

/**
 * One order takes a profit, the other stops a loss: for a SELL pair the above order takes the profit, for a
 * BUY pair the below order.
 */
function isPair(above: ListLeg, below: ListLeg): boolean {
  if (above.side !== below.side || above.quantity !== below.quantity) return false
  const [profit, loss] = above.side === 'SELL' ? [above, below] : [below, above]
  const isProfit = ['LIMIT_MAKER', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'].includes(profit.type)
  return isProfit && ['STOP_LOSS', 'STOP_LOSS_LIMIT'].includes(loss.type)
}

export function idsOf({ listClientOrderId, legs }: PlaceList): string[] {
  return [listClientOrderId, ...legs.map(({ clientOrderId }) => clientOrderId)].filter(
    (id) => id !== undefined,
  )
}
