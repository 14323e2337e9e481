/** What the account's half is drawn of. */
import type { Desk } from '../state/desk.ts'
import type { TradedMarket } from '../state/draft.ts'
import type { Trader } from '../state/trader.ts'

export type AccountProps = {
  readonly desk: Desk
  readonly trader: Trader
  readonly market: TradedMarket
}
