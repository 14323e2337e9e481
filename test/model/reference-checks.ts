/**
 * When the reference exchange refuses an order before anything changes: the table of further rules in
 * docs/reference/http.md#new-order, from top to bottom, after the checks of symbol and account. The first
 * failed check is the answer.
 */
import { isBuyByQuantity, isStop, type PlaceOrder } from '../../src/core/commands/orders.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { AMOUNT_MAX } from '../../src/units/limits.ts'
import { UNITS_MAX } from '../../src/units/quantities.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import { mostOpenOf } from '../oracle/support.ts'
import { Fraction, smallest } from './fraction.ts'
import { requeued } from './reference-icebergs.ts'
import { isReached, isRising } from './reference-reached.ts'
import { isFull } from './reference-repeats.ts'
import { sessionRefusal } from './reference-sessions.ts'
import type { ReferenceOrder, ReferenceState } from './reference-state.ts'
import { causeOfEnd, timeRefusal } from './reference-timers.ts'
import { hasRoom, isDistance } from './reference-trailing.ts'

/** `wasOpen` is true if the order has waited until now, and so is not an additional open order. */
export function orderRefusal(
  state: ReferenceState,
  command: PlaceOrder,
  wasOpen: boolean,
): CoreReason | undefined {
  const symbol = state.symbols[command.symbolId]
  if (symbol === undefined) return 'UNKNOWN_SYMBOL'
  const admission = admissionRefusal(state, command.accountId, symbol)
  if (admission !== undefined) return admission
  if (!isWellFormed(command)) return 'INVALID_COMMAND'
  return (
    sessionRefusal(state, command) ??
    timeRefusal(state, command) ??
    sizeRefusal(state, command, symbol, wasOpen) ??
    reachedRefusal(state, command, symbol) ??
    (isStop(command)
      ? waitingRoomRefusal(state, command, symbol, wasOpen)
      : roomRefusal(state, command, symbol, wasOpen)) ??
    fundsRefusal(state, command, symbol) ??
    bookRefusal(state, command, symbol)
  )
}

/**
 * Checks of a list's order that is placed now, after the checks common to all orders and those of its list.
 */
export function laterRefusal(
  state: ReferenceState,
  command: PlaceOrder,
  symbol: TradingSymbol,
): CoreReason | undefined {
  return (
    figuresRefusal(command, symbol) ??
    (isStop(command)
      ? waitingRoomRefusal(state, command, symbol, true)
      : roomRefusal(state, command, symbol, true)) ??
    fundsRefusal(state, command, symbol) ??
    bookRefusal(state, command, symbol)
  )
}

/** Whether the account may place orders in the symbol. */
export function admissionRefusal(
  state: ReferenceState,
  accountId: AccountId,
  symbol: TradingSymbol,
): CoreReason | undefined {
  const account = state.accounts[accountId]
  if (account?.role !== 'trader') return 'UNKNOWN_ACCOUNT'
  if (account.isClosed) return 'ACCOUNT_CLOSED'
  if (account.restrictions?.includes('TRADE')) return 'ACCOUNT_RESTRICTED'
  const phase = state.phases.at(state.time)
  if (phase !== 'TRADING') return `EXCHANGE_${phase}`
  if (symbol.state === 'HALTED') return 'SYMBOL_HALTED'
  if (symbol.state === 'CANCEL_ONLY') return 'SYMBOL_CANCEL_ONLY'
  if (symbol.state === 'DELISTED') return 'SYMBOL_DELISTED'
  const isTradable = [symbol.base, symbol.quote].every((id) => state.assets[id]?.isTrade)
  if (!isTradable) return 'ASSET_NOT_TRADABLE'
  return undefined
}

/** Whether each figure is in its range, and the figures are those of the order's type. */
export function isWellFormed({
  price,
  stopPrice,
  trailingDelta,
  quantity,
  total,
  icebergQuantity,
  clientOrderId,
}: PlaceOrder): boolean {
  if (!isDistance(trailingDelta)) return false
  const isUnits = (value: number) => value >= 1 && value <= UNITS_MAX
  if (price !== undefined && !isUnits(price)) return false
  if (stopPrice !== undefined && !isUnits(stopPrice)) return false
  if (quantity !== undefined && !isUnits(quantity)) return false
  if (icebergQuantity !== undefined && !isUnits(icebergQuantity)) return false
  if (total !== undefined && (total < 1n || total > AMOUNT_MAX)) return false
  return clientOrderId === undefined || /^[A-Za-z0-9._:/-]{1,36}$/.test(clientOrderId)
}

