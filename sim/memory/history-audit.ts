/** Compares a history in memory with the results of a replay: each list, record by record. */
import { ActionComparison } from '../../src/engine/audit/actions.ts'
import { CandleComparison, type StoredCandles } from '../../src/engine/audit/candles.ts'
import { EventComparison } from '../../src/engine/audit/events.ts'
import {
  differingFields,
  type HistoryAudit,
  type HistoryDifference,
  type HistoryDifferenceKind,
  type HistoryNames,
  nameOfEnd,
  nameOfOrder,
  nameOfRecord,
  nameOfTrade,
  nameOfTransfer,
  orderFields,
  type PositionRecords,
} from '../../src/engine/audit/history.ts'
import { PositionComparison, type StoredPositions } from '../../src/engine/audit/positions.ts'
import type { HistoryTrade, PartyRecord } from '../../src/engine/history/history.ts'
import type { NumberedEvent } from '../../src/engine/history/numbered-events.ts'
import type { EndedOrder, HistoryOrder } from '../../src/engine/history/order-history.ts'
import { readUpdates, type UpdateBlock } from '../../src/engine/history/update-codec.ts'
import type { OperatorAction } from '../../src/engine/port/ports.ts'
import type { HistoryTransfer } from '../../src/engine/port/transfer.ts'
import type { AccountId, SymbolId, TradeNumber } from '../../src/units/ids.ts'
import type { MemoryLists, PublicEntry } from './history-lists.ts'

/** A list under comparison: of public trades or of an account's records. */
type List<Item> = { readonly name: string; readonly items: readonly Item[]; at: number }

export class MemoryHistoryAudit implements HistoryAudit {
  readonly #lists: MemoryLists
  readonly #names: HistoryNames
  readonly #report: (difference: HistoryDifference) => void
  readonly #actions: ActionComparison
  readonly #events: EventComparison
  /** Number of orders compared. */
  #orders = 0
  #ends = 0
  #updates = 0
  /** Transfers still to be compared. */
  #transfers: readonly HistoryTransfer[]
  readonly #candles: CandleComparison
  readonly #positions: PositionComparison
  readonly #listByItems = new Map<readonly unknown[], List<unknown>>()
  readonly #caused = new Map<TradeNumber, HistoryTrade>()
  /** A trade is in several lists: each kind of error in it is reported once. */
  readonly #reported = new Set<string>()

  constructor(
    lists: MemoryLists,
    actions: readonly OperatorAction[],
    events: readonly NumberedEvent[],
    positions: StoredPositions,
    names: HistoryNames,
    report: (difference: HistoryDifference) => void,
  ) {
    this.#lists = lists
    this.#names = names
    this.#report = report
    const after = (seq: number, limit: number) =>
      actions
        .filter((action) => action.seq > seq)
        .slice(0, limit)
        .map((value) => ({ seq: value.seq, row: { value } }))
    this.#actions = new ActionComparison(after, report)
    const eventsAfter = (number: number, limit: number) =>
      events
        .filter((event) => event.number > number)
        .slice(0, limit)
        .map((value) => ({ number: value.number, row: { value } }))
    this.#events = new EventComparison(eventsAfter, report)
    this.#transfers = lists.transfers
    this.#candles = new CandleComparison(candlesOf(lists), names, report)
    this.#positions = new PositionComparison(positions, names, report)
  }

