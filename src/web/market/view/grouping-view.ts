/**
 * The choice of the number of ticks in one line of the book. Each symbol keeps its own while the page is
 * open.
 */
import { groupSteps, stepText } from '../state/book-groups.ts'
import type { MarketState } from '../state/market-state.ts'
import { byId } from './dom.ts'

/** Largest step as a fraction of the price (1/500): a coarser book would be only a line or two. */
const PRICE_PARTS = 500

export class GroupingView {
  readonly #select = byId('grouping', HTMLSelectElement)
  readonly #stepBySymbol = new Map<string, number>()
  /** The market whose steps are offered, and whether they are based on a known price. */
  #offered: { readonly market: MarketState; readonly isPriceKnown: boolean } | undefined

  constructor(onChoice: () => void) {
    this.#select.addEventListener('change', () => {
      const symbol = this.#offered?.market.symbol.name
      if (symbol !== undefined) this.#stepBySymbol.set(symbol, Number(this.#select.value))
      onChoice()
    })
  }

  /**
   * In ticks. The offered steps depend on the first known price of a market, and do not change afterwards.
   */
  stepOf(market: MarketState): number {
    const { name } = market.symbol
    const ticks = market.book.bestBid?.ticks ?? market.book.bestAsk?.ticks ?? market.tape.last?.price
    const isPriceKnown = ticks !== undefined
    const offered = this.#offered
    if (offered?.market !== market || (isPriceKnown && !offered.isPriceKnown)) {
      this.#offered = { market, isPriceKnown }
      this.#offer(market, Math.floor((ticks ?? 0) / PRICE_PARTS))
    }
    return this.#stepBySymbol.get(name) ?? 1
  }

  #offer({ symbol }: MarketState, largest: number): void {
    const chosen = this.#stepBySymbol.get(symbol.name) ?? 1
    const steps = groupSteps(Math.max(largest, chosen))
    this.#select.replaceChildren(
      ...steps.map((step) => new Option(stepText(step, symbol.quoteFraction), String(step))),
    )
    this.#select.value = String(chosen)
  }
}
