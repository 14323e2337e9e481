/**
 * The lists of trades and candles of a history in memory, from which questions are answered, oldest first.
 */

import type { PublicTrade } from '../../src/core/questions/view.ts'
import { CANDLE_WIDTHS, type CandleWidth } from '../../src/engine/history/candles/base-widths.ts'
import type { HistoryTrade } from '../../src/engine/history/history.ts'
import type { LedgerFill } from '../../src/engine/history/ledger-pages.ts'
import type { EndedOrder, HistoryOrder } from '../../src/engine/history/order-history.ts'
import type { StoredUpdate } from '../../src/engine/history/update-codec.ts'
import type { TradeRecord } from '../../src/engine/port/ports.ts'
import type { HistoryTransfer } from '../../src/engine/port/transfer.ts'
import { type Candle, joined } from '../../src/units/candle.ts'
import { windowStart } from '../../src/units/candle-intervals.ts'
import type { AccountId, OrderNumber, SymbolId, TradeNumber } from '../../src/units/ids.ts'
import type { Seq } from '../../src/units/quantities.ts'

export type AccountLists = { readonly all: TradeRecord[]; readonly bySymbol: Map<SymbolId, TradeRecord[]> }
export type PublicEntry = { readonly seq: Seq; readonly trade: PublicTrade }

export class MemoryLists {
  readonly listsByAccount = new Map<AccountId, AccountLists>()
  readonly tradesBySymbol = new Map<SymbolId, PublicEntry[]>()
  /** The trades that close aggregates. */
  readonly aggregatesBySymbol = new Map<SymbolId, HistoryTrade[]>()
  readonly #ledgerFillsByAccount = new Map<AccountId, LedgerFill[]>()
  /** Transfers of all accounts. */
  transfers: HistoryTransfer[] = []
  orders: HistoryOrder[] = []
  updates: StoredUpdate[] = []
  readonly tradeByNumber = new Map<TradeNumber, HistoryTrade>()
  readonly endByOrder = new Map<OrderNumber, EndedOrder>()
  readonly candlesBySymbol = new Map<SymbolId, Map<CandleWidth, Candle[]>>()

  /** The list of an account, or its part in one symbol; created if it does not exist. */
  of(accountId: AccountId, symbolId?: SymbolId): TradeRecord[] {
    const lists = entry(this.listsByAccount, accountId, () => ({ all: [], bySymbol: new Map() }))
    return symbolId === undefined ? lists.all : entry(lists.bySymbol, symbolId, () => [])
  }

  /** An account's sides of trades, each with its ledger data; created if they do not exist. */
  ledgerFills(accountId: AccountId): LedgerFill[] {
    return entry(this.#ledgerFillsByAccount, accountId, () => [])
  }

  /** The public list of a symbol; created if it does not exist. */
  ofSymbol(symbolId: SymbolId): PublicEntry[] {
    return entry(this.tradesBySymbol, symbolId, () => [])
  }

  /** The aggregates of a symbol; created if they do not exist. */
  aggregates(symbolId: SymbolId): HistoryTrade[] {
    return entry(this.aggregatesBySymbol, symbolId, () => [])
  }

  /** The candles of a symbol; created if they do not exist. */
  candles(symbolId: SymbolId, width: CandleWidth): Candle[] {
    const byWidth = entry(this.candlesBySymbol, symbolId, () => new Map<CandleWidth, Candle[]>())
    return entry(byWidth, width, () => [])
  }

  /** Adds trades of one second to the candles of every width. */
  addSecond(symbolId: SymbolId, second: Candle): void {
    for (const width of CANDLE_WIDTHS) {
      const candles = this.candles(symbolId, width)
      const start = windowStart(width, second.start)
      const newest = candles.at(-1)
      if (newest?.start === start) candles[candles.length - 1] = joined(newest, second)
      else candles.push({ ...second, start })
    }
  }

  clear(): void {
    this.listsByAccount.clear()
    this.tradesBySymbol.clear()
    this.aggregatesBySymbol.clear()
    this.#ledgerFillsByAccount.clear()
    this.transfers = []
    this.orders = []
    this.updates = []
    this.tradeByNumber.clear()
    this.endByOrder.clear()
    this.candlesBySymbol.clear()
  }
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key)
  if (found !== undefined) return found
  const created = create()
  map.set(key, created)
  return created
}
