/**
 * Compares history with the ledger, trade by trade and action by action: a replay produces in order what
 * history must contain, and the store reports differences. How a store lays out its lists, and the comparison
 * of that layout, is up to the store.
 */
import type { AccountId, SymbolId } from '../../units/ids.ts'
import type { HistoryRecords, HistoryTrade, PartyRecord } from '../history/history.ts'
import type { NumberedEvent } from '../history/numbered-events.ts'
import type { EndedOrder, HistoryOrder, OrderEnd } from '../history/order-history.ts'
import type { UpdateBlock } from '../history/update-codec.ts'
import type { Mark } from '../port/journal.ts'
import type { OperatorAction } from '../port/ports.ts'
import type { HistoryTransfer } from '../port/transfer.ts'

export type HistoryDifferenceKind =
  /** An effect of the journal is missing in history. */
  | 'MISSING'
  /** A record has another value. */
  | 'CHANGED'
  /** History has a record without a cause in the journal, or a duplicate. */
  | 'EXTRA'
  /** A record is in another list or place, or a reference to its place is wrong. */
  | 'MISPLACED'
  /** The stored data cannot be read or trusted. */
  | 'DAMAGED'

export type HistoryDifference = {
  readonly kind: HistoryDifferenceKind
  /** A difference: the place, the value found and the value expected. */
  readonly sentence: string
}

/** Names of accounts and symbols, learned from the replay as it proceeds. */
export interface HistoryNames {
  account(id: AccountId): string
  symbolName(id: SymbolId): string
}

/** The data from which positions are computed. */
export type PositionRecords = Pick<HistoryRecords, 'listings' | 'trades' | 'transfers'>

/** Every method throws `HistoryFault` when nothing more can be read. */
export interface HistoryAudit {
  /** Compares the next trade, which the replay caused at or before history's position. */
  compare(trade: HistoryTrade): void

  /** Compares the next transfer, which the replay caused at or before history's position. */
  compareTransfer(transfer: HistoryTransfer): void

  /**
   * Compares the next listings, trades and transfers, which the replay caused at or before history's
   * position.
   */
  comparePositions(records: PositionRecords): void

  /** Compares the next order, which the replay placed at or before history's position. */
  compareOrder(order: HistoryOrder): void

  /** Compares the end of an order that was compared before. */
  compareEnd(end: EndedOrder): void

  /** Compares the next changes of accounts, which the replay caused at or before history's position. */
  compareUpdates(block: UpdateBlock): void

  /** Compares the next operator's command, which the replay carried out at or before history's position. */
  compareAction(action: OperatorAction): void

  /** Compares the next fact of the numbered feed, which the replay caused at or before history's position. */
  compareEvent(event: NumberedEvent): void

  /** Ends the comparison: every further record in history is a difference. */
  finish(): void
}

/** Stored history as an auditor reads it: as it was at one point in time. */
export interface AuditedHistory {
  /** The end of the last batch whose trades are in history. */
  readonly position: Mark

  /** Begins a comparison with a replay from the first command; differences are reported as they are found. */
  audit(names: HistoryNames, report: (difference: HistoryDifference) => void): HistoryAudit

  close(): void
}

/** The name of a trade in a difference. */
export function nameOfTrade({ seq, symbolId, trade }: HistoryTrade, names: HistoryNames): string {
  return `trade ${trade.tradeNumber} of ${names.symbolName(symbolId)} (command ${seq})`
}

/** The name of a side of a trade in a difference: record `n` of its account. */
export function nameOfRecord({ accountId, record }: PartyRecord, n: number, names: HistoryNames): string {
  return `record ${n} of ${names.account(accountId)} (trade ${record.tradeNumber})`
}

/** The public fields of a trade. */
export function publicFields({ seq, symbolId, trade, aggregate }: HistoryTrade) {
  return {
    seq,
    symbolId,
    ...trade,
    aggregateTrades: aggregate?.trades,
    aggregateQuantity: aggregate?.quantity,
  }
}

/** The additional fields of a side of a trade. */
export function partyFields({ accountId, record, after }: PartyRecord) {
  const { side, orderNumber, orderTime, total, commission, commissionAssetId } = record
  const balances = { baseAfter: after.base, quoteAfter: after.quote }
  return { accountId, side, orderNumber, orderTime, total, commission, commissionAssetId, ...balances }
}

/** The name of a transfer in a difference. */
export function nameOfTransfer({ seq, accountId }: HistoryTransfer, names: HistoryNames): string {
  return `transfer of ${names.account(accountId)} (command ${seq})`
}

/** The name of an order in a difference. */
export function nameOfOrder({ seq, orderNumber, accountId }: HistoryOrder, names: HistoryNames): string {
  return `order ${orderNumber} of ${names.account(accountId)} (command ${seq})`
}

/** The name of the end of an order in a difference. */
export function nameOfEnd({ seq, orderNumber }: EndedOrder): string {
  return `the end of order ${orderNumber} (command ${seq})`
}

/** The fields of an order, including its end. */
export function orderFields({ end, inList, ...order }: HistoryOrder) {
  const done: Partial<OrderEnd> = { ...end }
  const { cause, executedQuantity, executedNotional, commission, preventedQuantity } = done
  const { amendedQuantity, learnedTotal } = done
  const figures = { executedQuantity, executedNotional, commission, preventedQuantity }
  const ended = { isEnded: end !== undefined, cause, ...figures, amendedQuantity, learnedTotal }
  return { ...order, listNumber: inList?.listNumber, listRole: inList?.role, ...ended }
}

/** A sentence for each field of `expected` that differs in `found`. */
export function differingFields<Value extends object>(
  what: string,
  expected: Value,
  found: Value,
): HistoryDifference[] {
  const differences: HistoryDifference[] = []
  for (const key of Object.keys(expected) as (keyof Value & string)[]) {
    if (expected[key] === found[key]) continue
    const sentence = `${what}: ${key} is ${String(found[key])}, the ledger has ${String(expected[key])}`
    differences.push({ kind: key === 'accountId' ? 'MISPLACED' : 'CHANGED', sentence })
  }
  return differences
}
