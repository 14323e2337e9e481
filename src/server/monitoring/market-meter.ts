/** Counts market activity, from the events that the read models receive anyway. */
import { CANCEL_CAUSES, type CancelCause, type EventBatch } from '../../core/events/event.ts'
import { amountSum, negated } from '../../core/ledger/money.ts'
import type { AssetId, SymbolId } from '../../units/ids.ts'
import { type Amount, NO_AMOUNT } from '../../units/quantities.ts'

/** Counters of one symbol since the process started. */
export type SymbolCounts = { ordersPlaced: number; trades: number }

/** Deposits and withdrawals since the process started, in ledger units. */
export type TransferCounts = { count: number; amount: Amount }
export type AssetTransfers = { readonly in: TransferCounts; readonly out: TransferCounts }

export class MarketMeter {
  readonly #transfersByAsset = new Map<AssetId, AssetTransfers>()
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
        // Every transfer has exactly one such event, when it takes effect: for an approved credit, the event
        // of the approval.
        case 'ExternalTransfer':
          this.#transferred(event.assetId, event.amount)
          break
        default:
      }
    }
  }

  /** Matches in all symbols. */
  get trades(): number {
    return [...this.#countsBySymbol.values()].reduce((sum, { trades }) => sum + trades, 0)
  }

  /** Orders accepted in all symbols. */
  get ordersPlaced(): number {
    return [...this.#countsBySymbol.values()].reduce((sum, { ordersPlaced }) => sum + ordersPlaced, 0)
  }

  of(symbolId: SymbolId): SymbolCounts {
    let counts = this.#countsBySymbol.get(symbolId)
    if (counts === undefined) {
      counts = { ordersPlaced: 0, trades: 0 }
      this.#countsBySymbol.set(symbolId, counts)
    }
    return counts
  }

  transfersOf(assetId: AssetId): AssetTransfers {
    let transfers = this.#transfersByAsset.get(assetId)
    if (transfers === undefined) {
      transfers = { in: { count: 0, amount: NO_AMOUNT }, out: { count: 0, amount: NO_AMOUNT } }
      this.#transfersByAsset.set(assetId, transfers)
    }
    return transfers
  }

  #transferred(assetId: AssetId, amount: Amount): void {
    const counts = this.transfersOf(assetId)[amount > 0 ? 'in' : 'out']
    counts.count++
    counts.amount = amountSum(counts.amount, amount > 0 ? amount : negated(amount))
  }

  get canceled(): ReadonlyMap<CancelCause, number> {
    return this.#canceled
  }
}
