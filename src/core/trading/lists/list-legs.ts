/** The orders of a list as separate orders: the possible lists, and the parameters of each order. */
import { isStopType, type OrderType, ROLES_BY_KIND, type Side } from '../../../units/order-enums.ts'
import { amount, type Lots, type Price } from '../../../units/quantities.ts'
import type { ListLeg, PlaceList } from '../../commands/order-lists.ts'
import type { PlaceOrder } from '../../commands/orders.ts'
import { orderFiguresOf } from '../../commands/place-order-codec.ts'

/** Placeholders for the figures that a pending order leaves out, when only its form is checked. */
const ANY_QUANTITY = 1 as Lots
const ANY_TOTAL = amount(1)

/** The parameters of one order of a list; undefined if its figures do not fit its type. */
export function orderOfLeg(
  list: Pick<PlaceList, 'accountId' | 'symbolId' | 'selfTradeMode' | 'sessionNumber' | 'keyNumber'>,
  leg: ListLeg,
): PlaceOrder | undefined {
  const { accountId, symbolId, selfTradeMode, sessionNumber, keyNumber } = list
  const { type, side, timeInForce, price, stopPrice, trailingDelta, quantity, total, clientOrderId } = leg
  const figures = orderFiguresOf({
    type,
    side,
    timeInForce: timeInForce ?? 'GTC',
    price,
    stopPrice,
    trailingDelta,
    quantity,
    total,
    icebergQuantity: undefined,
    expireTime: undefined,
  })
  if (figures === undefined || figures.timeInForce !== timeInForce) return undefined
  const names = { accountId, symbolId, selfTradeMode, clientOrderId, sessionNumber, keyNumber }
  const head = { kind: 'PlaceOrder', ...names } as const
  return { ...head, ...figures }
}

/**
 * The parameters of a pending order, with placeholders for those that it leaves out; undefined if its figures
 * do not fit its type.
 */
export function pendingOrderOf(command: PlaceList, leg: ListLeg): PlaceOrder | undefined {
  if (leg.total !== undefined) return undefined
  const total = spendsTotal(leg) ? ANY_TOTAL : undefined
  return orderOfLeg(command, { ...leg, quantity: leg.quantity ?? ANY_QUANTITY, total })
}

/** Whether an order buys at any price, so that only a total bounds it. */
export function spendsTotal({ side, type }: Pick<ListLeg, 'side' | 'type'>): boolean {
  return side === 'BUY' && (type === 'MARKET' || type === 'STOP_LOSS' || type === 'TAKE_PROFIT')
}

/** Whether each order of a list, taken alone, matches the list's kind. */
export function isPossibleList(command: PlaceList): boolean {
  const { list, legs } = command
  const [first, second, third] = legs
  if (legs.length !== ROLES_BY_KIND[list].length || first === undefined || second === undefined) return false
  if (list === 'OCO') return areAlike(first, second) && legs.every((leg) => isWhole(command, leg))
  const canWork = (first.type === 'LIMIT' || first.type === 'LIMIT_MAKER') && isWhole(command, first)
  const pending = legs.slice(1)
  const arePossible = pending.every((leg) => isPossiblePending(command, leg, first.side))
  return canWork && arePossible && (third === undefined || areAlike(second, third))
}

function isWhole(command: PlaceList, leg: ListLeg): boolean {
  // For an order with a limit, a total would be redundant.
  const hasTotal = leg.total !== undefined
  return leg.quantity !== undefined && hasTotal === spendsTotal(leg) && orderOfLeg(command, leg) !== undefined
}

/**
 * An order without a quantity of its own, or one that spends a total, uses the proceeds of the working order,
 * so it must be on the other side.
 */
function isPossiblePending(command: PlaceList, leg: ListLeg, workingSide: Side): boolean {
  const needsReceived = leg.quantity === undefined || spendsTotal(leg)
  return pendingOrderOf(command, leg) !== undefined && !(needsReceived && leg.side === workingSide)
}

function areAlike(above: ListLeg, below: ListLeg): boolean {
  return isPair(above, below) && above.quantity === below.quantity
}

type PairWords = Pick<ListLeg, 'side' | 'type'>

/**
 * Whether one order takes a profit and the other stops a loss: in a SELL pair the order that takes a profit
 * is above, in a BUY pair below.
 */
export function isPair(above: PairWords, below: PairWords): boolean {
  const [profit, loss] = above.side === 'SELL' ? [above, below] : [below, above]
  return (
    above.side === below.side &&
    (profit.type === 'LIMIT_MAKER' || profit.type === 'TAKE_PROFIT' || profit.type === 'TAKE_PROFIT_LIMIT') &&
    (loss.type === 'STOP_LOSS' || loss.type === 'STOP_LOSS_LIMIT')
  )
}

/**
 * Whether the prices of an OCO pair are apart and, if it is placed now, on opposite sides of the last price.
 * A trailing order without a price of its own is not compared.
 */
export function standApart(above: ListLeg, below: ListLeg, last: Price | undefined): boolean {
  const upper = levelOf(above) ?? Number.POSITIVE_INFINITY
  const lower = levelOf(below) ?? 0
  if (upper <= lower) return false
  return last === undefined || (upper > last && last > lower)
}

/** The price at which an order of a pair takes effect: its stop price if it waits, else its limit. */
function levelOf({ type, price, stopPrice }: ListLeg): Price | undefined {
  return isStopType(type) ? stopPrice : price
}

/** Whether an order has a limit once it is triggered. */
export function isStopLimit(type: OrderType): boolean {
  return type === 'STOP_LOSS_LIMIT' || type === 'TAKE_PROFIT_LIMIT'
}
