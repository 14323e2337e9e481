/**
 * One arriving order as the second bookkeeper follows it: new, triggered, or a pending one of a list. It does
 * not match by itself: it checks every step that the exchange reports (price, then time; never worse than the
 * limit; every unit of money) and that no step is missing.
 */
import { mayRest, type PlaceImmediate, type PlaceOrder } from '../../src/core/commands/orders.ts'
import type {
  ExchangeEvent,
  OrderActivated,
  OrderCanceled,
  OrderDecremented,
  OrdersMatched,
  OrderTriggered,
} from '../../src/core/events/event.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { OrderStatus, Side } from '../../src/units/order-enums.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { checkLevels, checkPlaced, hold, leave, levelKey, levelOf, show } from './shadow-book.ts'
import { endAlone } from './shadow-ends.ts'
import { endingWith, fillWorking, partnerOf } from './shadow-lists.ts'
import { settle } from './shadow-settlement.ts'
import {
  type Applied,
  affordableNotional,
  demand,
  levelQuantity,
  neededFor,
  paidLots,
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

/** From these rules on a trade has its number in its symbol. */
const SYMBOL_TRADE_RULES = 17

/** The first event of an arrival. */
type Beginning = 'OrderPlaced' | 'OrderTriggered' | 'OrderActivated'

export class Arrival {
  readonly taker: ShadowOrder
  readonly #state: ShadowState
  readonly #command: PlaceImmediate
  readonly #begins: Beginning
  readonly #time: number
  /** Prices of its trades, in order. */
  readonly #prices: number[] = []
  readonly #symbol: TradingSymbol
  readonly #book: ShadowBook
  readonly #mode: string
  /** For each level that the order changed: whether its quantity now differs from the one before. */
  readonly #touched = new Map<string, () => boolean>()
  readonly #levels: ExchangeEvent[] = []
  /** Largest notional that the total of a MARKET order can pay for. */
  #budget: bigint | undefined
  /** Notional by which DECREMENT lowered the order's total. */
  #lowered = 0n
  #isPlaced = false
  #isExpired = false
  #isGivenUp = false
  /** Orders of lists that have ended; they take effect with the next resting order that is met. */
  #endedWith: OrderCanceled[] = []
  /** Number of resting orders that the order met; each part of an iceberg order counts. */
  #met = 0

  constructor(
    state: ShadowState,
    { time }: Pick<Applied, 'time'>,
    command: PlaceImmediate,
    taker: ShadowOrder,
    begins: Beginning,
  ) {
    this.#state = state
    this.#time = time
    this.#begins = begins
    this.taker = taker
    this.#command = command
    this.#symbol = state.symbols[command.symbolId] as TradingSymbol
    this.#book = state.book(command.symbolId)
    this.#mode = command.selfTradeMode ?? this.#symbol.selfTradeMode
    if (command.type === 'MARKET' && command.total !== undefined) {
      this.#budget = affordableNotional(this.#symbol, bigintOf(command.total))
    }
  }

  take(event: ExchangeEvent): void {
    const taker = this.taker
    demand(
      this.#isPlaced === (event.kind !== this.#begins),
      () => `an order begins once, before all else, with ${this.#begins}`,
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
        this.#begin(event)
        break
      case 'OrderActivated':
        this.#begin(event)
        checkActivated(this.#command, event)
        break
      case 'OrdersMatched':
        this.#match(event)
        break
      case 'OrderCanceled':
        if (event.orderNumber === taker.number) this.#giveUp(event)
        else if (event.cause === 'LIST') this.#endedWith.push(event)
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

  #begin({ orderNumber, accountId, time }: OrderTriggered | OrderActivated): void {
    const { number, account } = this.taker
    demand(
      orderNumber === number && accountId === account && time === this.#time,
      () => `order ${number} begins now, found ${orderNumber}`,
    )
    this.#isPlaced = true
  }

  /** Checks that these orders of a list, and no others, have just ended. */
  #endWith(others: readonly ShadowOrder[]): void {
    for (const other of others) {
      if (levelOf(this.#state, other).size > 0) this.touch(other)
      endAlone(this.#state, other, 'LIST', this.#endedWith.shift())
    }
    demand(this.#endedWith.length === 0, () => `order ${this.#endedWith[0]?.orderNumber} does not end`)
  }

  #touchOrder(order: ShadowOrder): void {
    order.updatedAt = this.#time
  }

  /**
   * Called when nothing that could trade is left; the order rests or has ended, according to its type.
   * Returns its status.
   */
  finish(): OrderStatus {
    const taker = this.taker
    demand(this.#isPlaced, 'an accepted order is placed')
    this.#endWith([])
    const isMatchable = !this.#isExpired && !this.#hasMetAll() && this.#affordableNext() > 0
    demand(!isMatchable, () => `order ${taker.number} could still trade with the best of the other side`)
    const rests = mayRest(this.#command) && !this.#isExpired && taker.remaining > 0 && !this.#isGivenUp
    const isWhole = this.#command.timeInForce !== 'FOK' || taker.executed === taker.quantity
    demand(isWhole, () => `FOK order ${taker.number} is filled in full, or refused`)
    if (rests) this.#rest()
    const status = this.#status(rests)
    reach(this.#state, this.#symbol.id, this.#prices)
    const changed = [...this.#touched].filter(([, isChanged]) => isChanged()).map(([key]) => key)
    checkLevels(this.#state, this.#symbol, this.#levels, new Set(changed))
    return status
  }

  #status(rests: boolean): OrderStatus {
    const taker = this.taker
    if (rests) return taker.executed > 0 ? 'PARTIALLY_FILLED' : 'NEW'
    if (this.#isGivenUp || taker.decremented > 0) return 'CANCELED'
    const isDone = taker.remaining === 0 || (this.#budget !== undefined && taker.executed > 0)
    demand(isDone, () => `order ${taker.number} is FILLED with ${taker.remaining} open`)
    return 'FILLED'
  }

  /** Whether the order met the largest allowed number of orders: its remainder is canceled. */
  #hasMetAll(): boolean {
    return this.#met === STEPS_MOST
  }

  /** Lots that the order could take from the best order of the other side now. */
  #affordableNext(): number {
    const taker = this.taker
    const [maker] = this.#book[opposite(taker.side)]
    if (maker === undefined || taker.remaining === 0) return 0
    if (!this.#accepts(maker.price)) return 0
    // An ended order is removed when the arriving order reaches it, whatever the arriving order can pay.
    return causeOfEnd(this.#state, maker) === undefined ? this.#most(maker) : 1
  }

  /**
   * Whether the order's limit, or the symbol's price range if there is no limit, allows a trade at `price`.
   */
  #accepts(price: number): boolean {
    const { side } = this.taker
    const [least, most] = pricesOf(this.#symbol)
    if (this.#command.type !== 'MARKET') return isAcceptable(this.taker, price)
    return side === 'BUY' ? price <= most : price >= least
  }

  #most(maker: ShadowOrder): number {
    const most = Math.min(maker.shown, this.taker.remaining)
    if (this.#budget === undefined) return most
    const isLowered = this.#mode === 'DECREMENT' && maker.account === this.taker.account
    const reach = (isLowered ? this.#lowerable() : this.#payable()) / BigInt(maker.price)
    return paidLots(this.#symbol, reach, most)
  }

  /**
   * Notional that the order may still execute: for a BUY, the sum paid, rounded up, and all reductions must
   * fit the total.
   */
  #payable(): bigint {
    const left = (this.#budget ?? 0n) - this.#lowered
    const whole = affordableNotional(this.#symbol, roundedDown(this.#symbol, left))
    return (this.#paysWhole() ? whole : left) - this.taker.notional
  }

  /** Notional by which the total may still be lowered. */
  #lowerable(): bigint {
    const { notional } = this.taker
    const paid = affordableNotional(this.#symbol, roundedUp(this.#symbol, notional))
    return (this.#budget ?? 0n) - this.#lowered - (this.#paysWhole() ? paid : notional)
  }

  #paysWhole(): boolean {
    return this.taker.side === 'BUY'
  }

  /** The maker with priority; the event must have this order's number. */
  #turn(orderNumber: number): ShadowOrder {
    const [maker] = this.#book[opposite(this.taker.side)]
    demand(
      maker?.number === orderNumber,
      () => `price, then time: it is order ${maker?.number}'s turn, found ${orderNumber}`,
    )
    this.touch(maker)
    this.#met++
    demand(this.#met <= STEPS_MOST, () => `order ${this.taker.number} meets at most ${STEPS_MOST} orders`)
    return maker
  }

  /** Notes that the order's level changes, unless a later order restores the same quantity exactly. */
  touch({ side, price }: Pick<ShadowOrder, 'side' | 'price'>): void {
    const quantity = () => levelQuantity(this.#book, side, price)
    const before = quantity()
    const key = levelKey(side, price)
    if (!this.#touched.has(key)) this.#touched.set(key, () => quantity() !== before)
  }

  /**
   * Lowers the shown quantity of a maker; when it is used up and hidden quantity is left, the next part goes
   * to the end of the queue.
   */
  #lowerShown(maker: ShadowOrder, quantity: number): void {
    maker.shown -= quantity
    if (maker.shown === 0 && maker.remaining > 0) show(this.#state, maker)
  }

  #match(event: OrdersMatched): void {
    const state = this.#state
    const taker = this.taker
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
    const isNumbered = state.rulesVersion >= SYMBOL_TRADE_RULES
    const inSymbol = isNumbered ? (state.symbolTrades[event.symbolId] ?? 0) + 1 : 0
    demand(
      event.symbolTrade === inSymbol,
      () => `trade ${inSymbol} of its symbol, found ${event.symbolTrade}`,
    )
    state.symbolTrades[event.symbolId] = inSymbol
    const partner = partnerOf(state, maker)
    this.#endWith(partner === undefined ? [] : [partner])
    settle(state, event, taker, maker)
    if (maker.remaining === 0) {
      fillWorking(state, maker)
      leave(state, maker)
    } else demand(maker.hold === neededFor(maker), () => `order ${maker.number} holds what it needs`)
    this.#lowerShown(maker, event.quantity)
  }

  #expireMaker(event: OrderCanceled): void {
    const maker = this.#turn(event.orderNumber)
    const ended = causeOfEnd(this.#state, maker)
    if (ended !== undefined) {
      const isWhole = event.cause === ended && event.quantity === maker.remaining
      demand(isWhole, () => `order ${maker.number} ends for ${ended}, and gives up ${maker.remaining}`)
      this.#endWith(endingWith(this.#state, maker))
      leave(this.#state, maker)
      return
    }
    const isOwn = maker.account === this.taker.account
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
    this.#endWith(endingWith(this.#state, maker))
    leave(this.#state, maker)
  }

  #decrement(event: OrderDecremented): void {
    demand(this.#mode === 'DECREMENT', () => `mode ${this.#mode} lowers no order`)
    const taker = this.taker
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
    const partner = partnerOf(this.#state, maker)
    this.#endWith(partner === undefined ? [] : [partner])
    this.#lowerBudget(maker, event.quantity)
    this.#touchOrder(maker)
    maker.remaining -= event.quantity
    hold(this.#state, maker)
    this.#lowerShown(maker, event.quantity)
  }

  #lowerBudget(maker: ShadowOrder, quantity: number): void {
    this.#lowered += BigInt(maker.price) * BigInt(quantity)
  }

  #giveUp(event: OrderCanceled): void {
    const taker = this.taker
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
    const order = this.taker
    const state = this.#state
    const [best] = this.#book[opposite(order.side)]
    demand(best === undefined || !isAcceptable(order, best.price), 'the book is never crossed')
    this.touch(order)
    show(state, order)
    state.orders.set(order.number, order)
    hold(state, order)
  }
}

/** Checks the answer to an accepted order. */
export function checkAnswer(
  reply: Extract<Applied['reply'], { kind: 'OrderAccepted' }>,
  { number, time, executed, notional }: ShadowOrder,
  status: OrderStatus,
): void {
  demand(
    reply.orderNumber === number &&
      reply.time === time &&
      reply.executedQuantity === executed &&
      bigintOf(reply.executedNotional) === notional,
    () => `the answer has what was executed: expected ${executed}, found ${reply.executedQuantity}`,
  )
  demand(reply.status === status, () => `order ${number} is ${status}, found ${reply.status}`)
}

/** Checks that the event of a pending order has the quantity or total, which is known now. */
export function checkActivated({ quantity, total }: PlaceOrder, event: OrderActivated): void {
  demand(
    event.quantity === quantity && event.total === total,
    () => `order ${event.orderNumber} is for ${quantity}, ${total}, found ${event.quantity}, ${event.total}`,
  )
}

function opposite(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY'
}

/** Whether an order's limit allows a trade at `price`. */
function isAcceptable({ side, price: limit }: ShadowOrder, price: number): boolean {
  return side === 'BUY' ? price <= limit : price >= limit
}
