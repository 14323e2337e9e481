/**
 * How the reference exchange handles orders, written from docs/reference/matching.md#matching,
 * docs/reference/matching.md#money-and-rounding and docs/reference/matching.md#commission. The rule that a
 * line follows is stated beside it.
 */

import {
  isBuyByQuantity,
  isStop,
  type PlaceImmediate,
  type PlaceOrder,
  type TriggerOrder,
} from '../../src/core/commands/orders.ts'
import type { ExchangeEvent, OrderPlaced, TradeParty } from '../../src/core/events/event.ts'
import { type OrderAccepted, type Refused, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId, OrderNumber, TradeNumber } from '../../src/units/ids.ts'
import { FEES_ACCOUNT } from '../../src/units/ids.ts'
import type { OrderStatus, SelfTradeMode } from '../../src/units/order-enums.ts'
import { amount, lots, notional, price, RATE_DECIMALS, UNITS_MAX } from '../../src/units/quantities.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { specialOf } from '../oracle/support.ts'
import { Fraction, smallest } from './fraction.ts'
import { isSignedTooEarly, isWellFormed, orderRefusal } from './reference-checks.ts'
import {
  canceled,
  chargedFor,
  type Emit,
  endOthers,
  endPartner,
  fillWorking,
  leaveBook,
  receivedPlaces,
} from './reference-ends.ts'
import { lowerShown, showNextPart } from './reference-icebergs.ts'
import { remember, repeatOf } from './reference-repeats.ts'
import { inSteps, movedFor, type ReferenceOrder, type ReferenceState } from './reference-state.ts'
import { causeOfEnd } from './reference-timers.ts'
import { stopOf, trailsTooEarly } from './reference-trailing.ts'
import { askedOf, CommandTrades, carriesOut, inTurn } from './reference-triggers.ts'

/** Why matching ended with a remainder of the order. */
type Ending = 'NOTHING_LEFT' | 'NO_MORE_OFFERS' | 'BUDGET' | 'STEPS' | 'SELF_TRADE'

/** An arriving order while it is matched. */
type Arrival = {
  readonly state: ReferenceState
  readonly order: ReferenceOrder
  readonly mode: SelfTradeMode
  /** The amount that a MARKET order may spend; undefined if only its quantity limits it. */
  readonly total: Fraction | undefined
  readonly trades: CommandTrades
  /** The exact price x quantity removed by self-trade prevention. */
  lowered: Fraction
  /** Quantity removed by self-trade prevention. */
  decremented: Fraction
  changed: boolean
  readonly emit: Emit
}

/** From rules 16 on, a MARKET BUY may have only a quantity. */
export const QUANTITY_RULES = 16

export function place(state: ReferenceState, command: PlaceOrder, emit: Emit): Reply {
  // An order that needs newer rules is refused before any other check.
  const isTooEarly = isBuyByQuantity(command) && state.rulesVersion < QUANTITY_RULES
  if (isTooEarly || isSignedTooEarly(state, command) || trailsTooEarly(state, [command]))
    return refused('RULES_VERSION_TOO_LOW')
  const repeat = isWellFormed(command) ? repeatOf(state, command) : undefined
  if (repeat !== undefined) return repeat
  const reason = orderRefusal(state, command, false)
  if (reason !== undefined) return refused(reason)
  const placed = take(state, command, emit)
  if (placed.kind === 'OrderAccepted') remember(state, command, placed)
  return placed
}

/** A checked order: it waits, or is matched. */
export function take(state: ReferenceState, command: PlaceOrder, emit: Emit): OrderAccepted | Refused {
  const symbol = state.symbols[command.symbolId] as TradingSymbol
  const order = newOrder(state, command, symbol)
  const mode = command.selfTradeMode ?? symbol.selfTradeMode
  const begin = () => {
    state.orderCount++
    emit(placedEvent(command, order, mode))
  }
  if (isStop(command)) {
    begin()
    state.waiting.push(order)
    return accepted(order, 'NEW')
  }
  const end = execute(state, order, { command, mode, begin, emit })
  return 'reason' in end ? refused(end.reason) : accepted(order, end.status)
}

/**
 * A triggered order that is carried out releases its hold, is checked like a new order, and is matched under
 * its own number.
 */
