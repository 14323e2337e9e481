/**
 * A book kept from the stream alone, as a trader's program would keep it: replaced by `orders`, changed by
 * updates, price by price. A crossed book is an error at any time.
 */

import { fixedDecimal, plainDecimal } from '../../src/units/decimal.ts'
import { decimals } from '../../src/units/quantities.ts'
import type { DepthView } from '../../src/views/depth.ts'

type LevelMap = Readonly<Record<string, number>>

const PRICE_DECIMALS = decimals(2)
const QUANTITY_DECIMALS = decimals(8)

export class StreamBook {
  readonly #sell = new Map<string, number>()
  readonly #buy = new Map<string, number>()
  /** Names of the processed events, in order. */
  readonly seen: string[] = []
  #snapshots = 0

  /** Number of complete books received. */
  get snapshots(): number {
    return this.#snapshots
  }

  /** Processes one server event. */
  take(event: string, payload: unknown): void {
    this.seen.push(event)
    switch (event) {
      case 'orders': {
        const book = payload as { readonly sell: LevelMap; readonly buy: LevelMap }
        this.#snapshots++
        this.#sell.clear()
        this.#buy.clear()
        this.#set(this.#sell, book.sell)
        this.#set(this.#buy, book.buy)
        break
      }
      case 'sell_order_update':
        this.#change(this.#sell, payload as LevelMap)
        break
      case 'buy_order_update':
        this.#change(this.#buy, payload as LevelMap)
        break
      default:
        break
    }
  }

  /** Both sides, best first, as `price quantity` lines: equal books have equal texts. */
  text(): string {
    const sell = [...this.#sell].sort(([a], [b]) => Number(a) - Number(b))
    const buy = [...this.#buy].sort(([a], [b]) => Number(b) - Number(a))
    const lines = (levels: readonly (readonly [string, number])[]) => levels.map(([p, q]) => `${p} ${q}`)
    return ['sell', ...lines(sell), 'buy', ...lines(buy)].join('\n')
  }

  #change(side: Map<string, number>, levels: LevelMap): void {
    if (Object.keys(levels).length === 0) throw new Error('an update without a level')
    for (const [at, quantity] of Object.entries(levels)) {
      this.#set(side, { [at]: quantity })
      this.#refuseCrossed()
    }
  }

  #set(side: Map<string, number>, levels: LevelMap): void {
    for (const [at, quantity] of Object.entries(levels)) {
      if (quantity === 0) side.delete(at)
      else side.set(at, quantity)
    }
  }

  #refuseCrossed(): void {
    const bid = Math.max(...[...this.#buy.keys()].map(Number))
    const ask = Math.min(...[...this.#sell.keys()].map(Number))
    if (bid >= ask) throw new Error(`crossed book: bid ${bid}, ask ${ask}, after ${this.seen.slice(-4)}`)
  }
}

/** The `StreamBook.text` of an up-to-date client. */
export function depthText(depth: DepthView): string {
  const lines = (side: 'BUY' | 'SELL') =>
    depth
      .levels(side)
      .map(
        (level) =>
          `${fixedDecimal(level.price, PRICE_DECIMALS)} ${Number(plainDecimal(level.quantity, QUANTITY_DECIMALS))}`,
      )
  return ['sell', ...lines('SELL'), 'buy', ...lines('BUY')].join('\n')
}
