/**
 * The reasons for which an order may be refused, stated one by one from docs/reference/http.md#new-order and
 * docs/reference/matching.md#market, in no order.
 */

import type { PlaceList } from '../../src/core/commands/order-lists.ts'
import {
  isBuyByQuantity,
  isStop,
  mayRest,
  type PlaceImmediate,
  type PlaceOrder,
  type PlaceStop,
} from '../../src/core/commands/orders.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId } from '../../src/units/ids.ts'
import type { Lots } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { mostOpenOf } from '../../test/oracle/support.ts'
import { isReachedAt, isRising } from './shadow-reached.ts'
import {
  affordableNotional,
  lotUnits,
  paidLots,
  pricesOf,
  roundedDown,
  roundedUp,
  type ShadowOrder,
  type ShadowState,
  STEPS_MOST,
} from './shadow-state.ts'
import { AHEAD_MOST_MS, causeOfEnd } from './shadow-timers.ts'
import { hasRoom, isDistance, TRAILING_RULES } from './shadow-trailing.ts'

export type PlaceRefusals = {
  /** Reasons known before matching: if one of them applies, the order must not be accepted. */
  readonly before: Set<string>
  /** A MARKET order that could change nothing is refused with one of these. */
  readonly whileMatching: ReadonlySet<string>
}

export function placeRefusals(state: ShadowState, command: PlaceOrder): PlaceRefusals {
  const before = new Set<string>()
  const whileMatching = new Set<string>()
  const symbol = state.symbols[command.symbolId]
  if (symbol === undefined) return { before: new Set(['UNKNOWN_SYMBOL']), whileMatching }
  if (isBuyByQuantity(command) && state.rulesVersion < QUANTITY_RULES) before.add('RULES_VERSION_TOO_LOW')
  if (isOfNewerRules(state, command)) before.add('RULES_VERSION_TOO_LOW')
  for (const reason of admissionRefusals(state, command.accountId, symbol)) before.add(reason)
  const { quantity, expireTime } = command
  const { sessionNumber } = command
  const session = sessionNumber === undefined ? undefined : state.sessions.get(sessionNumber)
  const isConnected = session?.account === command.accountId && session.endsAt === undefined
  if (sessionNumber !== undefined && !isConnected) before.add('UNKNOWN_SESSION')
  if (expireTime !== undefined && expireTime <= state.time) before.add('EXPIRE_TIME_PASSED')
  if ((expireTime ?? 0) > state.time + AHEAD_MOST_MS) before.add('EXPIRE_TIME_TOO_FAR')
  if (quantity !== undefined && quantity < symbol.minQuantity) before.add('QUANTITY_TOO_SMALL')
  for (const reason of incrementRefusals(symbol, command)) before.add(reason)
  if (!isInRange(command)) {
    before.add('INVALID_COMMAND')
    return { before, whileMatching }
  }
  if (command.clientOrderId !== undefined && !state.ids.hasRoom(command.accountId))
    before.add('TOO_MANY_CLIENT_ORDER_IDS')
  if (isStop(command)) addStop(state, symbol, command, before)
  else if (command.type === 'MARKET') addMarket(state, symbol, command, before, whileMatching)
  else addLimit(state, symbol, command, before)
  return { before, whileMatching }
}

/** The reason why an account may not place any order in a symbol now. */
export function admissionRefusals(
  state: ShadowState,
  accountId: AccountId,
  symbol: TradingSymbol,
): ReadonlySet<string> {
  const before = new Set<string>()
  const account = state.accounts[accountId]
  if (account?.role !== 'trader') before.add('UNKNOWN_ACCOUNT')
  if (account?.isClosed) before.add('ACCOUNT_CLOSED')
  if (account?.restrictions?.includes('TRADE')) before.add('ACCOUNT_RESTRICTED')
  const phase = state.phases.at(state.time)
  if (phase !== 'TRADING') before.add(`EXCHANGE_${phase}`)
  if (symbol.state !== 'TRADING') before.add(`SYMBOL_${symbol.state}`)
  for (const asset of [symbol.base, symbol.quote]) {
    if (!state.assets[asset]?.isTrade) before.add('ASSET_NOT_TRADABLE')
  }
  return before
}