function sizeRefusal(
  state: ReferenceState,
  command: PlaceOrder,
  symbol: TradingSymbol,
  wasOpen: boolean,
): CoreReason | undefined {
  const { quantity } = command
  if (quantity !== undefined && quantity < symbol.minQuantity) return 'QUANTITY_TOO_SMALL'
  if (isFull(state, command)) return 'TOO_MANY_CLIENT_ORDER_IDS'
  // Waiting orders were checked when they were placed: a change of the symbol does not affect open orders.
  return (wasOpen ? undefined : incrementRefusal(command, symbol)) ?? figuresRefusal(command, symbol)
}

/** Prices must be multiples of the tick size, quantities of the step size. */
export function incrementRefusal(
  {
    price,
    stopPrice,
    quantity,
    icebergQuantity,
  }: Pick<PlaceOrder, 'price' | 'stopPrice' | 'quantity'> & Partial<Pick<PlaceOrder, 'icebergQuantity'>>,
  { increments }: TradingSymbol,
): CoreReason | undefined {
  const isOff = (figure: number | undefined, size = 1) =>
    figure !== undefined && BigInt(figure) % BigInt(size) !== 0n
  if ([price, stopPrice].some((figure) => isOff(figure, increments?.tickSize))) return 'PRICE_NOT_ON_TICK'
  const isPartial = [quantity, icebergQuantity].some((figure) => isOff(figure, increments?.stepSize))
  return isPartial ? 'QUANTITY_NOT_ON_STEP' : undefined
}

/** Both prices must be in the operator's price range. */
export function bandRefusal({ stopPrice, price }: PlaceOrder, symbol: TradingSymbol): CoreReason | undefined {
  const { min, max } = symbol.priceBand ?? { min: 0, max: UNITS_MAX }
  const isOut = (at: number | undefined) => at !== undefined && (at < min || at > max)
  return isOut(stopPrice) || isOut(price) ? 'PRICE_OUT_OF_BAND' : undefined
}

/** Rules for the prices and the value of an order. */
export function figuresRefusal(command: PlaceOrder, symbol: TradingSymbol): CoreReason | undefined {
  const { total } = command
  const places = symbol.quotePrecision
  const minTotal = Fraction.decimal(symbol.minTotal, places)
  const band = bandRefusal(command, symbol)
  if (band !== undefined) return band
  if (command.price === undefined) {
    const given = total === undefined ? minTotal : Fraction.decimal(total, places)
    return given.isBelow(minTotal) ? 'TOTAL_TOO_SMALL' : undefined
  }
  const worth = worthOf(command, symbol)
  const down = worth.roundedDown(places)
  // `total`, if sent, must be price x quantity, either exact or rounded up or down to the ledger's precision.
  const sent = total === undefined ? down : Fraction.decimal(total, places)
  if (!sent.equals(down) && !sent.equals(worth.roundedUp(places))) return 'TOTAL_MISMATCH'
  if (!down.isPositive || down.isBelow(minTotal)) return 'TOTAL_TOO_SMALL'
  return partRefusal(command, symbol)
}

/** `icebergQty` must be at most `quantity`, at least the smallest order, and at least 1/100 of `quantity`. */
function partRefusal(command: PlaceOrder, symbol: TradingSymbol): CoreReason | undefined {
  const { icebergQuantity, quantity } = command
  if (icebergQuantity === undefined || quantity === undefined) return undefined
  if (icebergQuantity > quantity) return 'ICEBERG_QUANTITY_TOO_LARGE'
  const places = symbol.quotePrecision
  const worth = worthOf({ price: command.price, quantity: icebergQuantity }, symbol).roundedDown(places)
  const isOrder =
    icebergQuantity >= symbol.minQuantity &&
    worth.isPositive &&
    !worth.isBelow(Fraction.decimal(symbol.minTotal, places))
  const hundred = Fraction.of(BigInt(icebergQuantity)).times(Fraction.of(100n))
  return isOrder && !hundred.isBelow(Fraction.of(BigInt(quantity))) ? undefined : 'ICEBERG_QUANTITY_TOO_SMALL'
}

/**
 * The hold of the order must be free: price x quantity rounded up for a LIMIT BUY, `total` for a MARKET BUY,
 * `quantity` for a SELL.
 */
