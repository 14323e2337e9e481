/**
 * One arriving order as the second bookkeeper follows it, new or triggered. It does not match by itself: it checks every step that the
 * exchange says it took (price, then time; never worse than asked; every unit of money) and that no step was left out.
 */
import { mayRest, type PlaceImmediate } from '../../src/core/exchange/commands/orders.ts'
import type {
  ExchangeEvent,
  OrderCanceled,
  OrderDecremented,
  OrdersMatched,
} from '../../src/core/exchange/event.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { Side } from '../../src/units/order-words.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { assetHeld, checkLevels, checkPlaced, free, leave, levelKey, show } from './shadow-book.ts'
import { RECORD_RULES } from './shadow-new-order.ts'
import {
  type Applied,
  affordableNotional,
  demand,
  levelQuantity,
  lotUnits,
  neededFor,
  pricesOf,
  roundedDown,
  roundedUp,
  type ShadowBook,
  type ShadowOrder,
  type ShadowState,
  STEPS_MOST,
} from './shadow-state.ts'
import { causeOfEnd } from './shadow-timers.ts'
import { reach } from './shadow-triggers.ts'

const RATE_ONE = 100_000_000n
/** From these rules on a buyer's total is spent in whole units of the ledger. */
const WHOLE_BUDGET_RULES = 3
/** From these rules on an arriving order meets at most `STEPS_MOST` resting ones. */
const STEPS_RULES = 4

export class Arrival {
  readonly #state: ShadowState
  readonly #command: PlaceImmediate
  /** It arrives for the first time; else it was triggered. */
  readonly #isNew: boolean
  readonly #time: number
  /** Of its trades, one after another. */
  readonly #prices: number[] = []
  readonly #symbol: TradingSymbol
  readonly #book: ShadowBook
  readonly #taker: ShadowOrder
  readonly #seq: number
  readonly #mode: string
  /** What each level that it has changed showed before. */
  readonly #touched = new Map<string, () => boolean>()
  readonly #levels: ExchangeEvent[] = []
  /** What the total of a MARKET order is worth at most. */
  #budget: bigint | undefined
  /** What of it DECREMENT has taken. */
  #lowered = 0n
  #isPlaced = false
  #isExpired = false
  #isGivenUp = false
  /** How many resting orders it has met, each part of one anew. */
  #met = 0

  constructor(
    state: ShadowState,
    { seq, time }: Applied,
    command: PlaceImmediate,
    taker: ShadowOrder,
    isNew: boolean,
  ) {
    this.#state = state
    this.#time = time
    this.#isNew = isNew
    this.#taker = taker
    this.#command = command
    this.#seq = seq
    this.#symbol = state.symbols[command.symbolId] as TradingSymbol
    this.#book = state.book(command.symbolId)
    this.#mode = command.selfTradeMode ?? this.#symbol.selfTradeMode
    if (command.type === 'MARKET' && command.total !== undefined) {
      this.#budget = affordableNotional(this.#symbol, bigintOf(command.total))
    }
  }

