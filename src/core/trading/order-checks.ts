/**
 * Checks before an order may change anything (docs/reference/http.md#new-order). The border checks the form
 * and gives more detailed messages; here are all checks without which money could be lost.
 */

import { isClientOrderId } from '../../units/client-order-id.ts'
import type { AccountId } from '../../units/ids.ts'
import { EXPIRE_TIME_AHEAD_MAX_MS } from '../../units/limits.ts'
import { worthOf } from '../../units/notional.ts'
import type { ExchangePhase, SymbolState } from '../../units/order-enums.ts'
import { type Amount, isAmount, type Lots, type Price, UNITS_MAX } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import { isTrailingDelta } from '../../units/trailing-delta.ts'
import {
  isStop,
  type LimitMakerOrder,
  type LimitOrder,
  type MarketBuyQuantityOrder,
  mayRest,
  type PlaceImmediate,
  type PlaceOrder,
  type PlaceStop,
  triggeredAs,
} from '../commands/orders.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { baseUnits, paidFor, receivedFor } from '../ledger/money.ts'
import { type IcebergAt, isFillable, worthInReach, wouldTake } from '../market/look-ahead.ts'
import type { Registry } from '../registry/registry.ts'
import { icebergsIn, isPartOf } from './iceberg.ts'
import { takerOf } from './taker.ts'
import { sessionRefusal } from './timers/session-commands.ts'
import { directionOf, isReached } from './triggers/place-stop.ts'

type WithLimit = LimitOrder | LimitMakerOrder

/**
 * The reason why `command` is refused; undefined if it may continue to matching, or to waiting. Changes
 * nothing. If `sees` is `VISIBLE`, the hidden parts of other orders are ignored, for an answer that places no
 * order.
 */
export function refusalOf(
  command: PlaceOrder,
  market: Market,
  state: ExchangeState,
  sees: Sight = 'ALL',
): CoreReason | undefined {
  return lastingRefusalOf(command, market, state, 0) ?? momentaryRefusalOf(command, market, state, sees)
}

/** Whether hidden quantities of other orders affect the result: with `VISIBLE` they do not. */
type Sight = 'ALL' | 'VISIBLE'

/**
 * The reason why an order would be refused whatever its account's balance and its book; undefined if there is
 * none. `leaving` of the account's open orders in the symbol are not counted.
 */
export function lastingRefusalOf(
  command: PlaceOrder,
  market: Market,
  state: ExchangeState,
  leaving: number,
): CoreReason | undefined {
  const refusal =
    anyRefusal(command, market, state) ??
    incrementRefusal(command, market) ??
    (isStop(command) ? stopRefusal(command, market) : sizeRefusal(command, market))
  if (refusal !== undefined) return refusal
  const staysOpen = isStop(command) || mayRest(command)
  return staysOpen && isFullOf(command, market, state, leaving) ? 'TOO_MANY_OPEN_ORDERS' : undefined
}

/**
 * The reason why an otherwise valid order is refused because of its account's free balance, or its book;
 * undefined if there is none.
 */
export function momentaryRefusalOf(
  command: PlaceOrder,
  market: Market,
  state: ExchangeState,
  sees: Sight = 'ALL',
): CoreReason | undefined {
  if (!isStop(command)) return immediateRefusal(command, market, state, sees)
  if (!hasRoomToWait(command, market)) return 'TOO_MANY_PRICE_LEVELS'
  return hasFree(triggeredAs(command), market, state, sees) ? undefined : 'INSUFFICIENT_FUNDS'
}

/** Whether orders may wait for one more price, or some already wait for this order's price. */
function hasRoomToWait(
  { type, side, stopPrice, trailingDelta }: PlaceStop,
  { triggers, symbol: { levelsMax } }: Market,
): boolean {
  const direction = directionOf(type, side)
  if (trailingDelta !== undefined) {
    const trailing = triggers.trailing[side]
    return trailing.priceCount < levelsMax || trailing.hasPrice(direction, stopPrice)
  }
  return triggers.levelCount(direction) < levelsMax || triggers.hasLevel(direction, stopPrice)
}

/**
 * The reason why a triggered order, which is matched as `command`, is refused; undefined if it is not. It is
 * already open, so it is not counted as one more open order.
 */
export function triggeredRefusalOf(
  command: PlaceImmediate,
  market: Market,
  state: ExchangeState,
): CoreReason | undefined {
  return (
    anyRefusal(command, market, state) ??
    sizeRefusal(command, market) ??
    immediateRefusal(command, market, state, 'ALL')
  )
}

