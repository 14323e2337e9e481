/** The trading services once the exchange runs. */
import type { FeeTier } from '../../core/registry/records.ts'
import type { HistoryPort } from '../../engine/port/history-questions.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import type { MarketData } from '../../views/market-data.ts'

export type Services = {
  readonly engine: EnginePort
  readonly history: HistoryPort
  readonly market: MarketData
  /** The name of the journal, which a restore changes. */
  readonly journal: string
  /** Settings of operators, kept up to date like the market. */
  readonly feeTierByName: ReadonlyMap<string, FeeTier>
}
