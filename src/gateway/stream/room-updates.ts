/**
 * From what one or more batches did to one symbol to the messages that tell it (decisions "Stream"): a `matched_order` for
 * each match, one `trades`, then at most one update per side.
 */
import type { LevelChanged, OrdersMatched } from '../../core/exchange/event.ts'
import { uuidOf } from '../../units/ids.ts'
import type { Side } from '../../units/order-words.ts'
import type { Price } from '../../units/quantities.ts'
import {
  levelsJson,
  type MarketDecimals,
  matchedOrderJson,
  type PriceLevel,
  publicTradesJson,
} from '../../wire/market-data.ts'
import { eventJson } from '../../wire/stream.ts'
import { Frame } from './link.ts'

/** The best prices of a book; undefined where a side is empty. */
export type BestPrices = { readonly buy: Price | undefined; readonly sell: Price | undefined }

/** What happened to one symbol, in the order in which it happened. */
export class SymbolChanges {
  readonly #matches: OrdersMatched[] = []
  readonly #buy = new Map<Price, bigint>()
  readonly #sell = new Map<Price, bigint>()

  get matchCount(): number {
    return this.#matches.length
  }

  add(event: OrdersMatched | LevelChanged): void {
    if (event.kind === 'OrdersMatched') this.#matches.push(event)
    else (event.side === 'BUY' ? this.#buy : this.#sell).set(event.price, event.quantity)
  }

  /**
   * The messages, in order. `before` and `after` are the best prices around what happened. New trades are listed
   * newest first, like recent trades.
   */
  frames(decimals: MarketDecimals, before: BestPrices, after: BestPrices): Frame[] {
    const frames = this.#matches.map((match) => frame('matched_order', matchJson(match, decimals)))
    if (this.#matches.length > 0) {
      frames.push(frame('trades', publicTradesJson(this.#matches.toReversed(), decimals)))
    }
    const first = firstSide(before, after, this.#buy, this.#sell)
    for (const side of [first, first === 'BUY' ? 'SELL' : 'BUY'] as const) {
      const levels = side === 'BUY' ? this.#buy : this.#sell
      if (levels.size > 0) frames.push(updateFrame(side, levels, decimals))
    }
    return frames
  }
}

/**
 * Which side's update goes first, so that a client applying one after the other never shows a crossed book.
 * With the bests b (buy) and s (sell) before and b', s' after: telling `sell` first shows s' against b, which is
 * crossed when s' <= b. Then b' < s' <= b < s, so telling `buy` first shows b' against s and is fine. The same the
 * other way round, so one of the two orders always is. Where both are, the side that lost a level goes first.
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
  const direction = side === 'BUY' ? -1 : 1
  const levels: PriceLevel[] = [...quantityByPrice].map(([price, quantity]) => ({ price, quantity }))
  levels.sort((a, b) => (a.price - b.price) * direction)
  return frame(side === 'BUY' ? 'buy_order_update' : 'sell_order_update', levelsJson(levels, decimals))
}

function matchJson(match: OrdersMatched, decimals: MarketDecimals): string {
  const makerId = uuidOf('order', match.maker.orderNumber, match.maker.orderTime)
  const takerId = uuidOf('order', match.taker.orderNumber, match.taker.orderTime)
  return matchedOrderJson({ ...match, makerId, takerId }, decimals)
}

function frame(event: Parameters<typeof eventJson>[0], payload: string): Frame {
  return new Frame(eventJson(event, payload))
}