export function carryOut(state: ReferenceState, command: TriggerOrder, emit: Emit): Reply {
  const order = inTurn(state, command)
  if (order?.stop === undefined || !carriesOut(state, order.symbol.id)) return refused('UNKNOWN_ORDER')
  const cause = causeOfEnd(state, order)
  if (cause !== undefined) {
    endOthers(state, order, emit)
    leaveBook(state, order)
    emit(canceled(order, order.remaining, cause))
    return accepted(order, 'CANCELED')
  }
  const asked = askedOf(order)
  endPartner(state, order, emit)
  state.leave(order)
  order.stop = { ...order.stop, total: undefined, triggeredAt: state.time }
  order.updatedAt = state.time
  const refusedEnd = (reason: CoreReason): Reply => {
    leaveBook(state, order)
    emit({ ...canceled(order, order.remaining, 'TRIGGER_REFUSED'), reason })
    return accepted(order, 'CANCELED')
  }
  const reason = orderRefusal(state, asked, true)
  if (reason !== undefined) return refusedEnd(reason)
  const { symbol, accountId, side, number: orderNumber } = order
  const { time } = state
  const begin = () =>
    emit({ kind: 'OrderTriggered', symbolId: symbol.id, accountId, orderNumber, time, side })
  const before = order.remaining
  order.remaining = amountAsked(asked, symbol)
  const end = execute(state, order, { command: asked, mode: asked.selfTradeMode ?? 'NONE', begin, emit })
  if ('status' in end) {
    if (!state.open.includes(order)) leaveBook(state, order)
    return accepted(order, end.status)
  }
  order.remaining = before
  return refusedEnd(end.reason)
}

function accepted(
  { symbol, number: orderNumber, time, executed, exact }: ReferenceOrder,
  status: OrderStatus,
): OrderAccepted {
  return {
    kind: 'OrderAccepted',
    orderNumber,
    time,
    status,
    executedQuantity: lots(Number(executed.wholeUnits(symbol.baseFraction))),
    executedNotional: notional(exact.wholeUnits(symbol.baseFraction + symbol.quoteFraction)),
  }
}

type Start = {
  readonly command: PlaceImmediate
  readonly mode: SelfTradeMode
  /** Emits the event of the order's start, before all its consequences. */
  readonly begin: () => void
  readonly emit: Emit
}

/** Matches an order and rests the remainder that may rest; or returns why it had no effect. */
export function execute(
  state: ReferenceState,
  order: ReferenceOrder,
  { command, mode, begin, emit }: Start,
): { readonly status: OrderStatus } | { readonly reason: CoreReason } {
  const { symbol } = order
  const hadOffers = state.open.some((other) => other.symbol.id === symbol.id && other.side !== order.side)
  const events: ExchangeEvent[] = []
  const hasBudget = command.type === 'MARKET' && command.total !== undefined
  const total = hasBudget
    ? Fraction.decimal(bigintOf(command.total ?? amount(0n)), symbol.quotePrecision)
    : undefined
  const nothing = { lowered: Fraction.ZERO, decremented: Fraction.ZERO, changed: false }
  const trades = new CommandTrades(state, symbol)
  const arrival: Arrival = {
    state,
    order,
    mode,
    total,
    trades,
    ...nothing,
    emit: (event) => events.push(event),
  }
  const tradesBefore = state.tradeCount
  const ending = match(arrival)
  // An order that executed nothing and changed nothing is refused, and gets no number.
  if (command.type === 'MARKET' && !arrival.changed) {
    state.tradeCount = tradesBefore
    if (!hadOffers || ending === 'NO_MORE_OFFERS') return { reason: 'NO_LIQUIDITY' }
    return { reason: ending === 'SELF_TRADE' ? 'SELF_TRADE_PREVENTED' : 'TOTAL_BELOW_BEST_PRICE' }
  }
  begin()
  for (const event of events) emit(event)
  trades.end()
  return { status: settleRest(arrival, command, ending, emit) }
}

export function placedEvent(
  command: PlaceOrder,
  order: ReferenceOrder,
  selfTradeMode: SelfTradeMode,
): OrderPlaced {
  const { symbolId, accountId, clientOrderId, side, type, timeInForce, price, stopPrice, quantity, total } =
    command
  const { number: orderNumber, time } = order
  const units = total === undefined ? undefined : amount(bigintOf(total))
  const { icebergQuantity, expireTime, trailingDelta } = command
  const figures = { price, stopPrice, trailingDelta, quantity, total: units, icebergQuantity, expireTime }
  const asked = { side, type, timeInForce, ...figures, selfTradeMode, clientOrderId }
  return { kind: 'OrderPlaced', symbolId, accountId, orderNumber, keyNumber: order.key, time, ...asked }
}