/**
 * The reason why an order is refused when it is placed with its list, or after the list's working order was
 * filled; undefined if it is not. The order is counted as open with the list. Its stop price and the rules
 * for all orders are checked elsewhere.
 */
export function listedRefusalOf(
  command: PlaceOrder,
  market: Market,
  state: ExchangeState,
): CoreReason | undefined {
  const refusal = isStop(command) ? stopSizeRefusal(command, market) : sizeRefusal(command, market)
  return refusal ?? momentaryRefusalOf(command, market, state)
}

/**
 * The checks possible for a pending order when its list is placed; for an order without a quantity, only
 * those of its prices.
 */
export function pendingRefusalOf(
  command: PlaceOrder,
  namesQuantity: boolean,
  market: Market,
): CoreReason | undefined {
  if (command.stopPrice !== undefined && isOutOfBand(command.stopPrice, market)) return 'PRICE_OUT_OF_BAND'
  const later = isStop(command) ? triggeredAs(command) : command
  if (later.type === 'MARKET') return undefined
  if (namesQuantity) return limitSizeRefusal(later, market)
  return isOutOfBand(later.price, market) ? 'PRICE_OUT_OF_BAND' : undefined
}

/** The reason why an account cannot place any order in a market now; undefined if it can. */
export function admissionRefusal(
  accountId: AccountId,
  market: Market,
  state: ExchangeState,
): CoreReason | undefined {
  const refusal = accountRefusal(accountId, state.registry)
  if (refusal !== undefined) return refusal
  const phase = state.phases.at(state.time)
  if (phase !== 'TRADING') return PHASE_REFUSALS[phase]
  if (market.symbol.state !== 'TRADING') return STATE_REFUSALS[market.symbol.state]
  return state.isTradable(market) ? undefined : 'ASSET_NOT_TRADABLE'
}

export function quantityRefusal(quantity: Lots | undefined, { symbol }: Market): CoreReason | undefined {
  return quantity !== undefined && quantity < symbol.minQuantity ? 'QUANTITY_TOO_SMALL' : undefined
}

type GivenFigures = {
  readonly price?: Price | undefined
  readonly stopPrice?: Price | undefined
  readonly quantity?: Lots | undefined
  readonly icebergQuantity?: Lots | undefined
}

/**
 * Checks the figures of an order that is placed now; an order placed earlier stays as it was
 * (docs/reference/admin.md#tick-and-step).
 */
export function incrementRefusal(
  { price, stopPrice, quantity, icebergQuantity }: GivenFigures,
  { symbol: { increments } }: Market,
): CoreReason | undefined {
  if (increments === undefined) return undefined
  const { tickSize, stepSize } = increments
  if (!isMultiple(stopPrice, tickSize) || !isMultiple(price, tickSize)) return 'PRICE_NOT_ON_TICK'
  const areWhole = isMultiple(quantity, stepSize) && isMultiple(icebergQuantity, stepSize)
  return areWhole ? undefined : 'QUANTITY_NOT_ON_STEP'
}

function isMultiple(value: number | undefined, size: number): boolean {
  return value === undefined || value % size === 0
}

function anyRefusal(command: PlaceOrder, market: Market, state: ExchangeState): CoreReason | undefined {
  const refusal = admissionRefusal(command.accountId, market, state)
  if (refusal !== undefined) return refusal
  if (!isWellFormed(command)) return 'INVALID_COMMAND'
  const ended = sessionRefusal(state, command.accountId, command.sessionNumber)
  if (ended !== undefined) return ended
  const timeRefusal = expiryRefusal(command, state)
  if (timeRefusal !== undefined) return timeRefusal
  const sizeRefusal = quantityRefusal(command.quantity, market)
  if (sizeRefusal !== undefined) return sizeRefusal
  return hasRoomForId(command, state) ? undefined : 'TOO_MANY_CLIENT_ORDER_IDS'
}

/** Checks that an expire time is in the future, and not too far ahead. */
function expiryRefusal({ expireTime }: PlaceOrder, { time }: ExchangeState): CoreReason | undefined {
  if (expireTime === undefined) return undefined
  if (expireTime <= time) return 'EXPIRE_TIME_PASSED'
  return expireTime - time > EXPIRE_TIME_AHEAD_MAX_MS ? 'EXPIRE_TIME_TOO_FAR' : undefined
}

