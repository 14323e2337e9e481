/** Counts what happens in the market, from the events that reach the read models anyway. */
import { CANCEL_CAUSES, type CancelCause, type EventBatch } from '../../core/exchange/event.ts'
import type { SymbolId } from '../../units/ids.ts'

/** What happened in one symbol since the process started. */
export type SymbolCounts = { ordersPlaced: number; trades: number }

export class MarketMeter {
  readonly #countsBySymbol = new Map<SymbolId, SymbolCounts>()
  readonly #canceled = new Map<CancelCause, number>(CANCEL_CAUSES.map((cause) => [cause, 0]))

  count({ events }: EventBatch): void {
    for (const event of events) {
      switch (event.kind) {
        case 'OrderPlaced':
          this.of(event.symbolId).ordersPlaced++
          break
        case 'OrdersMatched':
          this.of(event.symbolId).trades++
          break
        case 'OrderCanceled':
          this.#canceled.set(event.cause, (this.#canceled.get(event.cause) ?? 0) + 1)
          break
        default:
      }
    }
  }

  of(symbolId: SymbolId): SymbolCounts {
    let counts = this.#countsBySymbol.get(symbolId)
    if (counts === undefined) {
      counts = { ordersPlaced: 0, trades: 0 }
      this.#countsBySymbol.set(symbolId, counts)
    }
    return counts
  }

  get canceled(): ReadonlyMap<CancelCause, number> {
    return this.#canceled
  }
}