  compare(trade: HistoryTrade): void {
    this.#candles.compare(trade)
    this.#caused.set(trade.trade.tradeNumber, trade)
    const missing = [
      this.#comparePublic(trade),
      ...this.#compareParty(trade, trade.maker),
      ...this.#compareParty(trade, trade.taker),
    ]
    const what = nameOfTrade(trade, this.#names)
    if (missing.every((list) => list !== undefined)) this.#add('MISSING', `${what} is missing`)
    else {
      for (const list of missing)
        if (list !== undefined) this.#add('MISPLACED', `${what} is missing in ${list}`)
    }
  }

  compareTransfer(transfer: HistoryTransfer): void {
    const what = nameOfTransfer(transfer, this.#names)
    const found = this.#transfers.find(({ seq }) => seq === transfer.seq)
    if (found === undefined) this.#add('MISSING', `${what} is missing`)
    else this.#tell(differingFields(what, transfer, found))
    this.#transfers = this.#transfers.filter(({ seq }) => seq > transfer.seq)
  }

  comparePositions(records: PositionRecords): void {
    this.#positions.compare(records)
  }

  compareOrder(order: HistoryOrder): void {
    const what = nameOfOrder(order, this.#names)
    const found = this.#lists.orders.find(({ orderNumber }) => orderNumber === order.orderNumber)
    if (found === undefined) this.#add('MISSING', `${what} is missing`)
    else this.#tell(differingFields(what, orderFields(order), orderFields(found)))
    this.#orders++
  }

  compareEnd(end: EndedOrder): void {
    const found = this.#lists.endByOrder.get(end.orderNumber)
    if (found === undefined) this.#add('MISSING', `${nameOfEnd(end)} is missing`)
    else this.#tell(differingFields(nameOfEnd(end), end, found))
    this.#ends++
  }

  compareUpdates({ data }: UpdateBlock): void {
    const all = (): boolean => true
    readUpdates(data, all, (expected) => {
      const found = this.#lists.updates[this.#updates++]
      if (Bun.deepEquals(found, expected)) return
      const kind = found === undefined ? 'MISSING' : 'CHANGED'
      this.#add(kind, `the update of account ${expected.accountId} (command ${expected.seq}) is not there`)
    })
  }

  compareAction(action: OperatorAction): void {
    this.#actions.compare(action)
  }

  compareEvent(event: NumberedEvent): void {
    this.#events.compare(event)
  }

  finish(): void {
    this.#actions.finish()
    this.#events.finish()
    this.#positions.finish()
    const { orders, endByOrder } = this.#lists
    if (orders.length > this.#orders || endByOrder.size > this.#ends) {
      this.#add('EXTRA', 'orders stand in history, or ends of orders, that the journal did not cause')
    }
    if (this.#lists.updates.length > this.#updates) {
      this.#add('EXTRA', 'updates of accounts stand in history that the journal did not cause')
    }
    for (const transfer of this.#transfers) {
      const what = nameOfTransfer(transfer, this.#names)
      this.#add('EXTRA', `${what} is in history, but the journal has no such transfer`)
    }
    this.#candles.finish()
    for (const [symbolId, items] of this.#lists.tradesBySymbol) {
      this.#extras(this.#publicList(symbolId, items), ({ seq, trade }) => this.#found(trade, symbolId, seq))
    }
    for (const [accountId, { all, bySymbol }] of this.#lists.listsByAccount) {
      for (const [symbolId, items] of [[undefined, all] as const, ...bySymbol]) {
        const list = this.#accountList(accountId, symbolId, items)
        this.#extras(list, (record) => this.#found(record, record.symbolId, undefined))
      }
    }
  }

  /** The name of the list if the trade is missing from it. */
  #comparePublic(trade: HistoryTrade): string | undefined {
    const { symbolId } = trade
    const list = this.#publicList(symbolId, this.#lists.tradesBySymbol.get(symbolId) ?? [])
    const found = this.#next(
      list,
      trade.trade.tradeNumber,
      (item) => item.trade.tradeNumber,
      (item) => this.#found(item.trade, symbolId, item.seq),
    )
    if (found === undefined) return list.name
    const expected = { seq: trade.seq, ...trade.trade }
    this.#tell(differingFields(nameOfTrade(trade, this.#names), expected, { ...found.trade, seq: found.seq }))
    return undefined
  }

  /** The names of the lists in which the party's record is missing. */
  #compareParty(trade: HistoryTrade, party: PartyRecord): (string | undefined)[] {
    const lists = this.#lists.listsByAccount.get(party.accountId)
    return [undefined, trade.symbolId].map((symbolId) => {
      const items = symbolId === undefined ? lists?.all : lists?.bySymbol.get(symbolId)
      const list = this.#accountList(party.accountId, symbolId, items ?? [])
      const found = this.#next(
        list,
        trade.trade.tradeNumber,
        (item) => item.tradeNumber,
        (item) => this.#found(item, item.symbolId, undefined),
      )
      if (found === undefined) return list.name
      const n = lists?.all.indexOf(found) ?? -1
      this.#tell(differingFields(nameOfRecord(party, n + 1, this.#names), party.record, found))
      return undefined
    })
  }

