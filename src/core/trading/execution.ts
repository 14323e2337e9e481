/**
 * Executing one order: matching, settlement, and what rests afterwards. It receives an order that was already
 * checked, whether it has just been placed or has waited for its trigger.
 */
import type { TradeNumber } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { type OrderStatus, opposite } from '../../units/order-enums.ts'
import { type Amount, type Lots, NO_LOTS, type Price } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import type { ListLeg } from '../commands/order-lists.ts'
import { mayRest, type PlaceImmediate, type PlaceOrder } from '../commands/orders.ts'
import { type CancelCause, type EventSink, NO_EVENTS, type TradeParty } from '../events/event.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { type MatchObserver, type MatchOutcome, match } from '../market/matching.ts'
import { NO_SLOT, type Slot } from '../market/order-book.ts'
import { type Refused, refused } from '../questions/reply.ts'
import type { Carried } from './carried.ts'
import { endOthers, endPartner } from './end-order.ts'
import { addToBook } from './iceberg.ts'
import { placeIn } from './lists/order-lists.ts'
import { receivedBy } from './lists/received.ts'
import type { Order } from './open-orders.ts'
import { emitCanceled, emitDecremented, emitLevel } from './order-events.ts'
import { type FillAmounts, lock, release, settle } from './settlement.ts'
import { takerOf } from './taker.ts'
import { fireOverdue } from './timers/begin-cancel.ts'
import { causeOfEnd } from './timers/ended.ts'

/** An order to be executed: its record and its parameters. */
export type Execution = {
  readonly market: Market
  readonly order: Order
  readonly asked: PlaceImmediate
  /** Whether the order was placed before and has waited until now. */
  readonly isTriggered: boolean
  readonly emit: EventSink
}

/**
 * Matches the order and rests its remainder, if permitted. Refuses a MARKET order that would change nothing.
 */
export function execute(state: ExchangeState, execution: Execution): OrderStatus | Refused {
  const { market, asked } = execution
  const arrival = new Arrival(state, execution)
  if (asked.type !== 'MARKET') arrival.announce()
  const outcome = match(market.book, takerOf(asked, market, state), arrival, market.outcome)
  if (!arrival.announced) return refused(whyNothing(outcome))
  const status = finish(arrival, execution, outcome)
  arrival.emitLevels()
  arrival.reachTriggers()
  return status
}

/**
 * One arriving order while it is matched: settles each fill and notes which levels changed. Since one is
 * created for every order, it refers to its execution without copying anything, and creates lists only for
 * their first entry (`npm run bench -- core`).
 */
class Arrival implements MatchObserver {
  readonly #state: ExchangeState
  readonly #execution: Execution
  /** Prices of the other side whose levels changed; matching visits each level once, best first. */
  #touched: Price[] | undefined
  /**
   * The quantities that these levels showed before, if any order is an iceberg order: without iceberg orders,
   * a level never shows the same quantity as before.
   */
  #shownBefore: bigint[] | undefined
  /** Prices of the order's first and last trade; the prices of its other trades are between them. */
  #firstTraded: Price | undefined
  #lastTraded: Price | undefined
  /** All prices of its trades in order, if any order follows the price. */
  #pricesTraded: Price[] | undefined
  announced = false

  constructor(state: ExchangeState, execution: Execution) {
    this.#state = state
    this.#execution = execution
  }

  /**
   * Announces that the order takes effect: it is accepted, whatever follows. The event of a MARKET order is
   * published with its first effect.
   */
  announce(): void {
    if (this.announced) return
    this.announced = true
    const { isTriggered, order, asked, market, emit } = this.#execution
    if (isTriggered) {
      this.#announceAgain()
    } else {
      this.#state.nextOrder++
      emitPlaced(this.#state, order, asked, market, emit)
    }
  }

  /** For an order that was placed before: one that waited for its trigger, or a pending order of a list. */
  #announceAgain(): void {
    const { order, asked, emit } = this.#execution
    const { symbolId, accountId, number: orderNumber, side, stop } = order
    const { time } = this.#state
    const head = { symbolId, accountId, orderNumber, time, side }
    const { quantity, total } = asked
    if (stop !== undefined) emit({ kind: 'OrderTriggered', ...head })
    else emit({ kind: 'OrderActivated', ...head, quantity, total })
  }

