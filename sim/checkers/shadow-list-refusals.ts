/**
 * The reasons for which an order list may be refused, stated one by one from
 * docs/reference/order-lists.md#rules, in no order.
 */
import type { ListLeg, PlaceList } from '../../src/core/commands/order-lists.ts'
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import { isStopType } from '../../src/units/order-enums.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { mostOpenOf } from '../../test/oracle/support.ts'
import { admissionRefusals, incrementRefusals, type PlaceRefusals, placeRefusals } from './shadow-refusals.ts'
import { pricesOf, roundedDown, type ShadowState } from './shadow-state.ts'
import { isDistance } from './shadow-trailing.ts'

const AMOUNT_LIMIT = 2n ** 127n - 1n
const PROFITS = ['LIMIT_MAKER', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT']
const LOSSES = ['STOP_LOSS', 'STOP_LOSS_LIMIT']

export function listRefusals(state: ShadowState, command: PlaceList, symbol: TradingSymbol): Set<string> {
  const { accountId, list, legs } = command
  const reasons = new Set(admissionRefusals(state, accountId, symbol))
  if (!isWellFormed(command)) return reasons.add('INVALID_COMMAND')
  for (const { quantity } of legs)
    if (quantity !== undefined && quantity < symbol.minQuantity) reasons.add('QUANTITY_TOO_SMALL')
  for (const leg of legs) for (const reason of incrementRefusals(symbol, leg)) reasons.add(reason)
  if (!state.ids.hasRoom(accountId, idsOf(command).length)) reasons.add('TOO_MANY_CLIENT_ORDER_IDS')
  if (!areApart(command, state.lastPrices[symbol.id])) reasons.add('LIST_PRICES_CROSSED')
  const most = mostOpenOf(state, accountId, symbol)
  if (state.openOrders(accountId, symbol.id).length + legs.length > most) reasons.add('TOO_MANY_OPEN_ORDERS')
  for (const [place, leg] of legs.entries()) {
    const isLater = list !== 'OCO' && place > 0
    const found = isLater ? laterRefusals(symbol, leg) : listedRefusals(state, orderOf(command, leg)).before
    for (const reason of found) reasons.add(reason)
  }
  return reasons
}

/**
 * For an order of a list: these reasons are checked for the list, or were checked when the order was given.
 */
const NOT_ASKED_AGAIN = [
  'TOO_MANY_OPEN_ORDERS',
  'STOP_PRICE_REACHED',
  'TOO_MANY_CLIENT_ORDER_IDS',
  'PRICE_NOT_ON_TICK',
  'QUANTITY_NOT_ON_STEP',
]

/** For an order of a list that is placed now: the remaining requirements of a new order. */
export function listedRefusals(state: ShadowState, order: PlaceOrder): PlaceRefusals {
  const refusals = placeRefusals(state, order)
  for (const reason of NOT_ASKED_AGAIN) refusals.before.delete(reason)
  return refusals
}

/** For an order that is placed later: its prices, and its total if it has a quantity. */
function laterRefusals(symbol: TradingSymbol, { price, stopPrice, quantity }: ListLeg): Set<string> {
  const reasons = new Set<string>()
  const [lowest, highest] = pricesOf(symbol)
  for (const one of [price, stopPrice])
    if (one !== undefined && (one < lowest || one > highest)) reasons.add('PRICE_OUT_OF_BAND')
  if (price === undefined || quantity === undefined) return reasons
  const worth = roundedDown(symbol, BigInt(price) * BigInt(quantity))
  if (worth < 1n || worth < symbol.minTotal) reasons.add('TOTAL_TOO_SMALL')
  return reasons
}

/** One order of a list as a single order. */
export function orderOf(
  {
    accountId,
    symbolId,
    selfTradeMode,
    keyNumber,
  }: Pick<PlaceList, 'accountId' | 'symbolId' | 'selfTradeMode' | 'keyNumber'>,
  leg: ListLeg,
): PlaceOrder {
  return { kind: 'PlaceOrder', accountId, symbolId, selfTradeMode, keyNumber, ...leg } as PlaceOrder
}

/** The ids of a list and of its orders, the list's first. */
export function idsOf({ listClientOrderId, legs }: PlaceList): string[] {
  return [listClientOrderId, ...legs.map(({ clientOrderId }) => clientOrderId)].filter(
    (id) => id !== undefined,
  )
}

/** A BUY at any price: only its total bounds it. */
export function spends({ side, type }: Pick<ListLeg, 'side' | 'type'>): boolean {
  return side === 'BUY' && ['MARKET', 'STOP_LOSS', 'TAKE_PROFIT'].includes(type)
}

export function isWellFormed(command: PlaceList): boolean {
  const { list, legs } = command
  const ids = idsOf(command)
  const areIds = ids.every((id) => /^[A-Za-z0-9._:/-]{1,36}$/.test(id)) && new Set(ids).size === ids.length
  if (!areIds || legs.length !== (list === 'OTOCO' ? 3 : 2)) return false
  const placed = list === 'OCO' ? legs : legs.slice(0, 1)
  const later = list === 'OCO' ? [] : legs.slice(1)
  const isWhole = (leg: ListLeg) => leg.quantity !== undefined && spends(leg) === (leg.total !== undefined)
  if (!legs.every(hasFigures) || !placed.every(isWhole)) return false
  const [first] = legs
  if (list !== 'OCO' && first?.type !== 'LIMIT' && first?.type !== 'LIMIT_MAKER') return false
  for (const leg of later) {
    const isOfReceived = leg.quantity === undefined || spends(leg)
    if (leg.total !== undefined || (isOfReceived && leg.side === first?.side)) return false
  }
  return list === 'OTO' || isPair(legs.slice(-2))
}

/**
 * Whether the order has the figures of its type and no others, except quantity and total; each is in its
 * range.
 */
function hasFigures({
  type,
  price,
  stopPrice,
  trailingDelta,
  timeInForce,
  quantity,
  total,
}: ListLeg): boolean {
  if (!isDistance(trailingDelta)) return false
  const isLimit = type === 'LIMIT' || type === 'LIMIT_MAKER' || type.endsWith('_LIMIT')
  const isStop = type.startsWith('STOP_LOSS') || type.startsWith('TAKE_PROFIT')
  const takesTime = isLimit && type !== 'LIMIT_MAKER'
  if (isLimit !== (price !== undefined) || isStop !== ((stopPrice ?? trailingDelta) !== undefined))
    return false
  if (takesTime !== (timeInForce !== undefined) || timeInForce === 'GTD') return false
  const isInRange = (units: number | undefined) => units === undefined || units >= 1
  if (![price, stopPrice, quantity].every(isInRange)) return false
  return total === undefined || (bigintOf(total) >= 1n && bigintOf(total) <= AMOUNT_LIMIT)
}

/** The order above for a SELL, or below for a BUY, takes a profit; the other stops a loss. */
function isPair([above, below]: readonly ListLeg[]): boolean {
  if (above === undefined || below === undefined) return false
  if (above.side !== below.side || above.quantity !== below.quantity) return false
  const [profit, loss] = above.side === 'SELL' ? [above, below] : [below, above]
  return PROFITS.includes(profit.type) && LOSSES.includes(loss.type)
}

function areApart({ list, legs }: PlaceList, last: number | undefined): boolean {
  if (list === 'OTO') return true
  const [above = Number.POSITIVE_INFINITY, below = 0] = legs
    .slice(-2)
    .map(({ type, stopPrice, price }) => (isStopType(type) ? stopPrice : price))
  if (above <= below) return false
  return list !== 'OCO' || last === undefined || (above > last && last > below)
}
