/**
 * Converts the effects of one or more batches on one symbol to the messages that publish them: a
 * `matched_order` for each match, one `trades`, then at most one update per side
 * (docs/reference/stream.md#events-from-the-server).
 */

import {
  levelsJson,
  type MarketDecimals,
  matchedOrderJson,
  publicTradeJson,
  type TradeFigures,
} from '../../contract/api/market-data.ts'
import { eventJson } from '../../contract/stream/stream.ts'
import type { OrdersMatched } from '../../core/events/event.ts'
import { type OrderNumber, uuidOf } from '../../units/ids.ts'
import type { Side } from '../../units/order-enums.ts'
import type { Price, TimeMs } from '../../units/quantities.ts'
import { bestFirst } from './channels/best-first.ts'
import { type MarketEvent, PART_BYTES, type Part } from './channels/channel.ts'
import { Frame } from './link.ts'

/** The best prices of a book; undefined for an empty side. */
export type BestPrices = { readonly buy: Price | undefined; readonly sell: Price | undefined }

/** A waiting match: only the fields that are published. */
type Match = TradeFigures & {
  readonly makerNumber: OrderNumber
  readonly makerTime: TimeMs
  readonly takerNumber: OrderNumber
  readonly takerTime: TimeMs
}

/** Changes of one symbol, in order. */
export class SymbolChanges {
  readonly #matches: Match[] = []
  readonly #buy = new Map<Price, bigint>()
  readonly #sell = new Map<Price, bigint>()

  /** Number of matches and changed prices that are kept here. */
  get size(): number {
    return this.#matches.length + this.#buy.size + this.#sell.size
  }

  add(event: MarketEvent): void {
    if (event.kind === 'OrdersMatched') this.#matches.push(matchOf(event))
    else (event.side === 'BUY' ? this.#buy : this.#sell).set(event.price, event.quantity)
  }

  /**
   * The messages, in order; each part is created on demand. `before` and `after` are the best prices before
   * and after the events. New trades are listed newest first, like recent trades.
   */
  *parts(decimals: MarketDecimals, before: BestPrices, after: BestPrices): Generator<Part> {
    const part = new PartMaker()
    const trades: string[] = []
    let someTrades: string[] = []
    for (const match of this.#matches) {
      const one = frame('matched_order', matchJson(match, decimals))
      if (!part.hasRoom(one)) {
        yield part.take()
        trades.push(newestFirst(someTrades))
        someTrades = []
      }
      part.add(one)
      someTrades.push(publicTradeJson(match, decimals))
    }
    if (someTrades.length > 0) trades.push(newestFirst(someTrades))
    for (const one of this.#summary(trades, decimals, before, after)) {
      if (!part.hasRoom(one)) yield part.take()
      part.add(one)
    }
    if (!part.isEmpty) yield part.take()
  }

  /** The messages that follow those about matches. */
  *#summary(
    trades: readonly string[],
    decimals: MarketDecimals,
    before: BestPrices,
    after: BestPrices,
  ): Generator<Frame> {
    if (trades.length > 0) yield frame('trades', `[${newestFirst(trades)}]`)
    const first = firstSide(before, after, this.#buy, this.#sell)
    for (const side of [first, first === 'BUY' ? 'SELL' : 'BUY'] as const) {
      const levels = side === 'BUY' ? this.#buy : this.#sell
      if (levels.size > 0) yield updateFrame(side, levels, decimals)
    }
  }
}

/** Joins messages into parts. */
class PartMaker {
  #frames: Frame[] = []
  #bytes = 0

  get isEmpty(): boolean {
    return this.#frames.length === 0
  }

  /** A message that is too long to share a part is a part of its own. */
  hasRoom(one: Frame): boolean {
    return this.isEmpty || this.#bytes + one.length <= PART_BYTES
  }

  add(one: Frame): void {
    this.#frames.push(one)
    this.#bytes += one.length
  }

  take(): Part {
    const part = { frames: this.#frames, bytes: this.#bytes }
    this.#frames = []
    this.#bytes = 0
    return part
  }
}

function newestFirst(texts: readonly string[]): string {
  return texts.toReversed().join(',')
}

function matchOf({ maker, taker, price, quantity, time }: OrdersMatched): Match {
  return {
    makerNumber: maker.orderNumber,
    makerTime: maker.orderTime,
    takerNumber: taker.orderNumber,
    takerTime: taker.orderTime,
    price,
    quantity,
    time,
  }
}

/**
 * The side whose update is sent first, so that a client applying one after the other never shows a crossed
 * book. With the bests b (buy) and s (sell) before and b', s' after: publishing `sell` first shows s' against
 * b, which is crossed when s' <= b. Then b' < s' <= b < s, so publishing `buy` first shows b' against s and
 * is fine. The same holds with the sides exchanged, so one of the two orders is always fine. If both are, the
 * side that lost a level goes first.
 */
function firstSide(
  before: BestPrices,
  after: BestPrices,
  buy: ReadonlyMap<Price, bigint>,
  sell: ReadonlyMap<Price, bigint>,
): Side {
  if (isCrossed(before.buy, after.sell)) return 'BUY'
  if (isCrossed(after.buy, before.sell)) return 'SELL'
  return lostLevel(buy) && !lostLevel(sell) ? 'BUY' : 'SELL'
}

function isCrossed(buy: Price | undefined, sell: Price | undefined): boolean {
  return buy !== undefined && sell !== undefined && buy >= sell
}

function lostLevel(quantityByPrice: ReadonlyMap<Price, bigint>): boolean {
  for (const quantity of quantityByPrice.values()) if (quantity === 0n) return true
  return false
}

function updateFrame(
  side: Side,
  quantityByPrice: ReadonlyMap<Price, bigint>,
  decimals: MarketDecimals,
): Frame {
  const levels = bestFirst(side, quantityByPrice)
  return frame(side === 'BUY' ? 'buy_order_update' : 'sell_order_update', levelsJson(levels, decimals))
}

function matchJson(match: Match, decimals: MarketDecimals): string {
  const makerId = uuidOf('order', match.makerNumber, match.makerTime)
  const takerId = uuidOf('order', match.takerNumber, match.takerTime)
  return matchedOrderJson({ ...match, makerId, takerId }, decimals)
}

function frame(event: Parameters<typeof eventJson>[0], payload: string): Frame {
  return new Frame(eventJson(event, payload))
}
