/** What the panel of the chart asks of each of its views. */
import type { ListedSymbol } from '../../connection/symbols.ts'
import type { DepthSide } from '../../state/depth-curve.ts'
import type { MarketState, MarketSymbol } from '../../state/market-state.ts'

/** Whether what is shown is what is, in words. */
export type Condition = { readonly isLive: boolean; readonly text: () => string }

export type ChartView = {
  /** What can be chosen in this view; it stands in the head of the panel. */
  readonly controls: HTMLElement
  /** Another market, or the same one with other decimals. */
  choose(symbol: ListedSymbol): void
  /** With a frame of the browser, while the view is looked at. */
  render(market: MarketState, isLive: boolean): void
  /** What is known of the account is another. */
  accountChanged(): void
}

/** The prices of own orders of a market, in ticks. */
export type OwnPrices = (
  symbol: MarketSymbol,
) => readonly { readonly ticks: number; readonly side: DepthSide }[]
