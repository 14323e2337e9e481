/** The props of the account panel. */

import type { TradedMarket } from '../state/draft/draft.ts'
import type { Ticket } from '../state/draft/ticket.ts'
import type { Dispatch } from '../state/sending/dispatch.ts'
import type { Trader } from '../state/trader.ts'
import type { TradingState } from '../state/trading-state.ts'

export type AccountProps = {
  readonly trading: TradingState
  readonly dispatch: Dispatch
  readonly ticket: Ticket
  readonly trader: Trader
  readonly market: TradedMarket
}