/** Figures of a new order that are not multiples of the symbol's tick and step. */
export function incrementRefusals(
  { increments }: TradingSymbol,
  { price, stopPrice, quantity, icebergQuantity }: Partial<Record<keyof PlaceOrder, unknown>>,
): ReadonlySet<string> {
  const reasons = new Set<string>()
  const isOff = (figure: unknown, size: number) => typeof figure === 'number' && figure % size > 0
  if (increments === undefined) return reasons
  const { tickSize, stepSize } = increments
  if (isOff(price, tickSize) || isOff(stopPrice, tickSize)) reasons.add('PRICE_NOT_ON_TICK')
  if (isOff(quantity, stepSize) || isOff(icebergQuantity, stepSize)) reasons.add('QUANTITY_NOT_ON_STEP')
  return reasons
}

/** From these rules on, a MARKET BUY may have only a quantity. */
export const QUANTITY_RULES = 16

/** From these rules on an order has the number of the key that placed it. */
export const KEY_NUMBER_RULES = 19

/** Whether an order or a list has a field that does not exist under these rules. */
export function isOfNewerRules(
  { rulesVersion }: Pick<ShadowState, 'rulesVersion'>,
  command: PlaceOrder | PlaceList,
): boolean {
  const orders = command.kind === 'PlaceList' ? command.legs : [command]
  const trails = orders.some(({ trailingDelta }) => trailingDelta !== undefined)
  if (trails && rulesVersion < TRAILING_RULES) return true
  return command.keyNumber !== undefined && rulesVersion < KEY_NUMBER_RULES
}
const AMOUNT_LIMIT = 2n ** 127n - 1n

export function isInRange({
  price,
  stopPrice,
  trailingDelta,
  quantity,
  total,
  icebergQuantity,
  clientOrderId,
}: PlaceOrder): boolean {
  if (!isDistance(trailingDelta)) return false
  if (icebergQuantity === 0) return false
  if (price === 0 || stopPrice === 0 || quantity === 0) return false
  if (total !== undefined && (total < 1n || total > AMOUNT_LIMIT)) return false
  return clientOrderId === undefined || /^[A-Za-z0-9._:/-]{1,36}$/.test(clientOrderId)
}

/**
 * Checks of a waiting order: sizes and funds, a stop price that has not been reached, and room for the order.
 */
function addStop(state: ShadowState, symbol: TradingSymbol, command: PlaceStop, before: Set<string>): void {
  const { side, type, accountId, stopPrice } = command
  const [lowest, highest] = pricesOf(symbol)
  if (stopPrice !== undefined && (stopPrice < lowest || stopPrice > highest)) before.add('PRICE_OUT_OF_BAND')
  const rises = isRising(type, side)
  const last = state.lastPrices[symbol.id]
  if (last !== undefined && isReachedAt({ price: stopPrice, isRising: rises }, last))
    before.add('STOP_PRICE_REACHED')
  const ordersMax = mostOpenOf(state, accountId, symbol)
  if (state.openOrders(accountId, symbol.id).length >= ordersMax) before.add('TOO_MANY_OPEN_ORDERS')
  if (!hasRoomToWait(state, symbol, command, rises)) before.add('TOO_MANY_PRICE_LEVELS')
  if (command.price === undefined) {
    const { total = 0n, quantity = 0 } = command
    if (command.total !== undefined && total < symbol.minTotal) before.add('TOTAL_TOO_SMALL')
    const [asset, need] =
      side === 'BUY' ? [symbol.quote, total] : [symbol.base, BigInt(quantity) * lotUnits(symbol)]
    if (freeOf(state, asset, accountId) < need) before.add('INSUFFICIENT_FUNDS')
  } else addLimitSizes(state, symbol, command, before)
}

function hasRoomToWait(
  state: ShadowState,
  symbol: TradingSymbol,
  command: PlaceStop,
  rises: boolean,
): boolean {
  if (command.trailingDelta !== undefined) return hasRoom(state, symbol, command, rises)
  const prices = new Set<number | undefined>()
  for (const { symbol: its, stop } of state.waiting) {
    if (its.id === symbol.id && stop?.trailing === undefined && stop?.isRising === rises)
      prices.add(stop.price)
  }
  return prices.has(command.stopPrice) || prices.size < symbol.levelsMax
}