/** An order with only a total is bounded by the largest quantity of an order. */
function amountAsked({ quantity }: PlaceOrder, { baseFraction }: TradingSymbol): Fraction {
  return Fraction.decimal(quantity ?? UNITS_MAX, baseFraction)
}

export function newOrder(state: ReferenceState, command: PlaceOrder, symbol: TradingSymbol): ReferenceOrder {
  const { type, timeInForce, price: limit } = command
  const mode = command.selfTradeMode ?? symbol.selfTradeMode
  const kept = { type, timeInForce: timeInForce ?? 'GTC', selfTradeMode: mode } as const
  const isWaiting = isStop(command)
  // The quantity of a waiting order without one is zero.
  const quantity = isWaiting
    ? Fraction.decimal(command.quantity ?? 0, symbol.baseFraction)
    : amountAsked(command, symbol)
  return {
    number: (state.orderCount + 1) as OrderNumber,
    turn: state.orderCount + 1,
    time: state.time,
    accountId: command.accountId,
    key: command.keyNumber || undefined,
    symbol,
    side: command.side,
    price: limit === undefined ? undefined : Fraction.decimal(limit, symbol.quoteFraction),
    quantity,
    kept,
    updatedAt: state.time,
    remaining: quantity,
    executed: Fraction.ZERO,
    exact: Fraction.ZERO,
    commission: Fraction.ZERO,
    stop: isWaiting ? stopOf(command, symbol) : undefined,
    part:
      command.icebergQuantity === undefined
        ? undefined
        : Fraction.decimal(command.icebergQuantity, symbol.baseFraction),
    shown: Fraction.ZERO,
    expireTime: command.expireTime,
  }
}

/**
 * The best price first, and at one price the order that came first. Trades happen at the resting order's
 * price.
 */
function match(arrival: Arrival): Ending {
  const { state, order } = arrival
  for (let met = 0; ; met++) {
    if (!order.remaining.isPositive) return 'NOTHING_LEFT'
    const maker = firstInTurn(state, order)
    if (maker === undefined || !accepts(state, order, maker)) return 'NO_MORE_OFFERS'
    const ended = causeOfEnd(state, maker)
    if (ended !== undefined) {
      if (met === state.stepsMost) return 'STEPS'
      endOthers(state, maker, arrival.emit)
      leaveBook(state, maker)
      arrival.changed = true
      arrival.emit(canceled(maker, maker.remaining, ended))
      continue
    }
    const isOwn = maker.accountId === order.accountId && arrival.mode !== 'NONE'
    const sum = isOwn && arrival.mode === 'DECREMENT' ? lowerable(arrival) : payable(arrival)
    // The arriving order trades with the shown quantity.
    const quantity = paidBy(state, sum, order, maker, smallest(order.remaining, maker.shown))
    if (!quantity.isPositive) return 'BUDGET'
    // An arriving order reaches a limited number of resting orders.
    if (met === state.stepsMost) return 'STEPS'
    if (!isOwn) trade(arrival, maker, quantity)
    else if (preventSelfTrade(arrival, maker, quantity)) return 'SELF_TRADE'
  }
}

/** Best price first, then the oldest; resting orders are kept oldest first. */
function firstInTurn(state: ReferenceState, { symbol, side }: ReferenceOrder): ReferenceOrder | undefined {
  let first: ReferenceOrder | undefined
  for (const order of state.open) {
    if (order.symbol.id !== symbol.id || order.side === side) continue
    const gap = first === undefined ? 0 : priceOf(order).compare(priceOf(first))
    if (first === undefined || (side === 'BUY' ? gap < 0 : gap > 0)) first = order
  }
  return first
}

export function priceOf(order: ReferenceOrder): Fraction {
  return order.price ?? Fraction.ZERO
}

/** A MARKET order does not trade beyond the operator's price range. */
function accepts(state: ReferenceState, order: ReferenceOrder, maker: ReferenceOrder): boolean {
  const band = state.symbols[order.symbol.id]?.priceBand
  const edge = order.side === 'BUY' ? band?.max : band?.min
  const limit =
    order.price ?? (edge === undefined ? undefined : Fraction.decimal(edge, order.symbol.quoteFraction))
  if (limit === undefined) return true
  const gap = priceOf(maker).compare(limit)
  return order.side === 'BUY' ? gap <= 0 : gap >= 0
}

