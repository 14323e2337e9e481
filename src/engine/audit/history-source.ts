/** Stored history as an auditor reads it: as it was at one moment. */
import type { AccountId, SymbolId } from '../../units/ids.ts'
import type { LinkedTrade } from '../history-links.ts'
import type { Mark } from '../journal.ts'
import type { StoredActions, StoredRow } from './actions.ts'

/** Trades that are stored together, oldest first; `first` is the number under which they are found. */
export type StoredPiece = { readonly first: number; readonly trades: StoredRow<readonly LinkedTrade[]> }

/** A list: of an account, all of it or one symbol's part, or the public one of a symbol. */
export type ListName =
  | { readonly accountId: AccountId; readonly symbolId: SymbolId | undefined }
  | { readonly accountId: undefined; readonly symbolId: SymbolId }

/** Where a list ends: the number of its newest record, and its trade. */
export type StoredEnd = { readonly list: ListName; readonly n: number; readonly trade: number }

/** Everything throws `HistoryFault`. */
export interface StoredHistory extends StoredActions {
  /** The end of the last batch whose trades are here. */
  readonly position: Mark

  /** The last trade that the stored ends of lists know. */
  readonly endsTo: number

  /** Every so many records of a list one is stored as a step. */
  readonly stepLength: number

  /** How many steps there are. */
  readonly stepCount: number

  /** The first piece whose `first` is above the given number; undefined: there is none. */
  pieceAfter(first: number): StoredPiece | undefined

  /** The trade of record `n` of a list, a multiple of `stepLength`; undefined: there is no such step. */
  step(list: ListName, n: number): StoredRow<number> | undefined

  /** The ends of all lists; `owner` says whose they are. */
  ends(): Iterable<{ readonly owner: string; readonly ends: StoredRow<readonly StoredEnd[]> }>

  /** What is wrong with the file itself; empty: nothing. */
  fileProblems(): readonly string[]

  close(): void
}
