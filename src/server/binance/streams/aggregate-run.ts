/**
 * Aggregate trades of a symbol as they happen, numbered from the last one in history on. Trades that arrive
 * while history is being read wait for their numbers.
 */
import type { OrdersMatched } from '../../../core/events/event.ts'
import type { AggregateTrade } from '../../../engine/port/history-questions.ts'
import { lots } from '../../../units/quantities.ts'

type Unnumbered = Omit<AggregateTrade, 'number'>

export class AggregateRun {
  /** The number of the last aggregate; undefined if it is not known yet. */
  #last: number | undefined
  #waiting: Unnumbered[] = []

  /**
   * Takes the number of history's last aggregate up to the command at which the run began; returns the
   * aggregates that have waited since then.
   */
  begin(last: number): readonly AggregateTrade[] {
    this.#last = last
    return this.#numbered(this.#waiting.splice(0))
  }

  /**
   * Takes the trades of the symbol in one batch, in order; returns the aggregates that have a number by now.
   */
  take(trades: readonly OrdersMatched[]): readonly AggregateTrade[] {
    const found = aggregatesOf(trades)
    if (this.#last !== undefined) return this.#numbered(found)
    this.#waiting.push(...found)
    return []
  }

  get hasBegun(): boolean {
    return this.#last !== undefined
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Drops the waiting aggregates: the run starts again, after a later command. */
  forget(): void {
    this.#waiting = []
  }

  #numbered(found: readonly Unnumbered[]): readonly AggregateTrade[] {
    let last = this.#last ?? 0
    const numbered = found.map((each) => ({ ...each, number: ++last }))
    this.#last = last
    return numbered
  }
}

/** A command is never split between batches, and all trades of an incoming order belong to one command. */
function aggregatesOf(trades: readonly OrdersMatched[]): readonly Unnumbered[] {
  const found: Unnumbered[] = []
  let before: OrdersMatched | undefined
  for (const trade of trades) {
    const { symbolTrade, price, quantity, time, takerSide, taker } = trade
    // A trade under a rules version in which trades have no numbers.
    if (symbolTrade === 0) continue
    const last = found.at(-1)
    const isSame = before?.taker.orderNumber === taker.orderNumber && before.price === price
    if (isSame && last !== undefined)
      found[found.length - 1] = {
        ...last,
        lastTrade: symbolTrade,
        quantity: lots(last.quantity + quantity),
      }
    else found.push({ firstTrade: symbolTrade, lastTrade: symbolTrade, price, quantity, time, takerSide })
    before = trade
  }
  return found
}
