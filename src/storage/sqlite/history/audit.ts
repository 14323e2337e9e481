/**
 * Compares history.sqlite with a replay: trades with all of their lists, candles, operators' actions, and the
 * file itself.
 */
import type { ActionComparison } from '../../../engine/audit/actions.ts'
import type { CandleComparison } from '../../../engine/audit/candles.ts'
import type { EventComparison } from '../../../engine/audit/events.ts'
import {
  differingFields,
  type HistoryAudit,
  type HistoryNames,
  nameOfOrder,
  nameOfRecord,
  nameOfTrade,
  nameOfTransfer,
  orderFields,
  type PositionRecords,
  partyFields,
  publicFields,
} from '../../../engine/audit/history.ts'
import type { PositionComparison } from '../../../engine/audit/positions.ts'
import type { HistoryTrade } from '../../../engine/history/history.ts'
import type { NumberedEvent } from '../../../engine/history/numbered-events.ts'
import type { EndedOrder, HistoryOrder } from '../../../engine/history/order-history.ts'
import type { UpdateBlock } from '../../../engine/history/update-codec.ts'
import type { OperatorAction } from '../../../engine/port/ports.ts'
import type { HistoryTransfer } from '../../../engine/port/transfer.ts'
import type { AccountId, SymbolId } from '../../../units/ids.ts'
import type { EndComparison } from './ended/comparison.ts'
import type { ComparedWords, ListsComparison, ReportDifference } from './lists/comparison.ts'
import type { ListKey } from './lists/record.ts'
import { LIST_OF_MAKER, LIST_OF_TAKER, symbolOf } from './trades.ts'
import type { UpdateComparison } from './update-comparison.ts'

export type SqliteHistoryAuditParts = {
  readonly trades: ListsComparison<HistoryTrade>
  readonly transfers: ListsComparison<HistoryTransfer>
  readonly orders: ListsComparison<HistoryOrder>
  readonly ends: EndComparison
  readonly updates: UpdateComparison
  readonly positions: PositionComparison
  readonly candles: CandleComparison
  /** The last trade included in stored candles. */
  readonly endsTo: number
  readonly actions: ActionComparison
  readonly events: EventComparison
  readonly report: ReportDifference
  /** Damage of the file itself; empty if there is none. */
  readonly fileProblems: () => readonly string[]
}

export class SqliteHistoryAudit implements HistoryAudit {
  readonly #parts: SqliteHistoryAuditParts

  constructor(parts: SqliteHistoryAuditParts) {
    this.#parts = parts
  }

  compare(trade: HistoryTrade): void {
    this.#parts.trades.compare(trade)
    if (trade.trade.tradeNumber <= this.#parts.endsTo) this.#parts.candles.compare(trade)
  }

  compareTransfer(transfer: HistoryTransfer): void {
    this.#parts.transfers.compare(transfer)
  }

  comparePositions(records: PositionRecords): void {
    this.#parts.positions.compare(records)
  }

  compareOrder(order: HistoryOrder): void {
    this.#parts.orders.compare(order)
  }

  compareEnd(end: EndedOrder): void {
    this.#parts.ends.compare(end)
  }

  compareUpdates(block: UpdateBlock): void {
    this.#parts.updates.compare(block)
  }

  compareAction(action: OperatorAction): void {
    this.#parts.actions.compare(action)
  }

  compareEvent(event: NumberedEvent): void {
    this.#parts.events.compare(event)
  }

  finish(): void {
    const { trades, transfers, orders, ends, updates, positions, candles } = this.#parts
    const { actions, events, report, fileProblems } = this.#parts
    actions.finish()
    events.finish()
    trades.finish()
    transfers.finish()
    orders.finish()
    ends.finish()
    updates.finish()
    positions.finish()
    candles.finish()
    for (const problem of fileProblems()) report({ kind: 'DAMAGED', sentence: `its file: ${problem}` })
  }
}

/** The names of trades and their lists in findings, and the comparison of two trades. */
export function wordsOfTrades(names: HistoryNames): ComparedWords<HistoryTrade> {
  return {
    nameOf: (trade) => nameOfTrade(trade, names),
    nameOfList: (list) => nameOfList(list, names),
    nameOfOwner: (owner) => (owner < 0 ? `symbol ${symbolOf(owner)}` : `account ${owner}`),
    differences: (expected, found, places) => {
      const numberIn = (index: number): number => places[index]?.inAll.n ?? 0
      const maker = nameOfRecord(expected.maker, numberIn(LIST_OF_MAKER), names)
      const taker = nameOfRecord(expected.taker, numberIn(LIST_OF_TAKER), names)
      return [
        ...differingFields(nameOfTrade(expected, names), publicFields(expected), publicFields(found)),
        ...differingFields(maker, partyFields(expected.maker), partyFields(found.maker)),
        ...differingFields(taker, partyFields(expected.taker), partyFields(found.taker)),
      ]
    },
  }
}

/** The names of transfers and their lists in findings, and the comparison of two transfers. */
export function wordsOfTransfers(names: HistoryNames): ComparedWords<HistoryTransfer> {
  return {
    nameOf: (transfer) => nameOfTransfer(transfer, names),
    nameOfList: wordedList('transfers', names, (asset) => `asset ${asset}`),
    nameOfOwner: (owner) => `account ${owner}`,
    differences: (expected, found) => differingFields(nameOfTransfer(expected, names), expected, found),
  }
}

/** The names of orders and their lists in findings, and the comparison of two orders. */
export function wordsOfOrders(names: HistoryNames): ComparedWords<HistoryOrder> {
  return {
    nameOf: (order) => nameOfOrder(order, names),
    nameOfList: wordedList('orders', names, (symbol) => names.symbolName(symbol as SymbolId)),
    nameOfOwner: (owner) => `account ${owner}`,
    differences: (expected, found) =>
      differingFields(nameOfOrder(expected, names), orderFields(expected), orderFields(found)),
  }
}

function wordedList(what: string, names: HistoryNames, nameOfPart: (part: number) => string) {
  return ({ owner, part }: ListKey): string => {
    const list = `the ${what} of ${names.account(owner as AccountId)}`
    return part === undefined ? list : `${list} in ${nameOfPart(part)}`
  }
}

function nameOfList({ owner, part }: ListKey, names: HistoryNames): string {
  if (owner < 0) return `the trade list of ${names.symbolName(symbolOf(owner))}`
  const account = names.account(owner as AccountId)
  if (part === undefined) return `the trade list of ${account}`
  return `the trade list of ${account} in ${names.symbolName(part as SymbolId)}`
}