/** `wanted`, or the largest quantity, in whole steps, whose price x quantity is at most `sum`. */
function paidBy(
  state: ReferenceState,
  sum: Fraction | undefined,
  order: ReferenceOrder,
  maker: ReferenceOrder,
  wanted: Fraction,
): Fraction {
  const most = sum?.over(priceOf(maker))
  return most?.isBelow(wanted) ? inSteps(state, order.symbol.id, most) : wanted
}

/**
 * The amount that the order may still execute, exactly. For a BUY, the sum paid (E rounded up) and D together
 * never exceed `total`; a rounded-up sum does not exceed a bound exactly when the exact sum does not exceed
 * the bound rounded down.
 */
function payable({ total, lowered, order }: Arrival): Fraction | undefined {
  if (total === undefined) return undefined
  const left = total.minus(lowered)
  const most = order.side === 'BUY' ? left.roundedDown(order.symbol.quotePrecision) : left
  return most.minus(order.exact)
}

/** The amount that may still be lowered, exactly. */
function lowerable({ total, lowered, order }: Arrival): Fraction | undefined {
  const paid = order.side === 'BUY' ? movedFor(order, order.exact) : order.exact
  return total?.minus(lowered).minus(paid)
}

function trade(arrival: Arrival, maker: ReferenceOrder, quantity: Fraction): void {
  const { state, order, emit } = arrival
  const { symbol } = order
  endPartner(state, maker, emit)
  const worth = priceOf(maker).times(quantity)
  const now = state.symbols[symbol.id] as TradingSymbol
  const takerRate = rateOf(state, order.accountId, now.takerRate, 'takerShare')
  const makerRate = rateOf(state, maker.accountId, now.makerRate, 'makerShare')
  const takerPart = fill(state, order, quantity, worth, takerRate)
  const makerPart = fill(state, maker, quantity, worth, makerRate)
  // The remainder of a fill (at most one unit) goes to the symbol's rounding account.
  const [bought, sold] = order.side === 'BUY' ? [takerPart, makerPart] : [makerPart, takerPart]
  const left = Fraction.decimal(bigintOf(bought.total) - bigintOf(sold.total), symbol.quotePrecision)
  state.add(symbol.roundingAccountId, symbol.quote, 'free', left)
  if (!maker.remaining.isPositive) fillWorking(state, maker)
  lowerShown(state, maker, quantity)
  arrival.changed = true
  arrival.trades.traded(priceOf(maker))
  state.tradeCount++
  emit({
    kind: 'OrdersMatched',
    symbolId: symbol.id,
    tradeNumber: state.tradeCount as TradeNumber,
    symbolTrade: state.numberInSymbol(symbol.id),
    time: state.time,
    price: price(Number(priceOf(maker).wholeUnits(symbol.quoteFraction))),
    quantity: lots(Number(quantity.wholeUnits(symbol.baseFraction))),
    takerSide: order.side,
    maker: makerPart,
    taker: takerPart,
  })
}

/** The rate of an account: the symbol's rate, or its tier's share of it, rounded down. */
function rateOf(
  state: ReferenceState,
  accountId: AccountId,
  units: number,
  share: 'makerShare' | 'takerShare',
): Fraction {
  const rate = Fraction.decimal(units, RATE_DECIMALS)
  const own = specialOf(state, accountId).rates
  if (own !== undefined)
    return Fraction.decimal(share === 'makerShare' ? own.makerRate : own.takerRate, RATE_DECIMALS)
  const tier = state.feeTiers.find(({ name }) => name === state.accounts[accountId]?.feeTier)
  if (tier === undefined) return rate
  return rate.times(Fraction.decimal(tier[share], RATE_DECIMALS)).roundedDown(RATE_DECIMALS)
}

