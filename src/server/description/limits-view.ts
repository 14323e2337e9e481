/** What the words of a refusal are made from, beside the command. */
import type { Approval } from '../../core/exchange/view.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { Price, TimeMs } from '../../units/quantities.ts'
import type { RegistryView } from '../../views/registry.ts'

/** What limits and the names of their units are read from. */
export type LimitsView = {
  readonly registry: Pick<RegistryView, 'symbol' | 'assetByCode' | 'asset' | 'account'>
  /** What waits for a second person, by reference; traders' commands never ask. */
  readonly approvalByReference?: ReadonlyMap<string, Approval>
  /** The server's; operators' commands never ask. */
  readonly time?: TimeMs
  /** Of a symbol's last trade, where there was one; operators' commands never ask. */
  readonly lastPrice?: (symbol: TradingSymbol) => Price | undefined
}
