/** The props of a history. */
import type { AccountBook } from '../../state/account-book.ts'
import type { TradedMarket } from '../../state/draft/draft.ts'
import type { AccountRequests } from '../../state/trader.ts'
import type { Histories } from './histories.ts'

export type HistoryProps = {
  readonly account: AccountBook
  readonly requests: AccountRequests
  readonly histories: Histories
  /** The markets that can be chosen. */
  readonly markets: readonly TradedMarket[]
}
