/**
 * Book levels that a command changes, each once, to be published at the end of the command. At most a few
 * hundred.
 */
import type { Side } from '../../units/order-enums.ts'
import type { Price } from '../../units/quantities.ts'
import { type EventSink, NO_EVENTS } from '../events/event.ts'
import type { Market } from '../exchange/market.ts'
import { emitLevel } from './order-events.ts'

export class ChangedLevels {
  readonly #levels: { readonly market: Market; readonly side: Side; readonly price: Price }[] = []

  add(market: Market, side: Side, price: Price): void {
    const isKnown = this.#levels.some(
      (one) => one.market === market && one.side === side && one.price === price,
    )
    if (!isKnown) this.#levels.push({ market, side, price })
  }

  /**
   * Returns a sink that collects the levels changed in `market` by other orders of an order's list, and
   * passes all other events on.
   */
  collectedFrom(emit: EventSink, market: Market): EventSink {
    if (emit === NO_EVENTS) return emit
    return (event) => {
      if (event.kind === 'LevelChanged') this.add(market, event.side, event.price)
      else emit(event)
    }
  }

  publish(emit: EventSink): void {
    for (const { market, side, price } of this.#levels) emitLevel(emit, market, side, price)
  }
}
