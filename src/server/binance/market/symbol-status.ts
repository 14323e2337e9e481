/** The state of a symbol in the words of this wire. */
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { RegistryView } from '../../../views/registry.ts'
import type { WIRE_STATUSES } from '../endpoints/market-rows.ts'

export type WireStatus = (typeof WIRE_STATUSES)[number]

/** `BREAK`: orders may be canceled but not placed. `HALT`: trading in the symbol is halted. */
export function statusOf(
  { state, base, quote }: Pick<TradingSymbol, 'state' | 'base' | 'quote'>,
  registry: RegistryView,
): WireStatus {
  if (state === 'HALTED') return 'HALT'
  const areOpen = [base, quote].every((asset) => registry.asset(asset)?.isTrade === true)
  const isOpen = areOpen && registry.phases.current.phase === 'TRADING'
  return state === 'TRADING' && isOpen ? 'TRADING' : 'BREAK'
}
