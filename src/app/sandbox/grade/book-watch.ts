/** The recent best prices of each symbol, to check whether a bot's prices were among them. */

import type { TradingSymbol } from '../../../core/registry/records.ts'
import { parseDecimal } from '../../../units/decimal.ts'
import type { NodeViews } from '../../node/views.ts'

/** Best prices this old may still be reported: printing a line takes time. */
const LATE_MS = 5_000

type Best = { readonly atMs: number; readonly bid: number | undefined; readonly ask: number | undefined }

export class BookWatch {
  readonly #market: NodeViews['market']
  readonly #monotonicMs: () => number
  /** By symbol: the best prices of the last seconds, and the ones before them; in ticks. */
  readonly #bestsBySymbol = new Map<string, Best[]>()

  constructor({ market, batches }: Pick<NodeViews, 'market' | 'batches'>, monotonicMs: () => number) {
    this.#market = market
    this.#monotonicMs = monotonicMs
    for (const symbol of market.registry.symbols()) this.#look(symbol)
    batches.subscribe(() => {
      for (const symbol of market.registry.symbols()) this.#look(symbol)
    })
  }

  /** Whether a symbol has orders on both sides. */
  isFull(symbol: string): boolean {
    const best = this.#bestsBySymbol.get(symbol)?.at(-1)
    return best?.bid !== undefined && best.ask !== undefined
  }

  /** Whether each of two prices was the best of its side within the last five seconds. */
  wasBest(symbol: string, bid: string, ask: string): boolean {
    const listed = this.#market.registry.symbolByName(symbol)
    const bests = this.#bestsBySymbol.get(symbol)
    if (listed === undefined || bests === undefined) return false
    const recent = bests.filter((_, place) => this.#isRecent(bests[place + 1]))
    const [bidTicks, askTicks] = [bid, ask].map((price) => Number(parseDecimal(price, listed.quoteFraction)))
    return recent.some((best) => best.bid === bidTicks) && recent.some((best) => best.ask === askTicks)
  }

  /**
   * Whether a state was still valid recently; `next`: the state that replaced it, undefined if it is the
   * newest.
   */
  #isRecent(next: Best | undefined): boolean {
    return next === undefined || next.atMs >= this.#monotonicMs() - LATE_MS
  }

  #look({ id, name }: TradingSymbol): void {
    const depth = this.#market.depth(id)
    const [bid, ask] = [depth.best('BUY'), depth.best('SELL')]
    const bests = this.#bestsBySymbol.get(name) ?? []
    const last = bests.at(-1)
    if (last !== undefined && last.bid === bid && last.ask === ask) return
    bests.push({ atMs: this.#monotonicMs(), bid, ask })
    while (bests.length > 1 && !this.#isRecent(bests[1])) bests.shift()
    this.#bestsBySymbol.set(name, bests)
  }
}