  filled(slot: Slot, price: Price, quantity: Lots, makerRemaining: Lots): void {
    this.announce()
    const { order, market, emit } = this.#execution
    const maker = this.#makerAt(slot)
    endPartner(this.#state, market, maker, emit)
    const { symbol } = market
    const makerRate = this.#state.rateOf(maker.accountId, 'makerShare', symbol.makerRate)
    const takerRate = this.#state.rateOf(order.accountId, 'takerShare', symbol.takerRate)
    const moved = settle(market, maker, order, { price, quantity, makerRate, takerRate })
    const tradeNumber = this.#state.nextTrade++ as TradeNumber
    if (this.#state.hasNumberRules) market.tradeCount++
    if (emit !== NO_EVENTS) this.#emitMatch(maker, moved, tradeNumber, price, quantity)
    this.#noteTraded(price)
    this.#touch(price)
    const left = leftOf(maker, makerRemaining, quantity)
    if (left === NO_LOTS) this.#fillWorking(maker)
    this.#lower(maker, makerRemaining, left)
  }

  #noteTraded(price: Price): void {
    if (price !== this.#lastTraded && this.#execution.market.triggers.hasTrailing) {
      this.#pricesTraded ??= this.#lastTraded === undefined ? [] : [this.#lastTraded]
      this.#pricesTraded.push(price)
    }
    this.#firstTraded ??= price
    this.#lastTraded = price
  }

  /** Makes the pending orders of a list due if `maker`, which was filled, is its working order. */
  #fillWorking(maker: Order): void {
    const { lists } = this.#state
    const list = lists.of(maker.number)
    if (list?.stage === 'WORKING')
      lists.fill(list, receivedBy(maker, this.#execution.market), this.#state.seq)
  }

  #emitMatch(maker: Order, moved: FillAmounts, tradeNumber: TradeNumber, price: Price, quantity: Lots): void {
    const { order, market, emit } = this.#execution
    const takerBuys = order.side === 'BUY'
    emit({
      kind: 'OrdersMatched',
      symbolId: order.symbolId,
      tradeNumber,
      symbolTrade: market.tradeCount,
      time: this.#state.time,
      price,
      quantity,
      takerSide: order.side,
      maker: takerBuys ? sellerOf(maker, moved) : buyerOf(maker, moved),
      taker: takerBuys ? buyerOf(order, moved) : sellerOf(order, moved),
    })
  }

  makerExpired(slot: Slot): void {
    this.announce()
    const { market, emit } = this.#execution
    const maker = this.#makerAt(slot)
    endOthers(this.#state, market, maker, emit)
    release(maker, market, NO_LOTS)
    this.#state.closeOrder(maker)
    emitCanceled(emit, maker, maker.remaining, 'SELF_TRADE')
    this.#touch(maker.price)
  }

  makerEnded(slot: Slot): void {
    this.announce()
    const { market, emit } = this.#execution
    const maker = this.#makerAt(slot)
    const cause = causeOfEnd(this.#state, maker)
    invariant(cause !== undefined, () => `order ${maker.number} must have ended`)
    endOthers(this.#state, market, maker, emit)
    release(maker, market, NO_LOTS)
    this.#state.closeOrder(maker)
    emitCanceled(emit, maker, maker.remaining, cause)
    this.#touch(maker.price)
  }

  decremented(slot: Slot, price: Price, quantity: Lots, makerRemaining: Lots): void {
    this.announce()
    const { order, market, emit } = this.#execution
    const maker = this.#makerAt(slot)
    const left = leftOf(maker, makerRemaining, quantity)
    if (left === NO_LOTS) endOthers(this.#state, market, maker, emit)
    else endPartner(this.#state, market, maker, emit)
    release(maker, market, left)
    this.#touch(price)
    this.#lower(maker, makerRemaining, left)
    if (left === 0) emitCanceled(emit, maker, quantity, 'SELF_TRADE')
    else emitDecremented(emit, maker, quantity)
    emitDecremented(emit, order, quantity)
  }

  /** Rests the remainder of the order in the book, after all others at its price. */
  rest(remaining: Lots): void {
    const { order, market, asked, isTriggered } = this.#execution
    order.remaining = remaining
    lock(order, market)
    order.slot = addToBook(market, order)
    if (isTriggered) this.#state.orders.keep(order)
    else openOrder(this.#state, order, asked)
  }

  /**
   * Publishes the levels that the order changed: those from which it took, then the one at which it rests.
   */
  emitLevels(): void {
    const { order, market, emit } = this.#execution
    if (this.#touched !== undefined) this.#emitTouched(this.#touched)
    if (order.slot !== NO_SLOT) emitLevel(emit, market, order.side, order.price)
  }

  #emitTouched(touched: readonly Price[]): void {
    const { order, market, emit } = this.#execution
    const other = opposite(order.side)
    if (this.#shownBefore === undefined) {
      for (const price of touched) emitLevel(emit, market, other, price)
      return
    }
    for (const [i, price] of touched.entries()) {
      const isAsBefore = this.#shownBefore[i] === market.book.levelQuantity(other, price)
      if (!isAsBefore) emitLevel(emit, market, other, price)
    }
  }

  /** Makes orders due that wait for a price at which this order traded. */
  reachTriggers(): void {
    const first = this.#firstTraded
    const last = this.#lastTraded
    if (first === undefined || last === undefined) return
    const { market } = this.#execution
    const { seq: since, time } = this.#state
    if (market.triggers.count === 0) {
      market.lastPrice = last
      return
    }
    market.traded({ first, last, prices: this.#pricesTraded, since, time })
    if (market.triggers.hasDue) this.#state.marketsDue.add(market)
  }

  /**
   * Lowers a maker's remaining quantity; at 0 the order has ended. If only the part shown by its book is used
   * up, the next part queues after all others at its price (docs/reference/iceberg-orders.md#parts).
   */
  #lower(maker: Order, shown: Lots, remaining: Lots): void {
    maker.remaining = remaining
    maker.updatedAt = this.#state.time
    if (remaining === 0) {
      this.#state.closeOrder(maker)
      return
    }
    if (shown === 0) maker.slot = addToBook(this.#execution.market, maker)
    this.#state.orders.keep(maker)
  }

  #touch(price: Price): void {
    if (this.#touched === undefined) this.#touched = [price]
    else if (this.#touched.at(-1) === price) return
    else this.#touched.push(price)
    if (this.#state.orders.hasIcebergs) this.#noteShown(price)
  }

  #noteShown(price: Price): void {
    const { order, market } = this.#execution
    this.#shownBefore ??= []
    this.#shownBefore.push(market.book.levelQuantity(opposite(order.side), price))
  }

  #makerAt(slot: Slot): Order {
    const number = this.#execution.market.book.orderNumber(slot)
    const maker = this.#state.orders.get(number)
    invariant(maker !== undefined, () => `order ${number} in the book must be open`)
    return maker
  }
}

/**
 * The rest of a maker's whole quantity after `quantity` was taken; the book showed `shown` lots of it before.
 */
function leftOf(maker: Order, shown: Lots, quantity: Lots): Lots {
  return maker.icebergQuantity === undefined ? shown : ((maker.remaining - quantity) as Lots)
}

/** Puts the remainder after matching into the book or cancels it, and returns the order's state. */
function finish(arrival: Arrival, { order, asked, emit }: Execution, outcome: MatchOutcome): OrderStatus {
  const end = endOf(asked, outcome)
  const remaining = outcome.remaining ?? NO_LOTS
  if (end === 'NEW' || end === 'PARTIALLY_FILLED') arrival.rest(remaining)
  if (end !== 'CANCELED') return end
  emitCanceled(emit, order, remaining, causeOf(asked, outcome))
  return 'CANCELED'
}

/** The status of an order after matching with `outcome`. */
export function endOf(command: PlaceImmediate, outcome: MatchOutcome): OrderStatus {
  const isLeft = outcome.remaining !== undefined && outcome.remaining > 0
  if (isLeft && mayRest(command) && !outcome.takerExpired && outcome.stop !== 'STEPS') {
    return outcome.executed > 0 ? 'PARTIALLY_FILLED' : 'NEW'
  }
  return isComplete(outcome) && outcome.decremented === 0 ? 'FILLED' : 'CANCELED'
}

/** The reason why the remainder of an order is canceled. */
export function causeOf({ type }: PlaceImmediate, outcome: MatchOutcome): CancelCause {
  if (isComplete(outcome) || outcome.takerExpired) return 'SELF_TRADE'
  if (outcome.stop === 'STEPS') return 'STEPS'
  return type === 'MARKET' ? 'MARKET_REMAINDER' : 'IOC'
}

/** Whether the order traded all it could ever trade: its quantity, or its total down to less than a lot. */
function isComplete(outcome: MatchOutcome): boolean {
  if (outcome.stop === 'FILLED') return true
  return outcome.executed > 0 && (outcome.stop === 'BUDGET' || outcome.budgetLeft === 0)
}

/** The reason why a MARKET order that changed nothing is refused. */
export function whyNothing(outcome: MatchOutcome): CoreReason {
  if (outcome.stop === 'BUDGET') return 'TOTAL_BELOW_BEST_PRICE'
  return outcome.takerExpired ? 'SELF_TRADE_PREVENTED' : 'NO_LIQUIDITY'
}

function buyerOf(order: Order, { paid, buyerCommission }: FillAmounts): TradeParty {
  return partyOf(order, paid, buyerCommission)
}

function sellerOf(order: Order, { received, sellerCommission }: FillAmounts): TradeParty {
  return partyOf(order, received, sellerCommission)
}

function partyOf({ accountId, number, time }: Order, total: Amount, commission: Amount): TradeParty {
  return {
    accountId,
    orderNumber: number,
    orderTime: time,
    total,
    commission,
  }
}

/** Makes a new order open, until its end time if it has one. */
export function openOrder(
  state: ExchangeState,
  order: Order,
  { expireTime, sessionNumber }: PlaceOrder,
): void {
  fireOverdue(state, order.accountId, order.number)
  state.orders.add(order)
  if (expireTime !== undefined) state.expiries.add(order.number, expireTime)
  if (sessionNumber !== undefined) state.sessions.join(sessionNumber, order.number)
}

/** The parameters of an order; those of a pending order in a list may lack figures that its type has. */
export type Asked = Pick<
  PlaceOrder,
  'symbolId' | 'accountId' | 'selfTradeMode' | 'side' | 'type' | keyof Carried
> &
  Partial<Omit<ListLeg, 'side' | 'type'> & Pick<PlaceOrder, 'icebergQuantity' | 'expireTime'>>

/** Publishes that an order took effect: its fields, and the self-trade mode in force. */
export function emitPlaced(
  state: ExchangeState,
  { number, time, keyNumber }: Order,
  command: Asked,
  market: Market,
  emit: EventSink,
): void {
  if (emit === NO_EVENTS) return
  const { symbolId, accountId, type, side, timeInForce, price, quantity, total } = command
  // Written field by field: every order has this event, and spreading parts into it takes a microsecond. An
  // object of 18 fields takes 160 bytes, and one of 19 takes 224, so orders outside lists do not have the
  // 19th field.
  const placed = {
    kind: 'OrderPlaced',
    symbolId,
    accountId,
    orderNumber: number,
    keyNumber,
    time,
    side,
    type,
    timeInForce,
    price,
    stopPrice: command.stopPrice,
    trailingDelta: command.trailingDelta,
    quantity,
    total,
    icebergQuantity: command.icebergQuantity,
    expireTime: command.expireTime,
    selfTradeMode: command.selfTradeMode ?? market.symbol.selfTradeMode,
    clientOrderId: command.clientOrderId,
  } as const
  const list = state.lists.of(number)
  if (list === undefined) emit(placed)
  else emit({ ...placed, inList: placeIn(list, number) })
}
