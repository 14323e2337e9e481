/** What trading works with once the exchange runs. */
import type { FeeTier } from '../../core/registry/records.ts'
import type { EnginePort, HistoryPort } from '../../engine/port/ports.ts'
import type { MarketData } from '../../views/market-data.ts'

export type Services = {
  readonly engine: EnginePort
  readonly history: HistoryPort
  readonly market: MarketData
  /** The name of the journal, which a restore changes. */
  readonly journal: string
  /** What operators have set, kept up to date as the market is. */
  readonly feeTierByName: ReadonlyMap<string, FeeTier>
}