function accountRefusal(accountId: AccountId, registry: Registry): CoreReason | undefined {
  if (registry.isPlainTrader(accountId)) return undefined
  const account = registry.account(accountId)
  if (account?.role !== 'trader') return 'UNKNOWN_ACCOUNT'
  if (account.isClosed) return 'ACCOUNT_CLOSED'
  return account.restrictions?.includes('TRADE') ? 'ACCOUNT_RESTRICTED' : undefined
}

/** The reason why a symbol in a state other than TRADING takes no order. */
const STATE_REFUSALS = {
  HALTED: 'SYMBOL_HALTED',
  CANCEL_ONLY: 'SYMBOL_CANCEL_ONLY',
  DELISTED: 'SYMBOL_DELISTED',
} as const satisfies Record<Exclude<SymbolState, 'TRADING'>, CoreReason>

/** The reason why the exchange in a phase other than TRADING takes no order. */
const PHASE_REFUSALS = {
  CANCEL_ONLY: 'EXCHANGE_CANCEL_ONLY',
  CLOSED: 'EXCHANGE_CLOSED',
} as const satisfies Record<Exclude<ExchangePhase, 'TRADING'>, CoreReason>

function sizeRefusal(command: PlaceImmediate, market: Market): CoreReason | undefined {
  return command.type === 'MARKET' ? totalRefusal(command, market) : limitSizeRefusal(command, market)
}

function immediateRefusal(
  command: PlaceImmediate,
  market: Market,
  state: ExchangeState,
  sees: Sight,
): CoreReason | undefined {
  if (command.type !== 'MARKET' && mayRest(command)) {
    const { book, symbol } = market
    const { side, price } = command
    const isFull = book.levelCount(side) >= symbol.levelsMax
    if (isFull && book.levelQuantity(side, price) === 0n) return 'TOO_MANY_PRICE_LEVELS'
  }
  if (!hasFree(command, market, state, sees)) return 'INSUFFICIENT_FUNDS'
  return command.type === 'MARKET' ? undefined : bookRefusal(command, market, state, sees)
}

/**
 * The reason why an order may not wait: the order that it becomes must have valid sizes, and its trigger must
 * not have been reached.
 */
function stopRefusal(command: PlaceStop, market: Market): CoreReason | undefined {
  const refusal = stopSizeRefusal(command, market)
  if (refusal !== undefined) return refusal
  const { type, side, stopPrice } = command
  if (stopPrice === undefined) return undefined
  return isReached(directionOf(type, side), stopPrice, market.lastPrice) ? 'STOP_PRICE_REACHED' : undefined
}

function stopSizeRefusal(command: PlaceStop, market: Market): CoreReason | undefined {
  if (command.stopPrice !== undefined && isOutOfBand(command.stopPrice, market)) return 'PRICE_OUT_OF_BAND'
  return sizeRefusal(triggeredAs(command), market)
}

function limitSizeRefusal(command: PlaceImmediate & WithLimit, market: Market): CoreReason | undefined {
  const { price, quantity, total } = command
  const { symbol, scale } = market
  if (isOutOfBand(price, market)) return 'PRICE_OUT_OF_BAND'
  const worth = worthOf(price, quantity)
  const least = receivedFor(worth, scale)
  if (total !== undefined && total !== least && total !== paidFor(worth, scale)) return 'TOTAL_MISMATCH'
  if (least === 0 || least < symbol.minTotal) return 'TOTAL_TOO_SMALL'
  const { icebergQuantity } = command
  return icebergQuantity === undefined ? undefined : icebergRefusal(command, icebergQuantity, market)
}

/**
 * Checks that the visible quantity of an order is not below what an order may have
 * (docs/reference/iceberg-orders.md#the-parameter).
 */
function icebergRefusal(
  { price, quantity }: WithLimit,
  icebergQuantity: Lots,
  { symbol, scale }: Market,
): CoreReason | undefined {
  if (icebergQuantity > quantity) return 'ICEBERG_QUANTITY_TOO_LARGE'
  const least = receivedFor(worthOf(price, icebergQuantity), scale)
  const isSmall = icebergQuantity < symbol.minQuantity || least === 0 || least < symbol.minTotal
  return isSmall || !isPartOf(icebergQuantity, quantity) ? 'ICEBERG_QUANTITY_TOO_SMALL' : undefined
}

function isOutOfBand(price: Price, { symbol: { priceBand } }: Market): boolean {
  return priceBand !== undefined && (price < priceBand.min || price > priceBand.max)
}

