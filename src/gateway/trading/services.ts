/** What trading works with once the exchange runs. */
import type { EnginePort, HistoryPort } from '../../engine/ports.ts'
import type { MarketData } from '../../views/market-data.ts'

export type Services = {
  readonly engine: EnginePort
  readonly history: HistoryPort
  readonly market: MarketData
}
