/**
 * The content of history, and the interface of its store: one record per side of a trade, transfers,
 * operators' actions. All of it is a projection (`history-projection.ts`) that can be dropped at any time;
 * the journal reproduces it exactly.
 */
import type { PublicTrade } from '../../core/questions/view.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { Amount, Lots, Seq } from '../../units/quantities.ts'
import type { HistoryAnswers, HistoryRange } from '../port/history-questions.ts'
import { EMPTY_TAIL, type Mark } from '../port/journal.ts'
import type { OperatorAction, TradeRecord } from '../port/ports.ts'
import type { HistoryTransfer } from '../port/transfer.ts'
import type { NumberedEvent } from './numbered-events.ts'
import type { EndedOrder, HistoryOrder } from './order-history.ts'
import type { MarketTerms } from './positions/markets.ts'
import type { UpdateBlock } from './update-codec.ts'

/** The balances of an account in a symbol's two assets, without savings. */
export type PartyBalances = { readonly base: Amount; readonly quote: Amount }

/** A record in the list of one account. */
export type PartyRecord = {
  readonly accountId: AccountId
  readonly record: TradeRecord
  /** The balances right after this fill and its commission. */
  readonly after: PartyBalances
}

/**
 * An aggregate: consecutive trades of one arriving order at one price
 * (docs/reference/extensions.md#aggregate-trades).
 */
export type Aggregate = { readonly trades: number; readonly quantity: Lots }

/** One trade as stored: the public side and the two parties' (docs/reference/http.md#trade-history). */
export type HistoryTrade = {
  /** The command that caused the trade. */
  readonly seq: Seq
  readonly symbolId: SymbolId
  readonly trade: PublicTrade
  /**
   * The aggregate that ends with this trade; undefined if the trade ends none, or if the aggregate has no
   * number in its symbol.
   */
  readonly aggregate: Aggregate | undefined
  readonly maker: PartyRecord
  readonly taker: PartyRecord
}

/** The records of commands in history, each kind in order. */
export type HistoryRecords = {
  /** The constant properties of listed symbols; each before any trade in it. */
  readonly listings: readonly MarketTerms[]
  readonly trades: readonly HistoryTrade[]
  readonly transfers: readonly HistoryTransfer[]
  readonly orders: readonly HistoryOrder[]
  /** Ends of orders that are already stored or are in `orders`. */
  readonly ends: readonly EndedOrder[]
  readonly actions: readonly OperatorAction[]
  /** Facts of the numbered feed; trades are facts by themselves. */
  readonly events: readonly NumberedEvent[]
  /** Undefined if there are none. */
  readonly updates: UpdateBlock | undefined
}

/** The records besides trades; absent ones are empty. */
export type RecordsBesides = Partial<Omit<HistoryRecords, 'trades'>>

/** The queries to a store; `atLeast` has been reached before. */
export type PageQuery = HistoryRange<'trades'>
export type FillRange = HistoryRange<'fills'>
export type LedgerRange = HistoryRange<'ledger'>
export type PositionRange = HistoryRange<'positions'>
export type OrderRange = HistoryRange<'orders'>
export type UpdatesRange = HistoryRange<'updates'>
export type ActionQuery = HistoryRange<'operatorActions'>
export type PastEventRange = HistoryRange<'pastEvents'>
export type CandleRange = HistoryRange<'candles'>

/**
 * The reason why a store of history failed. After `STORAGE_FULL` and `BUSY` the same call may be repeated:
 * the failed call had no visible effect. A `DAMAGED` history is rebuilt by the next start.
 */
export type HistoryFaultKind = 'STORAGE_FULL' | 'BUSY' | 'AHEAD_OF_JOURNAL' | 'DAMAGED' | 'UNUSABLE'

export class HistoryFault extends Error {
  override readonly name = 'HistoryFault'
  readonly kind: HistoryFaultKind

  constructor(kind: HistoryFaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/**
 * Stores trades, numbered per account and per account and symbol, so that any page of any list costs the
 * same, and their candles. Calls reject with `HistoryFault`.
 */
export interface HistoryStore extends HistoryAnswers {
  /**
   * The end of the last batch whose trades are all in the store; the position of `EMPTY_TAIL` in an empty
   * store.
   */
  position(): Promise<Mark>

  /**
   * Adds the records of the batches after `position()` up to the end of a batch, and moves the position
   * there: all or nothing. A power cut may still lose the newest appends, see `flush`.
   */
  append(trades: readonly HistoryTrade[], end: Mark, besides?: RecordsBesides): Promise<void>

  /**
   * Sets the function that receives the reason if appended records could not be stored later, for a store
   * that writes in the background; after `STORAGE_FULL` the store retries, and reports each time. If
   * undefined, each append is stored when it resolves.
   */
  watch?(onFailed: (fault: HistoryFault) => void): void

  /**
   * Appended records survive a power failure when the promise resolves; `BUSY`: another process prevents it.
   */
  flush(): Promise<void>

  /** Drops everything; the store is then like an empty one. */
  clear(): Promise<void>

  close(): Promise<void>
}

/** The position of an empty store. */
export const EMPTY_POSITION: Mark = { seq: EMPTY_TAIL.seq, hash: EMPTY_TAIL.hash }

/**
 * Checks the condition of every `append`: the position must advance. Anything else is a bug of the caller.
 */
export function assertMovesOn(position: Mark, end: Mark): void {
  invariant(end.seq > position.seq, () => `history is at ${position.seq}, found an append up to ${end.seq}`)
}