  /** The next item if it has this number. Items passed on the way to it are reported as unexpected. */
  #next<Item>(
    list: List<Item>,
    number: TradeNumber,
    numberOf: (item: Item) => TradeNumber,
    nameOf: (item: Item) => Found,
  ): Item | undefined {
    for (;;) {
      const item = list.items[list.at]
      if (item === undefined || numberOf(item) > number) return undefined
      list.at++
      if (numberOf(item) === number) return item
      this.#extra(list, nameOf(item))
    }
  }

  #extras<Item>(list: List<Item>, nameOf: (item: Item) => Found): void {
    for (let item = list.items[list.at]; item !== undefined; item = list.items[++list.at]) {
      this.#extra(list, nameOf(item))
    }
  }

  #extra(list: List<unknown>, { number, name }: Found): void {
    const caused = this.#caused.get(number)
    const what = caused === undefined ? name : nameOfTrade(caused, this.#names)
    if (caused === undefined) {
      this.#add('EXTRA', `${what} is in history, but the journal has no such trade`)
    } else if (this.#listsOf(caused).includes(list.name)) {
      this.#add('EXTRA', `${what} is in history a second time`)
    } else this.#add('MISPLACED', `${what} stands in ${list.name}, where it does not belong`)
  }

  #listsOf({ symbolId, maker, taker }: HistoryTrade): string[] {
    const parties = [maker, taker].flatMap(({ accountId }) => [
      this.#nameOfAccountList(accountId, undefined),
      this.#nameOfAccountList(accountId, symbolId),
    ])
    return [this.#nameOfPublicList(symbolId), ...parties]
  }

  #found({ tradeNumber }: { readonly tradeNumber: TradeNumber }, symbolId: SymbolId, seq?: number): Found {
    const command = seq ?? this.#commandOf(tradeNumber, symbolId)
    const at = command === undefined ? '' : ` (command ${command})`
    return { number: tradeNumber, name: `trade ${tradeNumber} of ${this.#names.symbolName(symbolId)}${at}` }
  }

  #commandOf(number: TradeNumber, symbolId: SymbolId): number | undefined {
    return this.#lists.tradesBySymbol.get(symbolId)?.find(({ trade }) => trade.tradeNumber === number)?.seq
  }

  #publicList(symbolId: SymbolId, items: readonly PublicEntry[]): List<PublicEntry> {
    return this.#list(this.#nameOfPublicList(symbolId), items)
  }

  #accountList(
    accountId: AccountId,
    symbolId: SymbolId | undefined,
    items: readonly PartyRecord['record'][],
  ): List<PartyRecord['record']> {
    return this.#list(this.#nameOfAccountList(accountId, symbolId), items)
  }

  #nameOfPublicList(symbolId: SymbolId): string {
    return `the trade list of ${this.#names.symbolName(symbolId)}`
  }

  #nameOfAccountList(accountId: AccountId, symbolId: SymbolId | undefined): string {
    const part = symbolId === undefined ? '' : ` in ${this.#names.symbolName(symbolId)}`
    return `the trade list of ${this.#names.account(accountId)}${part}`
  }

  #list<Item>(name: string, items: readonly Item[]): List<Item> {
    let list = this.#listByItems.get(items)
    if (list === undefined) {
      list = { name, items, at: 0 }
      this.#listByItems.set(items, list)
    }
    return list as List<Item>
  }

  #tell(differences: readonly HistoryDifference[]): void {
    for (const { kind, sentence } of differences) this.#add(kind, sentence)
  }

  #add(kind: HistoryDifferenceKind, sentence: string): void {
    if (this.#reported.has(sentence)) return
    this.#reported.add(sentence)
    this.#report({ kind, sentence })
  }
}

function candlesOf(lists: MemoryLists): StoredCandles {
  return {
    symbols: () => [...lists.candlesBySymbol.keys()],
    from: (symbolId, width, from, limit) => {
      const all = lists.candles(symbolId, width)
      return all
        .map((candle, i) => ({
          start: candle.start,
          row: { value: { candle, previous: all[i - 1]?.start } },
        }))
        .filter(({ start }) => start >= from)
        .slice(0, limit)
    },
  }
}

/** A trade found where it is not expected. */
type Found = { readonly number: TradeNumber; readonly name: string }