/** Whether the account has its maximum of open orders in the symbol, not counting `leaving` of them. */
function isFullOf(
  { accountId }: PlaceOrder,
  { symbol }: Market,
  state: ExchangeState,
  leaving: number,
): boolean {
  const ordersMax = state.openOrdersMax(accountId, symbol)
  // An account with few orders in all symbols has few in this one, which takes longer to count
  // (`npm run bench -- core`).
  const hasMany = state.orders.count(accountId, undefined) >= ordersMax
  return hasMany && state.orders.count(accountId, symbol.id) - leaving >= ordersMax
}

/** The reason why the book does not allow an order that must be filled completely, or not at all. */
function bookRefusal(
  command: PlaceImmediate & WithLimit,
  market: Market,
  state: ExchangeState,
  sees: Sight,
): CoreReason | undefined {
  const { book } = market
  const { price, quantity } = command
  if (command.type === 'LIMIT_MAKER') {
    const taker = { ...takerOf(command, market, state), limit: price }
    return wouldTake(book, taker) ? 'LIMIT_MAKER_WOULD_TAKE' : undefined
  }
  if (command.timeInForce !== 'FOK') return undefined
  const taker = { ...takerOf(command, market, state), limit: price, quantity }
  return isFillable(book, taker, hiddenFrom(market, state, sees)) ? undefined : 'FOK_NOT_FILLABLE'
}

function totalRefusal({ total }: PlaceImmediate, { symbol }: Market): CoreReason | undefined {
  return total !== undefined && total < symbol.minTotal ? 'TOTAL_TOO_SMALL' : undefined
}

/** Whether each figure is in its range; the command's type determines which figures are present. */
export function isWellFormed(command: PlaceOrder): boolean {
  const { price, stopPrice, quantity, total, clientOrderId, timeInForce, expireTime } = command
  if (!isUnitsOrAbsent(price) || !isUnitsOrAbsent(quantity) || !isUnitsOrAbsent(stopPrice)) return false
  const { icebergQuantity, trailingDelta } = command
  if (trailingDelta !== undefined && !isTrailingDelta(trailingDelta)) return false
  if (icebergQuantity !== undefined) {
    if (!isUnitsOrAbsent(icebergQuantity) || isStop(command) || !mayRest(command)) return false
  }
  if (total !== undefined && !isAmount(total, 1)) return false
  if ((timeInForce === 'GTD') !== (expireTime !== undefined)) return false
  return clientOrderId === undefined || isClientOrderId(clientOrderId)
}

/** Whether the client order id of a new order, if any, can be remembered. */
function hasRoomForId({ accountId, clientOrderId }: PlaceOrder, state: ExchangeState): boolean {
  return clientOrderId === undefined || state.clientOrderIds.hasRoom(accountId)
}

export function isUnitsOrAbsent(value: number | undefined): boolean {
  return value === undefined || (Number.isSafeInteger(value) && value >= 1 && value <= UNITS_MAX)
}

/** Whether the account's free balance covers the most that the order can need. */
function hasFree(command: PlaceImmediate, market: Market, state: ExchangeState, sees: Sight): boolean {
  const { side, accountId } = command
  const holdings = side === 'BUY' ? market.quote : market.base
  return holdings.get(accountId, 'free') >= needOf(command, market, state, sees)
}

function needOf(command: PlaceImmediate, market: Market, state: ExchangeState, sees: Sight): Amount {
  const { scale, lotScale } = market
  if (command.side === 'SELL') return baseUnits(command.quantity, lotScale)
  if (command.type !== 'MARKET') return paidFor(worthOf(command.price, command.quantity), scale)
  return command.total ?? costOf(command, market, state, sees)
}

/** The cost of everything that a MARKET BUY without a total would execute now. */
function costOf(
  command: MarketBuyQuantityOrder & PlaceImmediate,
  market: Market,
  state: ExchangeState,
  sees: Sight,
): Amount {
  const taker = { ...takerOf(command, market, state), quantity: command.quantity }
  return paidFor(worthInReach(market.book, taker, hiddenFrom(market, state, sees)), market.scale)
}

/** The hidden parts of orders; undefined if `sees` leaves them out. */
function hiddenFrom(market: Market, state: ExchangeState, sees: Sight): IcebergAt | undefined {
  return sees === 'ALL' ? icebergsIn(market, state) : undefined
}
