/** Levels of books that a command changes, each once, to be published at its end. At most some hundreds of them. */
import type { Side } from '../../../units/order-words.ts'
import type { Price } from '../../../units/quantities.ts'
import type { EventSink } from '../event.ts'
import type { Market } from '../market.ts'
import { emitLevel } from './execution.ts'

export class ChangedLevels {
  readonly #levels: { readonly market: Market; readonly side: Side; readonly price: Price }[] = []

  add(market: Market, side: Side, price: Price): void {
    const isKnown = this.#levels.some(
      (one) => one.market === market && one.side === side && one.price === price,
    )
    if (!isKnown) this.#levels.push({ market, side, price })
  }

  publish(emit: EventSink): void {
    for (const { market, side, price } of this.#levels) emitLevel(emit, market, side, price)
  }
}
