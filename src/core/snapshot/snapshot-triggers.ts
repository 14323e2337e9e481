/**
 * Triggers, as bytes: for each symbol its last price, the waiting orders in the order of their turns, the due
 * ones, those set aside, and the triggers of orders that now rest. The orders themselves are stored
 * elsewhere.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { OrderNumber } from '../../units/ids.ts'
import { isStopType } from '../../units/order-enums.ts'
import { type Amount, isAmount, type Price, price, type TimeMs, timeMs } from '../../units/quantities.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { NO_SLOT } from '../market/order-book.ts'
import { TRIGGER_DIRECTIONS, type TriggerDirection } from '../market/trigger-direction.ts'
import { NOT_DATED } from '../trading/lists/order-lists.ts'
import type { Order } from '../trading/open-orders.ts'
import { directionOf } from '../trading/triggers/place-stop.ts'

/** Written for a missing last price. */
const NONE = 0

/** Whether there is neither a last price nor an order in this section. */
export function hasNoTriggers({ markets }: ExchangeState): boolean {
  return markets.every(({ lastPrice, triggers }) => lastPrice === undefined && triggers.pricedCount === 0)
}

export function writeTriggers(w: ByteWriter, state: ExchangeState): void {
  for (const market of state.markets) {
    const { triggers, lastPrice } = market
    w.uint(lastPrice ?? NONE)
    for (const direction of TRIGGER_DIRECTIONS) {
      const levels = triggers.levels(direction).filter(({ orders }) => orders.length > 0)
      w.uint(levels.length)
      for (const level of levels) {
        w.uint(level.price)
        writeWaiting(w, state, level.orders)
      }
    }
    writePriced(w, state, [...triggers.dueOrders()])
    writePriced(w, state, triggers.asideOrders)
  }
  writeTriggered(w, state)
}

/**
 * Sets the triggers of the waiting orders in the state, and the past triggers of resting ones. Throws
 * `BytesFault`.
 */
export function readTriggers(r: ByteReader, state: ExchangeState): void {
  for (const market of state.markets) {
    const last = r.uint()
    market.lastPrice = last === NONE ? undefined : price(last)
    for (const direction of TRIGGER_DIRECTIONS) readLevels(r, state, market, direction)
    readPriced(r, state, market, (direction, at, number) =>
      market.triggers.addDue(direction, at, number, NOT_DATED),
    )
    let before = 0
    readPriced(r, state, market, (_direction, _at, number) => {
      if (number <= before)
        throw new BytesFault(
          `order ${number} before byte ${r.at} is not in its place among the orders set aside`,
        )
      before = number
      market.triggers.setAside(number)
    })
    if (market.triggers.hasDue) state.marketsDue.add(market)
  }
  readTriggered(r, state)
}

/** Throws `BytesFault` if an order waits without a price, or has a waiting type but does not wait. */
export function checkTriggers(state: ExchangeState): void {
  for (const { symbol, triggers } of state.markets) {
    const pending = state.lists.pendingCount(symbol.id)
    const missing = state.orders.waitingCount(symbol.id) - pending - triggers.count
    if (missing !== 0) throw new BytesFault(`${missing} waiting orders of ${symbol.name} have no trigger`)
  }
  const withStop = state.orders
    .withStop()
    .filter(({ stop }) => stop?.price !== undefined || stop?.trailing !== undefined)
  const nameless = state.orders.stopTypeCount() - withStop.length
  if (nameless !== 0)
    throw new BytesFault(`${nameless} orders have no trigger, but a type that waits for one`)
}

function readLevels(r: ByteReader, state: ExchangeState, market: Market, direction: TriggerDirection): void {
  let before = 0
  for (let left = r.uint(); left > 0; left--) {
    const at = price(r.uint())
    const { lastPrice = direction === 'RISING' ? 0 : Number.POSITIVE_INFINITY } = market
    const isAhead = direction === 'RISING' ? at > lastPrice : at < lastPrice
    const count = r.uint()
    if (at <= before || !isAhead || count === 0) {
      throw new BytesFault(`the orders that wait for ${at} before byte ${r.at} are not valid`)
    }
    before = at
    let last = 0
    for (let orders = count; orders > 0; orders--) {
      const order = readWaiting(r, state, market, last + r.uint(), at)
      if (order.number <= last || directionIn(order) !== direction) throw impossible(r, order.number)
      last = order.number
      market.triggers.add(direction, at, order.number)
    }
  }
}

/** Orders that wait for one price, oldest first. */
function writeWaiting(w: ByteWriter, state: ExchangeState, numbers: readonly OrderNumber[]): void {
  w.uint(numbers.length)
  let last = 0
  for (const number of numbers) {
    w.uint(number - last)
    writeTotal(w, orderOf(state, number))
    last = number
  }
}

