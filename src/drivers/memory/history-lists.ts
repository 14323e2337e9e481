/** Where a history in memory has its trades: the lists that questions are asked of, oldest first. */

import type { PublicTrade } from '../../core/exchange/view.ts'
import type { TradeRecord } from '../../engine/ports.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'

export type AccountLists = { readonly all: TradeRecord[]; readonly bySymbol: Map<SymbolId, TradeRecord[]> }
export type PublicEntry = { readonly seq: Seq; readonly trade: PublicTrade }

export class MemoryLists {
  readonly listsByAccount = new Map<AccountId, AccountLists>()
  readonly tradesBySymbol = new Map<SymbolId, PublicEntry[]>()

  /** The list of an account, or the part of it in a symbol; made where there is none. */
  of(accountId: AccountId, symbolId?: SymbolId): TradeRecord[] {
    const lists = entry(this.listsByAccount, accountId, () => ({ all: [], bySymbol: new Map() }))
    return symbolId === undefined ? lists.all : entry(lists.bySymbol, symbolId, () => [])
  }

  /** The public list of a symbol; made where there is none. */
  ofSymbol(symbolId: SymbolId): PublicEntry[] {
    return entry(this.tradesBySymbol, symbolId, () => [])
  }

  clear(): void {
    this.listsByAccount.clear()
    this.tradesBySymbol.clear()
  }
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key)
  if (found !== undefined) return found
  const created = create()
  map.set(key, created)
  return created
}