/** One side's part of a trade: what it gives, what it receives, and the house's commission on that. */
function fill(
  state: ReferenceState,
  order: ReferenceOrder,
  quantity: Fraction,
  worth: Fraction,
  rate: Fraction,
): TradeParty {
  const { symbol, accountId, side } = order
  const before = { moved: movedFor(order, order.exact), charged: chargedFor(order) }
  state.touch(order)
  order.remaining = order.remaining.minus(quantity)
  order.executed = order.executed.plus(quantity)
  order.exact = order.exact.plus(worth)
  const total = movedFor(order, order.exact).minus(before.moved)

  const [given, received] = side === 'BUY' ? [total, quantity] : [quantity, total]
  const [givenAsset, receivedAsset] =
    side === 'BUY' ? [symbol.quote, symbol.base] : [symbol.base, symbol.quote]
  // The exact sum of rate x received amount so far, rounded half up to a ledger unit, minus the amount
  // already charged.
  order.commission = order.commission.plus(rate.times(received))
  const commission = chargedFor(order).minus(before.charged)
  state.add(accountId, givenAsset, 'free', Fraction.ZERO.minus(given))
  state.add(accountId, receivedAsset, 'free', received.minus(commission))
  state.add(FEES_ACCOUNT, receivedAsset, 'free', commission)
  return {
    accountId,
    orderNumber: order.number,
    orderTime: order.time,
    total: amount(total.wholeUnits(symbol.quotePrecision)),
    commission: amount(commission.wholeUnits(receivedPlaces(order))),
  }
}

/** Applies the self-trade mode; returns true if the arriving order ends. */
function preventSelfTrade(arrival: Arrival, maker: ReferenceOrder, quantity: Fraction): boolean {
  const { state, order, mode } = arrival
  if (mode === 'EXPIRE_TAKER') return true
  arrival.changed = true
  if (mode === 'DECREMENT') {
    // Both orders are reduced by the smaller of the two quantities, which counts as canceled, not as
    // executed.
    if (quantity.equals(maker.remaining)) endOthers(state, maker, arrival.emit)
    else endPartner(state, maker, arrival.emit)
    decrement(arrival, maker, quantity)
    lowerShown(state, maker, quantity)
    arrival.lowered = arrival.lowered.plus(priceOf(maker).times(quantity))
    arrival.decremented = arrival.decremented.plus(quantity)
    decrement(arrival, order, quantity)
    return false
  }
  endOthers(state, maker, arrival.emit)
  leaveBook(state, maker)
  arrival.emit(canceled(maker, maker.remaining, 'SELF_TRADE'))
  return mode === 'EXPIRE_BOTH'
}

function decrement(
  { state, emit, order: arriving }: Arrival,
  order: ReferenceOrder,
  quantity: Fraction,
): void {
  state.touch(order)
  order.remaining = order.remaining.minus(quantity)
  const isGone = order !== arriving && !order.remaining.isPositive
  emit(isGone ? canceled(order, quantity, 'SELF_TRADE') : decremented(order, quantity))
}

function decremented(order: ReferenceOrder, quantity: Fraction): ExchangeEvent {
  const { symbol, accountId, side, number: orderNumber } = order
  const lowered = lots(Number(quantity.wholeUnits(symbol.baseFraction)))
  return { kind: 'OrderDecremented', symbolId: symbol.id, accountId, orderNumber, side, quantity: lowered }
}

/** The arriving order after matching: it is filled, it rests, or its remainder is canceled. */
function settleRest(arrival: Arrival, command: PlaceImmediate, ending: Ending, emit: Emit): OrderStatus {
  const { state, order } = arrival
  const isEnd = ending === 'NOTHING_LEFT' || isSpent(arrival, ending)
  if (isEnd && !arrival.decremented.isPositive) return 'FILLED'
  const mayRest = command.type === 'LIMIT_MAKER' || ['GTC', 'GTD'].includes(command.timeInForce ?? '')
  const rests = command.type !== 'MARKET' && mayRest && ending === 'NO_MORE_OFFERS'
  if (rests) {
    showNextPart(state, order)
    return order.executed.isPositive ? 'PARTIALLY_FILLED' : 'NEW'
  }
  const isPrevented = isEnd || ending === 'SELF_TRADE'
  const unasked = command.type === 'LIMIT' ? 'IOC' : 'MARKET_REMAINDER'
  const cause = isPrevented ? 'SELF_TRADE' : ending === 'STEPS' ? 'STEPS' : unasked
  const rest = command.quantity === undefined ? Fraction.ZERO : order.remaining
  emit(canceled(order, rest, cause))
  return 'CANCELED'
}

/**
 * Whether a MARKET order with `total` is FILLED, because its total reaches no further. That is so if the
 * total does not pay for one lot at the best price or, if the other side is empty, for one lot at any price
 * at all.
 */
function isSpent(arrival: Arrival, ending: Ending): boolean {
  const { order } = arrival
  const left = payable(arrival)
  if (left === undefined || !order.executed.isPositive) return false
  const { baseFraction, quoteFraction } = order.symbol
  return ending === 'BUDGET' || left.isBelow(Fraction.decimal(1, baseFraction + quoteFraction))
}
