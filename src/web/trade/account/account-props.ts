/** What the account's half is drawn of. */
import type { Desk } from '../state/desk.ts'
import type { TradedMarket } from '../state/draft/draft.ts'
import type { Ticket } from '../state/draft/ticket.ts'
import type { Dispatch } from '../state/sending/dispatch.ts'
import type { Trader } from '../state/trader.ts'

export type AccountProps = {
  readonly desk: Desk
  readonly dispatch: Dispatch
  readonly ticket: Ticket
  readonly trader: Trader
  readonly market: TradedMarket
}