function addLimit(
  state: ShadowState,
  symbol: TradingSymbol,
  command: PlaceImmediate,
  before: Set<string>,
): void {
  const { side, accountId } = command
  const price = command.price ?? 0
  addLimitSizes(state, symbol, command, before)
  addPart(symbol, command, before)
  if (mayRest(command)) {
    const ordersMax = mostOpenOf(state, accountId, symbol)
    if (state.openOrders(accountId, symbol.id).length >= ordersMax) before.add('TOO_MANY_OPEN_ORDERS')
    const prices = new Set(state.book(symbol.id)[side].map((order) => order.price))
    if (!prices.has(price) && prices.size >= symbol.levelsMax) before.add('TOO_MANY_PRICE_LEVELS')
  }
  const reached = reachedBy(state, symbol, command)
  const isLeft = (order: ShadowOrder) => causeOfEnd(state, order) === undefined
  const takes = reached.length > STEPS_MOST || reached.some(isLeft)
  if (command.type === 'LIMIT_MAKER' && takes) before.add('LIMIT_MAKER_WOULD_TAKE')
  if (command.timeInForce === 'FOK' && !isFilledBy(state, reached, symbol, command))
    before.add('FOK_NOT_FILLABLE')
}

/**
 * The shown part of an order: at most the complete order, at least the smallest order, and at least 1/100 of
 * the complete order.
 */
function addPart(
  symbol: TradingSymbol,
  { price: limit, quantity = 0 as Lots, icebergQuantity: part }: PlaceImmediate,
  before: Set<string>,
): void {
  if (part === undefined) return
  if (part > quantity) before.add('ICEBERG_QUANTITY_TOO_LARGE')
  const worth = roundedDown(symbol, BigInt(limit ?? 0) * BigInt(part))
  const isTiny = part < symbol.minQuantity || worth < 1n || worth < symbol.minTotal
  if (isTiny || BigInt(part) * 100n < BigInt(quantity)) before.add('ICEBERG_QUANTITY_TOO_SMALL')
}

/** Price, total and funds of an order with a limit. */
function addLimitSizes(
  state: ShadowState,
  symbol: TradingSymbol,
  command: PlaceOrder,
  before: Set<string>,
): void {
  const { side, accountId, total } = command
  const price = command.price ?? 0
  const quantity = command.quantity ?? 0
  const worth = BigInt(price) * BigInt(quantity)
  const least = roundedDown(symbol, worth)
  const most = roundedUp(symbol, worth)
  const [lowest, highest] = pricesOf(symbol)
  if (price < lowest || price > highest) before.add('PRICE_OUT_OF_BAND')
  if (total !== undefined && bigintOf(total) !== least && bigintOf(total) !== most)
    before.add('TOTAL_MISMATCH')
  if (least < 1n || least < symbol.minTotal) before.add('TOTAL_TOO_SMALL')
  const [asset, need] =
    side === 'BUY' ? [symbol.quote, most] : [symbol.base, BigInt(quantity) * lotUnits(symbol)]
  if (freeOf(state, asset, accountId) < need) before.add('INSUFFICIENT_FUNDS')
}

/** The orders of the other side at an order's price or better, by priority. */
function reachedBy(state: ShadowState, { id }: TradingSymbol, { side, price }: PlaceOrder): ShadowOrder[] {
  const others = state.book(id)[side === 'BUY' ? 'SELL' : 'BUY']
  return others.filter((order) =>
    side === 'BUY' ? order.price <= (price ?? 0) : order.price >= (price ?? 0),
  )
}

/**
 * Whether the first of these orders, up to the number that one order may reach, fill a fill-or-kill order.
 */