  take(event: ExchangeEvent): void {
    const taker = this.#taker
    const first = this.#isNew ? 'OrderPlaced' : 'OrderTriggered'
    demand(
      this.#isPlaced === (event.kind !== first),
      () => `an order begins once, before all else, with ${first}`,
    )
    switch (event.kind) {
      case 'OrderPlaced':
        demand(
          event.orderNumber === taker.number &&
            event.accountId === taker.account &&
            event.time === taker.time,
          () => `order numbers count up: expected ${taker.number}, found ${event.orderNumber}`,
        )
        checkPlaced(this.#command, taker, this.#mode, event)
        this.#isPlaced = true
        this.#state.lastOrder = taker.number
        break
      case 'OrderTriggered':
        demand(
          event.orderNumber === taker.number &&
            event.accountId === taker.account &&
            event.time === this.#time,
          () => `order ${taker.number} is triggered now, found ${event.orderNumber}`,
        )
        this.#isPlaced = true
        break
      case 'OrdersMatched':
        this.#match(event)
        break
      case 'OrderCanceled':
        if (event.orderNumber === taker.number) this.#giveUp(event)
        else this.#expireMaker(event)
        break
      case 'OrderDecremented':
        this.#decrement(event)
        break
      case 'LevelChanged':
        this.#levels.push(event)
        break
      default:
        demand(false, `PlaceOrder does not cause ${event.kind}`)
    }
  }

  #touchOrder(order: ShadowOrder): void {
    if (this.#state.rulesVersion >= RECORD_RULES) order.updatedAt = this.#time
  }

  /** Nothing that could still trade was left; the order rests, or is gone, as it asked. */
  finish(reply: Extract<Applied['reply'], { kind: 'OrderAccepted' }>): void {
    const taker = this.#taker
    demand(this.#isPlaced, 'an accepted order is placed')
    demand(
      reply.orderNumber === taker.number &&
        reply.time === taker.time &&
        reply.executedQuantity === taker.executed &&
        bigintOf(reply.executedNotional) === taker.notional,
      () => `the answer has what was executed: expected ${taker.executed}, found ${reply.executedQuantity}`,
    )
    const isMatchable = !this.#isExpired && !this.#hasMetAll() && this.#affordableNext() > 0
    demand(!isMatchable, () => `order ${taker.number} could still trade with the best of the other side`)
    const rests = mayRest(this.#command) && !this.#isExpired && taker.remaining > 0 && !this.#isGivenUp
    const isWhole = this.#command.timeInForce !== 'FOK' || taker.executed === taker.quantity
    demand(isWhole, () => `FOK order ${taker.number} is filled in full, or refused`)
    if (rests) this.#rest()
    this.#checkStatus(reply.status, rests)
    reach(this.#state, this.#symbol.id, this.#prices)
    const changed = [...this.#touched].filter(([, isChanged]) => isChanged()).map(([key]) => key)
    checkLevels(this.#state, this.#symbol, this.#levels, new Set(changed))
  }

  #checkStatus(status: string, rests: boolean): void {
    const taker = this.#taker
    let expected: string
    if (rests) expected = taker.executed > 0 ? 'PARTIALLY_FILLED' : 'NEW'
    else if (this.#isGivenUp || taker.decremented > 0) expected = 'CANCELED'
    else expected = 'FILLED'
    demand(status === expected, () => `order ${taker.number} is ${expected}, found ${status}`)
    if (expected !== 'FILLED' || taker.remaining === 0) return
    demand(
      this.#budget !== undefined && taker.executed > 0,
      () => `order ${taker.number} is FILLED with ${taker.remaining} open`,
    )
  }

  /** It may meet no other: what is left of it is given up. */
  #hasMetAll(): boolean {
    return this.#state.rulesVersion >= STEPS_RULES && this.#met === STEPS_MOST
  }

  /** Lots that the best order of the other side could give now. */
  #affordableNext(): number {
    const taker = this.#taker
    const [maker] = this.#book[opposite(taker.side)]
    if (maker === undefined || taker.remaining === 0) return 0
    if (!this.#accepts(maker.price)) return 0
    // One that has ended leaves when it is met, whatever the order could pay.
    return causeOfEnd(this.#state, maker) === undefined ? this.#most(maker) : 1
  }

  /** Its limit, or the end of the symbol's prices where it has none, allows a trade at `price`. */
  #accepts(price: number): boolean {
    const { side } = this.#taker
    const [least, most] = pricesOf(this.#symbol)
    if (this.#command.type !== 'MARKET') return isAcceptable(this.#taker, price)
    return side === 'BUY' ? price <= most : price >= least
  }

  #most(maker: ShadowOrder): number {
    const most = Math.min(maker.shown, this.#taker.remaining)
    if (this.#budget === undefined) return most
    const isLowered = this.#mode === 'DECREMENT' && maker.account === this.#taker.account
    const reach = (isLowered ? this.#lowerable() : this.#payable()) / BigInt(maker.price)
    return reach < BigInt(most) ? Number(reach) : most
  }

  /** What more it may execute: of a BUY, all it pays for, rounded up, and all that was lowered fit the total. */
  #payable(): bigint {
    const left = (this.#budget ?? 0n) - this.#lowered
    const whole = affordableNotional(this.#symbol, roundedDown(this.#symbol, left))
    return (this.#paysWhole() ? whole : left) - this.#taker.notional
  }

  /** What more of the total may be lowered. */
  #lowerable(): bigint {
    const { notional } = this.#taker
    const paid = affordableNotional(this.#symbol, roundedUp(this.#symbol, notional))
    return (this.#budget ?? 0n) - this.#lowered - (this.#paysWhole() ? paid : notional)
  }

  #paysWhole(): boolean {
    return this.#taker.side === 'BUY' && this.#state.rulesVersion >= WHOLE_BUDGET_RULES
  }

  /** The order whose turn it is, which must be the one named. */
  #turn(orderNumber: number): ShadowOrder {
    const [maker] = this.#book[opposite(this.#taker.side)]
    demand(
      maker?.number === orderNumber,
      () => `price, then time: it is order ${maker?.number}'s turn, found ${orderNumber}`,
    )
    this.touch(maker)
    this.#met++
    const isWithin = this.#state.rulesVersion < STEPS_RULES || this.#met <= STEPS_MOST
    demand(isWithin, () => `order ${this.#taker.number} meets at most ${STEPS_MOST} orders`)
    return maker
  }

  /** Its level changes, unless what comes behind makes up for it to the lot. */
  touch({ side, price }: Pick<ShadowOrder, 'side' | 'price'>): void {
    const quantity = () => levelQuantity(this.#book, side, price)
    const before = quantity()
    const key = levelKey(side, price)
    if (!this.#touched.has(key)) this.#touched.set(key, () => quantity() !== before)
  }

  /** A maker shows less; where it shows nothing and has more, its next part comes last. */
  #lowerShown(maker: ShadowOrder, quantity: number): void {
    maker.shown -= quantity
    if (maker.shown === 0 && maker.remaining > 0) show(this.#state, maker)
  }

  #match(event: OrdersMatched): void {
    const state = this.#state
    const taker = this.#taker
    const maker = this.#turn(event.maker.orderNumber)
    demand(
      event.taker.orderNumber === taker.number && event.takerSide === taker.side,
      'the arriving order is the taker',
    )
    demand(
      event.price === maker.price,
      () => `the resting order's price is ${maker.price}, found ${event.price}`,
    )
    demand(
      this.#accepts(event.price),
      () => `order ${taker.number} asked for ${taker.price}, traded at ${event.price}`,
    )
    demand(
      event.quantity === this.#most(maker),
      () => `as much as both can: ${this.#most(maker)}, found ${event.quantity}`,
    )
    demand(causeOfEnd(state, maker) === undefined, () => `order ${maker.number} trades after its time`)
    demand(this.#mode === 'NONE' || maker.account !== taker.account, 'no trade with oneself in this mode')
    demand(
      event.tradeNumber === state.lastTrade + 1,
      () => `trade numbers count up: found ${event.tradeNumber}`,
    )
    demand(event.time === this.#time, () => `the trade's time is the command's ${this.#time}`)
    this.#prices.push(event.price)
    state.lastTrade++
    const [buyer, seller] = taker.side === 'BUY' ? [taker, maker] : [maker, taker]
    this.#settle(event, buyer, seller)
    if (maker.remaining === 0) leave(state, maker)
    else demand(maker.hold === neededFor(maker), () => `order ${maker.number} holds what it needs`)
    this.#lowerShown(maker, event.quantity)
  }

  #settle(event: OrdersMatched, buyer: ShadowOrder, seller: ShadowOrder): void {
    const state = this.#state
    const symbol = this.#symbol
    const worth = BigInt(event.price) * BigInt(event.quantity)
    const delivered = BigInt(event.quantity) * lotUnits(symbol)
    const paid = roundedUp(symbol, buyer.notional + worth) - roundedUp(symbol, buyer.notional)
    const received = roundedDown(symbol, seller.notional + worth) - roundedDown(symbol, seller.notional)
    const buyerFee = this.#fee(buyer, delivered)
    const sellerFee = this.#fee(seller, received)
    const sides = this.#taker === buyer ? [event.taker, event.maker] : [event.maker, event.taker]
    const [toBuyer, toSeller] = sides as [typeof event.taker, typeof event.taker]
    for (const [party, order, total, fee] of [
      [toBuyer, buyer, paid, buyerFee],
      [toSeller, seller, received, sellerFee],
    ] as const) {
      demand(
        party.accountId === order.account &&
          party.orderNumber === order.number &&
          party.orderTime === order.time,
        () => `the trade names order ${order.number} and its account`,
      )
      demand(
        bigintOf(party.total) === total,
        () => `order ${order.number}: total ${total}, found ${party.total}`,
      )
      demand(
        bigintOf(party.commission) === fee,
        () => `order ${order.number}: commission ${fee}, found ${party.commission}`,
      )
    }
    const sellerPays = [seller.account, seller === this.#taker ? 'free' : 'locked'] as const
    const buyerPays = [buyer.account, buyer === this.#taker ? 'free' : 'locked'] as const
    state.moveUnits(symbol.base, sellerPays, [buyer.account, 'free'], delivered)
    state.moveUnits(symbol.base, [buyer.account, 'free'], [1, 'free'], buyerFee)
    state.moveUnits(symbol.quote, buyerPays, [symbol.roundingAccountId, 'free'], paid)
    state.moveUnits(symbol.quote, [symbol.roundingAccountId, 'free'], [seller.account, 'free'], received)
    state.moveUnits(symbol.quote, [seller.account, 'free'], [1, 'free'], sellerFee)
    if (buyer !== this.#taker) buyer.hold -= paid
    if (seller !== this.#taker) seller.hold -= delivered
    for (const order of [buyer, seller]) {
      this.#touchOrder(order)
      order.notional += worth
      order.executed += event.quantity
      order.remaining -= event.quantity
    }
    const partyOf = (order: ShadowOrder, total: bigint, commission: bigint) => ({
      account: order.account,
      order: order.number,
      orderTime: order.time,
      total,
      commission,
      isTaker: order === this.#taker,
    })
    state.trades.push({
      seq: this.#seq,
      number: event.tradeNumber,
      symbol: symbol.id,
      price: event.price,
      quantity: event.quantity,
      time: event.time,
      buyer: partyOf(buyer, paid, buyerFee),
      seller: partyOf(seller, received, sellerFee),
    })
  }

  /** Commission on `received`: what the order owes over its life, half units up, less what it was charged before. */
  #fee(order: ShadowOrder, received: bigint): bigint {
    const { makerRate, takerRate } = this.#symbol
    const before = halfUp(order.commission)
    const named = this.#state.accounts[order.account]?.feeTier
    const tier = this.#state.feeTiers.find(({ name }) => name === named)
    const [rate, share] =
      order === this.#taker ? [takerRate, tier?.takerShare] : [makerRate, tier?.makerShare]
    const charged = share === undefined ? BigInt(rate) : (BigInt(rate) * BigInt(share)) / RATE_ONE
    order.commission += received * charged
    return halfUp(order.commission) - before
  }

  #expireMaker(event: OrderCanceled): void {
    const maker = this.#turn(event.orderNumber)
    const ended = causeOfEnd(this.#state, maker)
    if (ended !== undefined) {
      const isWhole = event.cause === ended && event.quantity === maker.remaining
      demand(isWhole, () => `order ${maker.number} ends for ${ended}, and gives up ${maker.remaining}`)
      leave(this.#state, maker)
      return
    }
    const isOwn = maker.account === this.#taker.account
    demand(event.cause === 'SELF_TRADE' && isOwn, 'only self-trade prevention takes a resting order out')
    if (this.#mode === 'DECREMENT') {
      const by = this.#most(maker)
      demand(
        by === maker.remaining && event.quantity === by,
        () => `order ${maker.number} is lowered by ${by}`,
      )
    } else {
      demand(
        this.#mode === 'EXPIRE_MAKER' || this.#mode === 'EXPIRE_BOTH',
        () => `mode ${this.#mode} expires no maker`,
      )
      demand(event.quantity === maker.remaining, () => `order ${maker.number} gives up ${maker.remaining}`)
      if (this.#mode === 'EXPIRE_BOTH') this.#isExpired = true
    }
    if (this.#mode === 'DECREMENT') this.#lowerBudget(maker, maker.remaining)
    leave(this.#state, maker)
  }

  #decrement(event: OrderDecremented): void {
    demand(this.#mode === 'DECREMENT', () => `mode ${this.#mode} lowers no order`)
    const taker = this.#taker
    if (event.orderNumber === taker.number) {
      taker.remaining -= event.quantity
      taker.decremented += event.quantity
      demand(taker.remaining >= 0, () => `order ${taker.number} is lowered below 0`)
      return
    }
    const maker = this.#turn(event.orderNumber)
    demand(
      causeOfEnd(this.#state, maker) === undefined,
      () => `order ${maker.number} is lowered after its time`,
    )
    demand(maker.account === taker.account, 'only own orders are lowered')
    demand(
      event.quantity === this.#most(maker),
      () => `order ${maker.number} is lowered by ${this.#most(maker)}`,
    )
    this.#lowerBudget(maker, event.quantity)
    this.#touchOrder(maker)
    maker.remaining -= event.quantity
    free(this.#state, maker)
    this.#lowerShown(maker, event.quantity)
  }

  #lowerBudget(maker: ShadowOrder, quantity: number): void {
    this.#lowered += BigInt(maker.price) * BigInt(quantity)
  }

  #giveUp(event: OrderCanceled): void {
    const taker = this.#taker
    const { type, timeInForce, quantity } = this.#command
    const [maker] = this.#book[opposite(taker.side)]
    if (event.cause === 'SELF_TRADE') {
      const meetsItself = maker?.account === taker.account && this.#mode === 'EXPIRE_TAKER'
      demand(
        this.#isExpired || meetsItself || taker.decremented > 0,
        () => `order ${taker.number} did not meet an own order`,
      )
      this.#isExpired = true
    } else if (event.cause === 'STEPS') {
      demand(
        this.#hasMetAll() && this.#affordableNext() > 0,
        () => `order ${taker.number} could not have met another order`,
      )
    } else {
      const expected = type === 'MARKET' ? 'MARKET_REMAINDER' : 'IOC'
      demand(
        event.cause === expected,
        () => `order ${taker.number} gives up as ${expected}, found ${event.cause}`,
      )
      demand(type === 'MARKET' || timeInForce === 'IOC', () => `order ${taker.number} is GTC and rests`)
    }
    const left = quantity === undefined ? 0 : taker.remaining
    demand(event.quantity === left, () => `order ${taker.number} gives up ${left}, found ${event.quantity}`)
    this.#isGivenUp = true
  }

  #rest(): void {
    const order = this.#taker
    const state = this.#state
    const [best] = this.#book[opposite(order.side)]
    demand(best === undefined || !isAcceptable(order, best.price), 'the book is never crossed')
    order.hold = neededFor(order)
    state.moveUnits(assetHeld(order), [order.account, 'free'], [order.account, 'locked'], order.hold)
    this.touch(order)
    show(state, order)
    state.orders.set(order.number, order)
  }
}

function opposite(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY'
}

/** Whether an order's limit allows a trade at `price`. */
function isAcceptable({ side, price: limit }: ShadowOrder, price: number): boolean {
  return side === 'BUY' ? price <= limit : price >= limit
}

export function halfUp(exact: bigint): bigint {
  return (2n * exact + RATE_ONE) / (2n * RATE_ONE)
}
