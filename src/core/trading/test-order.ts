/**
 * The effect of an order if it were placed now: the same checks, the same matching on a copy of the part of
 * the book that it can reach, the same formulas. It changes nothing, and uses only the public part of each
 * order, so that no hidden part is revealed.
 */

import { notionalSum, worthOf } from '../../units/notional.ts'
import {
  type Amount,
  type Lots,
  NO_AMOUNT,
  NO_LOTS,
  type Notional,
  type Price,
} from '../../units/quantities.ts'
import { isStop, type PlaceOrder } from '../commands/orders.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { TESTED_FILLS_MAX, type TestedFill, type TestedOrder } from '../exchange/tested-order.ts'
import { amountSum, baseUnits, difference, paidFor, receivedFor } from '../ledger/money.ts'
import { FastBook } from '../market/fast-book.ts'
import { isWorse, type MatchObserver, match, type Taker } from '../market/matching.ts'
import type { OrderBook, Slot } from '../market/order-book.ts'
import { refused } from '../questions/reply.ts'
import { causeOf, endOf, whyNothing } from './execution.ts'
import { newOrder } from './new-order.ts'
import type { Order } from './open-orders.ts'
import { refusalOf } from './order-checks.ts'
import { repeatOf } from './repeats.ts'
import { charge, holdOf } from './settlement.ts'
import { takerOf } from './taker.ts'

export function testOrder(state: ExchangeState, command: PlaceOrder): TestedOrder {
  const market = state.market(command.symbolId)
  if (market === undefined) return refused('UNKNOWN_SYMBOL')
  const repeat = repeatOf(state, market, command)
  if (repeat !== undefined) return repeat
  const reason = refusalOf(command, market, state, 'VISIBLE')
  if (reason !== undefined) return refused(reason)
  if (isStop(command)) return waiting(newOrder(state, market, command), market)
  const taker = takerOf(command, market, state)
  const trial = new Trial(state, market, newOrder(state, market, command))
  const outcome = match(reachOf(market.book, taker), taker, trial)
  if (command.type === 'MARKET' && !trial.hasChanged) return refused(whyNothing(outcome))
  const status = endOf(command, outcome)
  const { order } = trial
  order.remaining = outcome.remaining ?? NO_LOTS
  const rests = status === 'NEW' || status === 'PARTIALLY_FILLED'
  return {
    kind: 'Tested',
    status,
    cause: status === 'CANCELED' ? causeOf(command, outcome) : undefined,
    executedQuantity: order.executedQuantity,
    executedNotional: order.executedNotional,
    total: trial.total,
    commission: trial.commission,
    hold: rests ? holdOf(order, market) : NO_AMOUNT,
    fillCount: trial.fillCount,
    fills: trial.fills,
  }
}

/** An order that waits for its trigger executes nothing now. */
function waiting(order: Order, market: Market): TestedOrder {
  const nothing = { total: NO_AMOUNT, commission: NO_AMOUNT, fillCount: 0, fills: [] }
  const { executedQuantity, executedNotional } = order
  const executed = { executedQuantity, executedNotional, ...nothing }
  return { kind: 'Tested', status: 'NEW', cause: undefined, ...executed, hold: holdOf(order, market) }
}

/**
 * A copy of the orders that a taker can be matched against, and of one more beyond its maximum number of
 * steps.
 */
function reachOf(
  book: OrderBook,
  { side, limit, quantity, budget, stepsMax, owner, selfTradeMode, hasEnded }: Taker,
): OrderBook {
  const reach = new FastBook()
  const makerSide = side === 'BUY' ? 'SELL' : 'BUY'
  let lots = 0
  let worth: Notional | undefined
  for (const slot of book.slots(makerSide)) {
    const price = book.price(slot)
    const isFilled = quantity !== undefined && lots >= quantity
    const isSpent = budget !== undefined && worth !== undefined && worth >= budget
    if (isFilled || isSpent || reach.restingCount > stepsMax) break
    if (limit !== undefined && isWorse(price, limit, makerSide)) break
    const remaining = book.remaining(slot)
    const isOwn = selfTradeMode !== 'NONE' && book.owner(slot) === owner
    if (!isOwn && !hasEnded?.(book.orderNumber(slot))) {
      lots += remaining
      const more = worthOf(price, remaining)
      worth = worth === undefined ? more : notionalSum(worth, more)
    }
    reach.add(makerSide, price, remaining, book.owner(slot), book.orderNumber(slot))
  }
  return reach
}

/** Follows the order through matching and adds up its payment, its proceeds and its commission. */
class Trial implements MatchObserver {
  readonly order: Order
  readonly fills: TestedFill[] = []
  fillCount = 0
  total = NO_AMOUNT
  commission = NO_AMOUNT
  hasChanged = false
  readonly #state: ExchangeState
  readonly #market: Market

  constructor(state: ExchangeState, market: Market, order: Order) {
    this.#state = state
    this.#market = market
    this.order = order
  }

  filled(_slot: Slot, price: Price, quantity: Lots): void {
    const { order } = this
    const { symbol, lotScale } = this.#market
    const executed = notionalSum(order.executedNotional, worthOf(price, quantity))
    const total = difference(this.#worth(executed), this.#worth(order.executedNotional))
    const received = order.side === 'BUY' ? baseUnits(quantity, lotScale) : total
    const rate = this.#state.rateOf(order.accountId, 'takerShare', symbol.takerRate)
    const commission = charge(order, received, rate)
    order.executedNotional = executed
    order.executedQuantity = (order.executedQuantity + quantity) as Lots
    this.total = amountSum(this.total, total)
    this.commission = amountSum(this.commission, commission)
    this.fillCount++
    if (this.fills.length < TESTED_FILLS_MAX) this.fills.push({ price, quantity, total, commission })
    this.hasChanged = true
  }

  makerExpired(): void {
    this.hasChanged = true
  }

  makerEnded(): void {
    this.hasChanged = true
  }

  decremented(): void {
    this.hasChanged = true
  }

  #worth(executed: Notional): Amount {
    const { scale } = this.#market
    return this.order.side === 'BUY' ? paidFor(executed, scale) : receivedFor(executed, scale)
  }
}