function isFilledBy(
  state: ShadowState,
  reached: readonly ShadowOrder[],
  symbol: TradingSymbol,
  command: PlaceOrder,
): boolean {
  const mode = command.selfTradeMode ?? symbol.selfTradeMode
  const { accountId, quantity = 0 } = command
  let filled = 0
  const queue = reached.map((order) => ({ ...order }))
  for (let met = 0; met < STEPS_MOST; met++) {
    const maker = queue.shift()
    if (maker === undefined) return false
    if (causeOfEnd(state, maker) !== undefined) continue
    const isOwn = mode !== 'NONE' && maker.account === accountId
    if (isOwn && mode !== 'EXPIRE_MAKER') return false
    if (isOwn) continue
    filled += maker.shown
    if (filled >= quantity) return true
    const left = maker.remaining - maker.shown
    if (left === 0) continue
    // The next part of the iceberg order goes to the end of the queue at its price.
    const next = { ...maker, remaining: left, shown: Math.min(maker.part ?? left, left) }
    const behind = queue.findLastIndex(({ price }) => price === maker.price) + 1
    queue.splice(behind, 0, next)
  }
  return false
}

/** The cost of a MARKET BUY without a total over the orders that it matches, part by part. */
function costOf(state: ShadowState, symbol: TradingSymbol, command: PlaceOrder): bigint {
  const mode = command.selfTradeMode ?? symbol.selfTradeMode
  const [, highest] = pricesOf(symbol)
  let missing: number = command.quantity ?? 0
  let worth = 0n
  const queue = state
    .book(symbol.id)
    .SELL.filter(({ price }) => price <= highest)
    .map((order) => ({ order, left: order.remaining, shown: order.shown }))
  for (let met = 0; met < STEPS_MOST && missing > 0; met++) {
    const next = queue.shift()
    if (next === undefined) break
    const { order, left, shown } = next
    if (causeOfEnd(state, order) !== undefined) continue
    const isOwn = mode !== 'NONE' && order.account === command.accountId
    if (isOwn && mode === 'EXPIRE_MAKER') continue
    if (isOwn && mode !== 'DECREMENT') break
    const taken = Math.min(missing, shown)
    missing -= taken
    if (!isOwn) worth += BigInt(taken) * BigInt(order.price)
    if (left === shown) continue
    const behind = queue.findLastIndex((other) => other.order.price === order.price) + 1
    const rest = left - shown
    queue.splice(behind, 0, { order, left: rest, shown: Math.min(order.part ?? rest, rest) })
  }
  return roundedUp(symbol, worth)
}

function addMarket(
  state: ShadowState,
  symbol: TradingSymbol,
  command: PlaceOrder,
  before: Set<string>,
  whileMatching: Set<string>,
): void {
  const { side, accountId, total } = command
  if (total !== undefined && total < symbol.minTotal) before.add('TOTAL_TOO_SMALL')
  const [asset, need] =
    side === 'BUY'
      ? [symbol.quote, total ?? costOf(state, symbol, command)]
      : [symbol.base, BigInt(command.quantity ?? 0) * lotUnits(symbol)]
  if (freeOf(state, asset, accountId) < need) before.add('INSUFFICIENT_FUNDS')
  const [best] = state.book(symbol.id)[side === 'BUY' ? 'SELL' : 'BUY']
  const [lowest, highest] = pricesOf(symbol)
  const isBeyond = best !== undefined && (side === 'BUY' ? best.price > highest : best.price < lowest)
  if (best === undefined || isBeyond) {
    whileMatching.add('NO_LIQUIDITY')
    return
  }
  // A removal of an ended order is a change.
  if (causeOfEnd(state, best) !== undefined) return
  const budget = total === undefined ? undefined : affordableNotional(symbol, bigintOf(total))
  const wanted = Math.min(best.shown, command.quantity ?? Number.MAX_SAFE_INTEGER)
  if (budget !== undefined && paidLots(symbol, budget / BigInt(best.price), wanted) === 0)
    whileMatching.add('TOTAL_BELOW_BEST_PRICE')
  const mode = command.selfTradeMode ?? symbol.selfTradeMode
  if (mode === 'EXPIRE_TAKER' && best.account === accountId) whileMatching.add('SELF_TRADE_PREVENTED')
}

function freeOf(state: ShadowState, asset: number, account: number): bigint {
  return state.accounts[account] === undefined ? 0n : state.buckets(asset, account).free
}
