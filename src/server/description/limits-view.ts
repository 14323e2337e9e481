/** The data, besides the command, from which the text of a refusal is made. */
import type { Approval } from '../../core/questions/view.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { Price, TimeMs } from '../../units/quantities.ts'
import type { RegistryView } from '../../views/registry.ts'

/** The source of limits and the names of their units. */
export type LimitsView = {
  readonly registry: Pick<RegistryView, 'symbol' | 'assetByCode' | 'asset' | 'account'>
  /** Pending requests by reference; not needed for traders' commands. */
  readonly approvalByReference?: ReadonlyMap<string, Approval>
  /** The server's time; operators' commands never use it. */
  readonly time?: TimeMs
  /** The price of a symbol's last trade, if there was one; operators' commands never use it. */
  readonly lastPrice?: (symbol: TradingSymbol) => Price | undefined
}