/** Orders, each with its own price. */
function writePriced(w: ByteWriter, state: ExchangeState, numbers: readonly OrderNumber[]): void {
  w.uint(numbers.length)
  for (const number of numbers) {
    const order = orderOf(state, number)
    w.uint(number)
    w.uint(order.stop?.price ?? NONE)
    writeTotal(w, order)
  }
}

function readPriced(
  r: ByteReader,
  state: ExchangeState,
  market: Market,
  put: (direction: TriggerDirection, at: Price, number: OrderNumber) => void,
): void {
  for (let left = r.uint(); left > 0; left--) {
    const number = r.uint()
    const at = price(r.uint())
    // Only a trailing order may have no price of its own; `checkTriggers` checks this.
    const order = readWaiting(r, state, market, number, at === NONE ? undefined : at)
    put(directionIn(order), at, order.number)
  }
}

/** Reads a waiting order, which must not have another trigger. */
export function readWaiting(
  r: ByteReader,
  state: ExchangeState,
  market: Market,
  number: number,
  at: Price | undefined,
): Order {
  const order = state.orders.get(number as OrderNumber)
  const isWaiting = order?.slot === NO_SLOT && order.symbolId === market.symbol.id
  if (!isWaiting || order.stop !== undefined || !isStopType(order.terms.type)) {
    throw impossible(r, number)
  }
  const total = isBudget(order) ? (r.whole() as Amount) : undefined
  if (total !== undefined && !isAmount(total, 1)) throw impossible(r, number)
  if (!hasFigures(order)) throw impossible(r, number)
  keepStop(state, order, at, total, undefined)
  return order
}

/** Whether the order has a limit if its type requires one, and a quantity unless a total is enough. */
function hasFigures(order: Order): boolean {
  const hasLimit = order.price > 0
  return hasLimit === isLimited(order) && (order.quantity > 0 || isBudget(order))
}

/** Whether a triggered order with a limit may rest. */
function mayRest({ terms: { timeInForce } }: Order): boolean {
  return timeInForce === 'GTC' || timeInForce === 'GTD'
}

function isLimited({ terms: { type } }: Order): boolean {
  return type === 'STOP_LOSS_LIMIT' || type === 'TAKE_PROFIT_LIMIT'
}

/** Whether an order is bounded by its total, as a BUY at any price is. */
export function isBudget(order: Order): boolean {
  return order.side === 'BUY' && !isLimited(order)
}

export function writeTotal(w: ByteWriter, { stop }: Order): void {
  if (stop?.total !== undefined) w.whole(stop.total)
}

/** Orders that were triggered and rest, by number. */
function writeTriggered(w: ByteWriter, { orders }: ExchangeState): void {
  const triggered = orders.withStop().filter(({ stop }) => stop?.triggeredAt !== undefined)
  w.uint(triggered.length)
  let last = 0
  for (const { number, time, stop } of triggered) {
    w.uint(number - last)
    w.uint(stop?.price ?? NONE)
    w.uint((stop?.triggeredAt ?? time) - time)
    last = number
  }
}

function readTriggered(r: ByteReader, state: ExchangeState): void {
  let last = 0
  for (let left = r.uint(); left > 0; left--) {
    const number = last + r.uint()
    const at = price(r.uint())
    const after = r.uint()
    const order = state.orders.get(number as OrderNumber)
    const isResting = order !== undefined && order.slot !== NO_SLOT && order.stop === undefined
    const isPossible = isResting && isLimited(order) && mayRest(order) && number > last
    if (!isPossible || order.time + after > order.updatedAt) throw impossible(r, number)
    keepStop(state, order, at === NONE ? undefined : at, undefined, timeMs(order.time + after))
    last = number
  }
}

export function keepStop(
  state: ExchangeState,
  order: Order,
  at: Price | undefined,
  total: Amount | undefined,
  triggeredAt: TimeMs | undefined,
): void {
  order.stop = { price: at, total, triggeredAt, trailing: undefined }
  state.orders.keep(order)
}

export function directionIn({ terms: { type }, side }: Order): TriggerDirection {
  if (!isStopType(type)) throw new BytesFault(`an order of type ${type} cannot wait for a trigger`)
  return directionOf(type, side)
}

export function orderOf(state: ExchangeState, number: OrderNumber): Order {
  const order = state.orders.get(number)
  if (order === undefined) throw new BytesFault(`waiting order ${number} must be open`)
  return order
}

function impossible(r: ByteReader, number: number): BytesFault {
  return new BytesFault(`the trigger of order ${number} before byte ${r.at} is not valid`)
}
