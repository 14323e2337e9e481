/** The history of a synthetic market; the test decides when it answers. */

import { MemoryHistory } from '../../sim/memory/history.ts'
import type { EventBatch } from '../../src/core/events/event.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import { historyTrade } from '../../src/engine/history/history-projection.ts'
import type { CandlePage, CandleQuery } from '../../src/engine/port/ports.ts'
import { NO_AMOUNT } from '../../src/units/quantities.ts'

/** No account has any money here: candles are computed from trades alone. */
const spot = () => NO_AMOUNT

export class SyntheticHistory {
  readonly #store = new MemoryHistory()
  readonly #symbols: readonly TradingSymbol[]
  /** Unanswered questions, each as the function that answers it. */
  readonly #answers: (() => void)[] = []
  /** Questions wait for `release`. */
  isHeld = false
  /** Number of questions so far. */
  asked = 0
  /** The fault of the next question. */
  nextFault: Error | undefined

  constructor(symbols: readonly TradingSymbol[]) {
    this.#symbols = symbols
  }

  /** Number of queries that wait for `release`. */
  get held(): number {
    return this.#answers.length
  }

  /** Processes a batch, perhaps before the market does. */
  apply({ events, seq }: EventBatch): void {
    const trades = events.flatMap((event) => {
      const symbol = this.#symbols.find(({ id }) => 'symbolId' in event && event.symbolId === id)
      return event.kind === 'OrdersMatched' && symbol !== undefined
        ? [historyTrade(event, symbol, { seq, spot })]
        : []
    })
    void this.#store.append(trades, { seq, hash: new Uint8Array(32) })
  }

  async candles(query: CandleQuery): Promise<CandlePage> {
    this.asked++
    if (this.isHeld) await new Promise<void>((resolve) => this.#answers.push(resolve))
    const fault = this.nextFault
    this.nextFault = undefined
    if (fault !== undefined) throw fault
    return this.#store.candles(query)
  }

  /** Answers the waiting questions; resolves when their callers have the answers. */
  async release(): Promise<void> {
    for (const answer of this.#answers.splice(0)) answer()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
