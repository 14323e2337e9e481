/**
 * The order of a command that the core's refusal concerns: in a list, the first that breaks the rule, in the
 * order in which the core checks them (docs/reference/order-lists.md#rules), with the names of its parameters
 * there.
 */
import type { Command } from '../../core/commands/command.ts'
import type { PlaceList } from '../../core/commands/order-lists.ts'
import { isStop, type PlaceOrder } from '../../core/commands/orders.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import { orderOfLeg, pendingOrderOf } from '../../core/trading/lists/list-legs.ts'
import { directionOf } from '../../core/trading/triggers/place-stop.ts'
import { type ListRole, ROLES_BY_KIND } from '../../units/order-enums.ts'
import { NO_AMOUNT, NO_LOTS, type Price } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import { leastQuantity, leastTotal } from './least-figures.ts'
import type { LimitsView } from './limits-view.ts'

export type RefusedOrder = {
  readonly order: PlaceOrder
  readonly symbol: TradingSymbol
  /** The parameter in which a figure of the order was sent. */
  readonly nameOf: (parameter: string) => string
}

/** Undefined if the command places no order. */
export function refusedOrder(
  reason: CoreReason,
  command: Command,
  view: LimitsView,
): RefusedOrder | undefined {
  const asked = command.kind === 'ReplaceOrder' ? command.order : command
  if (asked.kind !== 'PlaceOrder' && asked.kind !== 'PlaceList') return undefined
  const symbol = view.registry.symbol(asked.symbolId)
  if (symbol === undefined) return undefined
  if (asked.kind === 'PlaceList') return refusedLeg(reason, asked, symbol, view)
  return { order: asked, symbol, nameOf: (parameter) => parameter }
}

function refusedLeg(
  reason: CoreReason,
  list: PlaceList,
  symbol: TradingSymbol,
  { lastPrice }: LimitsView,
): RefusedOrder | undefined {
  const legs = list.legs.flatMap((leg, place) => {
    const role = ROLES_BY_KIND[list.list][place]
    const isPending = list.list !== 'OCO' && place > 0
    const order = isPending ? pendingOrderOf(list, leg) : orderOfLeg(list, leg)
    if (role === undefined || order === undefined) return []
    const nameOf = (parameter: string) => nameIn(role, parameter)
    return [{ order, symbol, nameOf, isPending, namesQuantity: leg.quantity !== undefined }]
  })
  const last = lastPrice?.(symbol)
  return legs.find(({ order, isPending, namesQuantity }) => {
    if (reason === 'QUANTITY_TOO_SMALL') return namesQuantity && isTooFew(order, symbol)
    if (reason === 'TOTAL_TOO_SMALL') return isTooLittle(order, symbol, isPending, namesQuantity)
    if (reason === 'PRICE_OUT_OF_BAND') return isOutOfBand(order, symbol)
    if (reason === 'PRICE_NOT_ON_TICK')
      return [order.stopPrice, order.price].some((price) => isOff(price, symbol.increments?.tickSize))
    if (reason === 'QUANTITY_NOT_ON_STEP')
      return namesQuantity && isOff(order.quantity, symbol.increments?.stepSize)
    return reason !== 'STOP_PRICE_REACHED' || (!isPending && isReached(order, last))
  })
}

function isOff(figure: number | undefined, size = 1): boolean {
  return figure !== undefined && figure % size !== 0
}

function isTooFew({ quantity = NO_LOTS }: PlaceOrder, { minQuantity }: TradingSymbol): boolean {
  return quantity < minQuantity
}

/** A pending order's amount to spend or to buy is not checked if it was not given. */
function isTooLittle(
  { price, quantity = NO_LOTS, total = NO_AMOUNT }: PlaceOrder,
  symbol: TradingSymbol,
  isPending: boolean,
  namesQuantity: boolean,
): boolean {
  if (price === undefined) return !isPending && total > 0 && total < leastTotal(symbol)
  const least = leastQuantity(price, symbol)
  return namesQuantity && least !== undefined && quantity < least
}

function isOutOfBand({ price, stopPrice }: PlaceOrder, { priceBand: band }: TradingSymbol): boolean {
  const isOut = (ticks: Price | undefined) =>
    band !== undefined && ticks !== undefined && (ticks < band.min || ticks > band.max)
  return isOut(stopPrice) || isOut(price)
}

function isReached(order: PlaceOrder, last: Price | undefined): boolean {
  if (last === undefined || !isStop(order)) return false
  if (order.stopPrice === undefined) return false
  return directionOf(order.type, order.side) === 'RISING' ? last >= order.stopPrice : last <= order.stopPrice
}

const PREFIXES: Readonly<Record<ListRole, string>> = {
  ABOVE: 'above',
  BELOW: 'below',
  WORKING: 'working',
  PENDING: 'pending',
  PENDING_ABOVE: 'pendingAbove',
  PENDING_BELOW: 'pendingBelow',
}

/** The name of a parameter in a list: the two orders of a pair have one common quantity. */
function nameIn(role: ListRole, parameter: string): string {
  if (parameter === 'quantity') {
    if (role === 'ABOVE' || role === 'BELOW') return 'quantity'
    return role === 'WORKING' ? 'workingQuantity' : 'pendingQuantity'
  }
  return `${PREFIXES[role]}${parameter[0]?.toUpperCase()}${parameter.slice(1)}`
}
