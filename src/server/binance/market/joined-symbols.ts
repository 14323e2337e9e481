/**
 * Symbols by their name on this wire: `BTC/USDT` is `BTCUSDT`, or the name given in its listing. Under rules
 * before `BINANCE_NAME_RULES` two symbols may have the same name (`A/BC` and `AB/C`): neither is found by it,
 * since an order must never go to a market other than the one its sender means.
 */
import { binanceNameOf } from '../../../core/registry/binance-name.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { RegistryView } from '../../../views/registry.ts'

export class JoinedSymbols {
  readonly #registry: RegistryView
  #changes = -1
  #symbolByName: ReadonlyMap<string, TradingSymbol> = new Map()

  constructor(registry: RegistryView) {
    this.#registry = registry
  }

  /** Undefined if there is none, it is delisted, or two symbols have this name. */
  get(name: string): TradingSymbol | undefined {
    return this.#current().get(name)
  }

  /** In the order of listing. */
  all(): readonly TradingSymbol[] {
    return [...this.#current().values()]
  }

  get registry(): RegistryView {
    return this.#registry
  }

  #current(): ReadonlyMap<string, TradingSymbol> {
    const { symbolChanges } = this.#registry
    if (symbolChanges !== this.#changes) {
      this.#symbolByName = byName(this.#registry.symbols())
      this.#changes = symbolChanges
    }
    return this.#symbolByName
  }
}

function byName(symbols: readonly TradingSymbol[]): ReadonlyMap<string, TradingSymbol> {
  const found = new Map<string, TradingSymbol>()
  const taken = new Set<string>()
  for (const symbol of symbols) {
    if (symbol.state === 'DELISTED') continue
    const name = binanceNameOf(symbol)
    if (taken.has(name)) found.delete(name)
    else found.set(name, symbol)
    taken.add(name)
  }
  return found
}