function fundsRefusal(
  state: ReferenceState,
  command: PlaceOrder,
  symbol: TradingSymbol,
): CoreReason | undefined {
  const { side, price, total, quantity } = command
  const places = symbol.quotePrecision
  const toBuy = () => {
    if (isBuyByQuantity(command)) return costOf(state, command, symbol).roundedUp(places)
    return price === undefined
      ? Fraction.decimal(total ?? 0n, places)
      : worthOf(command, symbol).roundedUp(places)
  }
  const needed = side === 'BUY' ? toBuy() : Fraction.decimal(quantity ?? 0, symbol.baseFraction)
  const asset = side === 'BUY' ? symbol.quote : symbol.base
  return state.balance(command.accountId, asset, 'free').isBelow(needed) ? 'INSUFFICIENT_FUNDS' : undefined
}

/**
 * The cost of a MARKET BUY without a total: what it would execute now. The orders that it reaches show part
 * after part, on copies, up to the end of the price range.
 */
function costOf(state: ReferenceState, command: PlaceOrder, symbol: TradingSymbol): Fraction {
  const price = symbol.priceBand?.max ?? UNITS_MAX
  const reached = reachedBy(state, { ...command, price } as PlaceOrder, symbol)
  // A copy has no link to its list.
  const ended = new Set(reached.filter((maker) => causeOfEnd(state, maker)).map(({ number }) => number))
  const mode = command.selfTradeMode ?? symbol.selfTradeMode
  let missing = Fraction.decimal(command.quantity ?? 0, symbol.baseFraction)
  let cost = Fraction.ZERO
  let queue = reached.map((order) => ({ ...order }))
  for (let met = 0; met < state.stepsMost && missing.isPositive; met++) {
    const [maker, ...others] = queue
    if (maker === undefined) break
    const isOwn = maker.accountId === command.accountId && mode !== 'NONE'
    const isEnded = ended.has(maker.number)
    if (isEnded || (isOwn && mode === 'EXPIRE_MAKER')) {
      queue = others
      continue
    }
    if (isOwn && mode !== 'DECREMENT') break
    const taken = smallest(missing, maker.shown)
    missing = missing.minus(taken)
    if (!isOwn) cost = cost.plus(taken.times(maker.price ?? Fraction.ZERO))
    const left = maker.remaining.minus(maker.shown)
    queue = left.isPositive ? requeued(others, maker, left) : others
  }
  return cost
}

/** An order that would be triggered at once is refused. */
function reachedRefusal(
  state: ReferenceState,
  command: PlaceOrder,
  symbol: TradingSymbol,
): CoreReason | undefined {
  const last = state.lastPrice.get(symbol.id)
  if (command.stopPrice === undefined || last === undefined) return undefined
  const price = Fraction.decimal(command.stopPrice, symbol.quoteFraction)
  return isReached({ isRising: isRising(command), price }, last) ? 'STOP_PRICE_REACHED' : undefined
}

/**
 * Waiting orders count as open orders; they may wait for as many different prices in each direction as a side
 * of the book may have.
 */
function waitingRoomRefusal(
  state: ReferenceState,
  command: PlaceOrder,
  symbol: TradingSymbol,
  wasOpen: boolean,
): CoreReason | undefined {
  if (!wasOpen && hasTooMany(state, command, symbol)) return 'TOO_MANY_OPEN_ORDERS'
  const rises = isRising(command)
  if (command.trailingDelta !== undefined) {
    return hasRoom(state, command, rises, symbol) ? undefined : 'TOO_MANY_PRICE_LEVELS'
  }
  const isSame = ({ symbol: { id }, stop }: ReferenceOrder) =>
    id === symbol.id && stop?.trailing === undefined && stop?.isRising === rises
  const prices = new Set(state.waiting.filter(isSame).map(({ stop }) => `${stop?.price}`))
  const wanted = Fraction.decimal(command.stopPrice ?? 0, symbol.quoteFraction)
  return prices.has(`${wanted}`) || prices.size < symbol.levelsMax ? undefined : 'TOO_MANY_PRICE_LEVELS'
}

function hasTooMany(state: ReferenceState, { accountId }: PlaceOrder, symbol: TradingSymbol): boolean {
  return openOf(state, accountId, symbol) >= mostOpenOf(state, accountId, symbol)
}

/** Number of open orders of an account in a symbol. */
export function openOf(state: ReferenceState, accountId: AccountId, symbol: TradingSymbol): number {
  return state.all.filter((order) => order.symbol.id === symbol.id && order.accountId === accountId).length
}

