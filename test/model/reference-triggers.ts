/**
 * Orders that wait for a price in the reference exchange, from
 * docs/reference/waiting-orders.md#orders-that-wait and docs/reference/waiting-orders.md#triggering: a plain
 * list, searched after every trade. The rule that a line follows is stated beside it.
 */
import type { PlaceImmediate, TriggerOrder } from '../../src/core/commands/orders.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'

import { amount, lots, price } from '../../src/units/quantities.ts'
import { Fraction } from './fraction.ts'
import { isReached } from './reference-reached.ts'
import type { ReferenceOrder, ReferenceState, ReferenceStop } from './reference-state.ts'
import { afterTrade } from './reference-trailing.ts'

/** The trades of one command in a symbol, while it is carried out. */
export class CommandTrades {
  readonly #state: ReferenceState
  readonly #symbol: TradingSymbol
  readonly #reached: ReferenceOrder[] = []
  /** The prices at which trailing orders were to be triggered. */
  readonly #triggers = new Map<ReferenceOrder, Fraction>()
  #first: Fraction | undefined
  #last: Fraction | undefined

  constructor(state: ReferenceState, symbol: TradingSymbol) {
    this.#state = state
    this.#symbol = symbol
  }

  /** The price of every trade counts, also within a sweep. */
  traded(price: Fraction): void {
    const state = this.#state
    this.#first ??= price
    this.#last = price
    for (const order of state.waiting) {
      if (order.symbol.id !== this.#symbol.id || order.stop === undefined) continue
      if (order.stop.trailing !== undefined) {
        this.#follow(order, order.stop, price)
        continue
      }
      if (isReached(order.stop, price) && !this.#reached.includes(order)) this.#reached.push(order)
    }
  }

  #follow(order: ReferenceOrder, stop: ReferenceStop, price: Fraction): void {
    const after = this.#reached.includes(order) ? undefined : afterTrade(order, price, this.#state.time)
    if (after === undefined) return
    order.stop = { ...stop, trailing: after.trailing }
    if (after.trigger === undefined) return
    this.#reached.push(order)
    this.#triggers.set(order, after.trigger)
  }

  /**
   * After the command, the orders that it reached follow those reached before: the nearest to the previous
   * price first, then the oldest.
   */
  end(): void {
    const { lastPrice, due } = this.#state
    if (this.#first === undefined || this.#last === undefined) return
    // Before a symbol's first trade, the nearest to the command's own first price.
    const from = lastPrice.get(this.#symbol.id) ?? this.#first
    lastPrice.set(this.#symbol.id, this.#last)
    const distance = (order: ReferenceOrder) => {
      const gap = (this.#triggers.get(order) ?? order.stop?.price ?? Fraction.ZERO).minus(from)
      return gap.isPositive ? gap : Fraction.ZERO.minus(gap)
    }
    // An order that ended with another one of its list no longer waits.
    const reached = this.#reached.filter((order) => this.#state.waiting.includes(order))
    this.#state.waiting = this.#state.waiting.filter((order) => !reached.includes(order))
    for (const order of reached) this.#state.becameDue(order)
    due.push(...reached.sort((a, b) => distance(a).compare(distance(b)) || a.turn - b.turn))
  }
}

/** Due orders are carried out only if the symbol and both of its assets trade; until then they stay due. */
export function carriesOut(state: ReferenceState, symbolId: number): boolean {
  const { symbols, assets, phases, time } = state
  if (phases.at(time) !== 'TRADING') return false
  const symbol = symbols[symbolId]
  return symbol?.state === 'TRADING' && [symbol.base, symbol.quote].every((id) => assets[id]?.isTrade)
}

/** The order, if it is the next one. */
export function inTurn(state: ReferenceState, { orderNumber }: TriggerOrder): ReferenceOrder | undefined {
  const order = state.due.find(({ number }) => number === orderNumber)
  return order === state.due.find(({ symbol }) => symbol.id === order?.symbol.id) ? order : undefined
}

/**
 * Sets aside an order whose execution is quarantined: it stays open, and its execution is not tried again.
 */
export function setAside(state: ReferenceState, command: TriggerOrder): void {
  const order = inTurn(state, command)
  if (order === undefined) return
  state.leave(order)
  state.aside.push(order)
}

/** A triggered order as a new order: a LIMIT order if it has a limit, otherwise a MARKET order. */
export function askedOf({
  symbol,
  accountId,
  side,
  price: limit,
  quantity,
  stop,
  kept,
  expireTime,
}: ReferenceOrder): PlaceImmediate {
  const selfTradeMode = kept.selfTradeMode
  const head = {
    kind: 'PlaceOrder',
    accountId,
    symbolId: symbol.id,
    selfTradeMode,
    clientOrderId: undefined,
  } as const
  const asked = lots(Number(quantity.wholeUnits(symbol.baseFraction)))
  if (limit !== undefined) {
    const ticks = price(Number(limit.wholeUnits(symbol.quoteFraction)))
    const timeInForce = kept.timeInForce
    const figures = { price: ticks, quantity: asked, total: undefined, expireTime }
    return { ...head, type: 'LIMIT', side, timeInForce, ...figures }
  }
  if (side === 'SELL') return { ...head, type: 'MARKET', side, quantity: asked, total: undefined }
  const total = amount(stop?.total?.wholeUnits(symbol.quotePrecision) ?? 0n)
  return { ...head, type: 'MARKET', side, total, quantity: asked === 0 ? undefined : asked }
}
