/**
 * A market without an engine: random orders are matched level by level, and the events are emitted as batches
 * like an engine's. It has no owners and no money; it feeds views and streams.
 */

import type { EventBatch, ExchangeEvent } from '../../src/core/events/event.ts'
import type { Bootstrap } from '../../src/core/questions/view.ts'
import { PLAIN_TERMS } from '../../src/core/registry/plain-terms.fixture.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../src/units/ids.ts'
import { opposite, type Side } from '../../src/units/order-enums.ts'
import {
  amount,
  decimals,
  lots,
  type Price,
  price,
  seq,
  type TimeMs,
  timeMs,
} from '../../src/units/quantities.ts'
import { Depth } from '../../src/views/depth.ts'

const START_MS = 1_700_000_000_000

/** A listed symbol with prices of 2 and quantities of 8 decimals. */
export function syntheticSymbol(id: number, name: string): TradingSymbol {
  const [baseCode = '', quoteCode = ''] = name.split('/')
  return {
    ...PLAIN_TERMS,
    id: id as SymbolId,
    name,
    base: (2 * id) as AssetId,
    quote: (2 * id + 1) as AssetId,
    baseCode,
    quoteCode,
    basePrecision: decimals(8),
    quotePrecision: decimals(8),
    state: 'TRADING',
    roundingAccountId: 9 as AccountId,
  }
}

/** A state in which `symbols` are listed and nothing else has happened. */
export function emptyBootstrap(symbols: readonly TradingSymbol[]): Bootstrap {
  const registry = { assets: [], symbols, accounts: [], apiKeys: [] }
  return { seq: seq(0), time: timeMs(START_MS), rulesVersion: 1, ...registry, books: [] }
}

export class SyntheticMarket {
  readonly #depthById = new Map<SymbolId, Depth>()
  readonly #random: () => number
  #events: ExchangeEvent[] = []
  #seq = 0
  #orders = 0
  #trades = 0
  /** Time passed in addition to one millisecond for each batch. */
  #passedMs = 0

  constructor(random: () => number) {
    this.#random = random
  }

  /** The depth that every follower must reach. */
  depth(symbolId: SymbolId): Depth {
    let depth = this.#depthById.get(symbolId)
    if (depth === undefined) {
      depth = new Depth()
      this.#depthById.set(symbolId, depth)
    }
    return depth
  }

  /**
   * Advances the time of a market in which nothing has happened since the last flush; returns the new time.
   */
  pass(ms: number): TimeMs {
    this.#passedMs += ms
    return this.#time
  }

  get #time(): TimeMs {
    return timeMs(START_MS + this.#passedMs + this.#seq)
  }

  /** Everything since the last flush, as one batch. */
  flush(): EventBatch {
    const events = this.#events
    this.#events = []
    const time = this.#time
    return { seq: seq(++this.#seq), time, events }
  }

  /**
   * Some random commands around a price that moves over `span` ticks; with more commands per batch, more
   * changes are merged.
   */
  randomBatch(symbolId: SymbolId, commands: number, span = 40): EventBatch {
    for (let i = 0; i < commands; i++) {
      const side: Side = this.#random() < 0.5 ? 'BUY' : 'SELL'
      const at = price(10_000 + Math.floor(this.#random() * span))
      const quantity = 1 + Math.floor(this.#random() * 5_000_000_000)
      if (this.#random() < 0.35) this.cancel(symbolId, side)
      else this.place(symbolId, side, at, quantity)
    }
    return this.flush()
  }

  /** Places a LIMIT order: it is matched while it crosses, and its remainder rests. */
  place(symbolId: SymbolId, side: Side, limit: Price, quantity: number): void {
    const depth = this.depth(symbolId)
    const takerNumber = ++this.#orders
    let left = quantity
    for (;;) {
      const best = depth.best(opposite(side))
      if (left === 0 || best === undefined || (side === 'BUY' ? best > limit : best < limit)) break
      const resting = depth.quantity(opposite(side), best)
      const filled = Math.min(left, Number(resting))
      left -= filled
      this.#match(symbolId, side, best, filled, takerNumber)
      this.#level(symbolId, opposite(side), best, resting - BigInt(filled))
    }
    if (left > 0) this.#level(symbolId, side, limit, depth.quantity(side, limit) + BigInt(left))
  }

  /** Adds an event that orders do not cause. */
  happen(event: ExchangeEvent): void {
    this.#events.push(event)
  }

  /** Removes a level, mostly one near the best price. */
  cancel(symbolId: SymbolId, side: Side): void {
    const levels = this.depth(symbolId).levels(side, 8)
    const level = levels[Math.floor(this.#random() * levels.length)]
    if (level !== undefined) this.#level(symbolId, side, level.price, 0n)
  }

  #level(symbolId: SymbolId, side: Side, at: Price, quantity: bigint): void {
    this.depth(symbolId).set(side, at, quantity)
    this.#events.push({ kind: 'LevelChanged', symbolId, side, price: at, quantity })
  }

  #match(symbolId: SymbolId, takerSide: Side, at: Price, quantity: number, takerNumber: number): void {
    const party = (orderNumber: number) => ({
      accountId: 10 as AccountId,
      orderNumber: orderNumber as OrderNumber,
      orderTime: timeMs(START_MS),
      total: amount(0n),
      commission: amount(0n),
    })
    this.#events.push({
      kind: 'OrdersMatched',
      symbolId,
      tradeNumber: ++this.#trades as TradeNumber,
      symbolTrade: this.#trades,
      time: this.#time,
      price: at,
      quantity: lots(quantity),
      takerSide,
      maker: party(1),
      taker: party(takerNumber),
    })
  }
}