/**
 * Requirements of "FOK" and "LIMIT_MAKER" on the book (docs/reference/matching.md#limit,
 * docs/reference/matching.md#limit_maker).
 */
function bookRefusal(
  state: ReferenceState,
  command: PlaceOrder,
  symbol: TradingSymbol,
): CoreReason | undefined {
  if (isStop(command)) return undefined
  const reached = reachedBy(state, command, symbol)
  // A copy has no link to its list.
  const ended = new Set(reached.filter((maker) => causeOfEnd(state, maker)).map(({ number }) => number))
  const isLeft = ({ number }: ReferenceOrder) => !ended.has(number)
  if (command.type === 'LIMIT_MAKER')
    return reached.length > state.stepsMost || reached.some(isLeft) ? 'LIMIT_MAKER_WOULD_TAKE' : undefined
  if (command.timeInForce !== 'FOK') return undefined
  const mode = command.selfTradeMode ?? symbol.selfTradeMode
  let missing = Fraction.decimal(command.quantity as number, symbol.baseFraction)
  // Hidden quantities count: the parts in the order in which they would be shown, on copies.
  let queue = reached.map((order) => ({ ...order }))
  for (let met = 0; met < state.stepsMost; met++) {
    const [maker, ...others] = queue
    if (maker === undefined) return 'FOK_NOT_FILLABLE'
    if (!isLeft(maker)) {
      queue = others
      continue
    }
    const isOwn = maker.accountId === command.accountId && mode !== 'NONE'
    // Under EXPIRE_MAKER the account's own orders do not count; in other modes except NONE, an order that
    // would match one is refused.
    if (isOwn && mode !== 'EXPIRE_MAKER') return 'FOK_NOT_FILLABLE'
    if (!isOwn) missing = missing.minus(maker.shown)
    if (!missing.isPositive) return undefined
    const left = isOwn ? Fraction.ZERO : maker.remaining.minus(maker.shown)
    queue = left.isPositive ? requeued(others, maker, left) : others
  }
  return 'FOK_NOT_FILLABLE'
}

/** The orders of the other side at the command's price or better, by priority. */
function reachedBy(state: ReferenceState, command: PlaceOrder, symbol: TradingSymbol): ReferenceOrder[] {
  const limit = Fraction.decimal(command.price ?? 0, symbol.quoteFraction)
  const sign = command.side === 'BUY' ? 1 : -1
  const gap = (order: ReferenceOrder, price: Fraction) => sign * (order.price ?? Fraction.ZERO).compare(price)
  return state.open
    .filter((order) => order.symbol.id === symbol.id && order.side !== command.side && gap(order, limit) <= 0)
    .sort((a, b) => gap(a, b.price ?? Fraction.ZERO))
}

/**
 * An order that may rest needs room among the account's open orders, and a price that exists on its side or
 * has room there.
 */
function roomRefusal(
  state: ReferenceState,
  command: PlaceOrder,
  symbol: TradingSymbol,
  wasOpen: boolean,
): CoreReason | undefined {
  const rests = command.type === 'LIMIT_MAKER' || ['GTC', 'GTD'].includes(command.timeInForce ?? '')
  if (command.type === 'MARKET' || !rests) return undefined
  const book = state.open.filter((order) => order.symbol.id === symbol.id)
  if (!wasOpen && hasTooMany(state, command, symbol)) return 'TOO_MANY_OPEN_ORDERS'
  const prices = new Set(book.filter(({ side }) => side === command.side).map((order) => `${order.price}`))
  const wanted = Fraction.decimal(command.price ?? 0, symbol.quoteFraction)
  return prices.has(`${wanted}`) || prices.size < symbol.levelsMax ? undefined : 'TOO_MANY_PRICE_LEVELS'
}

function worthOf(
  { price, quantity }: Pick<PlaceOrder, 'price' | 'quantity'>,
  symbol: TradingSymbol,
): Fraction {
  const ticks = Fraction.decimal(price ?? 0, symbol.quoteFraction)
  return ticks.times(Fraction.decimal(quantity ?? 0, symbol.baseFraction))
}

/** From rules 19 on an order has the number of the key that placed it; before, such an order is refused. */
export function isSignedTooEarly(
  state: ReferenceState,
  { keyNumber }: Pick<PlaceOrder, 'keyNumber'>,
): boolean {
  return keyNumber !== undefined && state.rulesVersion < 19
}
