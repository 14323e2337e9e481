/**
 * History against the ledger, in words of trades and of operators' actions: a replay gives in order what must stand in
 * history, and whoever stores history says where it differs. How a store lays its lists out is the store's own affair, and
 * comparing all of that is too.
 */
import type { AccountId, SymbolId } from '../../units/ids.ts'
import type { HistoryRecords, HistoryTrade, PartyRecord } from '../history/history.ts'
import type { NumberedEvent } from '../history/numbered-events.ts'
import type { EndedOrder, OrderEnd, OrderRecord } from '../history/order-history.ts'
import type { UpdateBlock } from '../history/update-codec.ts'
import type { Mark } from '../port/journal.ts'
import type { OperatorAction } from '../port/ports.ts'
import type { HistoryTransfer } from '../port/transfer.ts'

export type HistoryDifferenceKind =
  /** History lacks what the journal caused. */
  | 'MISSING'
  /** A record has another value. */
  | 'CHANGED'
  /** History has what the journal did not cause, or has it once more. */
  | 'EXTRA'
  /** A record stands in another list or place, or what leads to its place leads elsewhere. */
  | 'MISPLACED'
  /** What is stored cannot be read, or not be believed. */
  | 'DAMAGED'

export type HistoryDifference = {
  readonly kind: HistoryDifferenceKind
  /** What differs, where, what was found and what was expected. */
  readonly sentence: string
}

/** What accounts and symbols are called; learnt from the replay while it goes on. */
export interface HistoryNames {
  account(id: AccountId): string
  symbolName(id: SymbolId): string
}

/** What positions are made of. */
export type PositionRecords = Pick<HistoryRecords, 'listings' | 'trades' | 'transfers'>

/** Everything throws `HistoryFault` when nothing more can be read. */
export interface HistoryAudit {
  /** The replay has caused this trade, the next one, at or before history's position. */
  compare(trade: HistoryTrade): void

  /** The replay has caused this transfer, the next one, at or before history's position. */
  compareTransfer(transfer: HistoryTransfer): void

  /** The replay has listed these symbols and caused these trades and transfers, the next ones, at or before history's position. */
  comparePositions(records: PositionRecords): void

  /** The replay has caused this order, the next one, at or before history's position. */
  compareOrder(order: OrderRecord): void

  /** The replay has ended this order, which was compared before. */
  compareEnd(end: EndedOrder): void

  /** The replay has changed this for accounts, with the next commands, at or before history's position. */
  compareUpdates(block: UpdateBlock): void

  /** The replay has carried out this operator's command, the next one, at or before history's position. */
  compareAction(action: OperatorAction): void

  /** The replay has caused this fact of the numbered feed, the next one, at or before history's position. */
  compareEvent(event: NumberedEvent): void

  /** The replay has caused all that history may have. */
  finish(): void
}

/** Stored history as an auditor reads it: as it was at one moment. */
export interface AuditedHistory {
  /** The end of the last batch whose trades are here. */
  readonly position: Mark

  /** Begins a comparison with a replay from the first command; differences are reported as they are found. */
  audit(names: HistoryNames, report: (difference: HistoryDifference) => void): HistoryAudit

  close(): void
}

/** What a trade is called in a difference. */
export function nameOfTrade({ seq, symbolId, trade }: HistoryTrade, names: HistoryNames): string {
  return `trade ${trade.tradeNumber} of ${names.symbolName(symbolId)} (command ${seq})`
}

/** What a party's side of a trade is called in a difference: record `n` of its account. */
export function nameOfRecord({ accountId, record }: PartyRecord, n: number, names: HistoryNames): string {
  return `record ${n} of ${names.account(accountId)} (trade ${record.tradeNumber})`
}

/** What a trade says in public. */
export function publicFields({ seq, symbolId, trade }: HistoryTrade) {
  return { seq, symbolId, ...trade }
}

/** What a party's side of a trade says beside that. */
export function partyFields({ accountId, record, after }: PartyRecord) {
  const { side, orderNumber, orderTime, total, commission, commissionAssetId } = record
  const balances = { baseAfter: after.base, quoteAfter: after.quote }
  return { accountId, side, orderNumber, orderTime, total, commission, commissionAssetId, ...balances }
}

/** What a transfer is called in a difference. */
export function nameOfTransfer({ seq, accountId }: HistoryTransfer, names: HistoryNames): string {
  return `transfer of ${names.account(accountId)} (command ${seq})`
}

/** What an order is called in a difference. */
export function nameOfOrder({ seq, orderNumber, accountId }: OrderRecord, names: HistoryNames): string {
  return `order ${orderNumber} of ${names.account(accountId)} (command ${seq})`
}

/** The same of the end of an order. */
export function nameOfEnd({ seq, orderNumber }: EndedOrder): string {
  return `the end of order ${orderNumber} (command ${seq})`
}

/** What an order says, its end included. */
export function orderFields({ endedAtOnce, ...order }: OrderRecord) {
  const end: Partial<OrderEnd> = endedAtOnce ?? {}
  const { cause, executedQuantity, executedNotional, commission, preventedQuantity, amendedQuantity } = end
  const done = { executedQuantity, executedNotional, commission, preventedQuantity, amendedQuantity }
  return { ...order, isEnded: endedAtOnce !== undefined, cause, ...done }
}

/** A sentence for each field of `expected` that `found` has other. */
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
