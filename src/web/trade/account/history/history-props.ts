/** What a history is drawn of. */
import type { AccountBook } from '../../state/account-book.ts'
import type { AccountRequests } from '../../state/trader.ts'
import type { Histories } from './histories.ts'

export type HistoryProps = {
  readonly account: AccountBook
  readonly requests: AccountRequests
  readonly histories: Histories
  /** Of the markets that can be chosen. */
  readonly symbols: readonly string[]
}
