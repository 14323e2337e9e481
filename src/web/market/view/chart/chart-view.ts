/** The interface of the views in the chart's panel. */
import type { ListedSymbol } from '../../connection/symbols.ts'
import type { DepthSide } from '../../state/depth-curve.ts'
import type { MarketState, MarketSymbol } from '../../state/market-state.ts'

/** Whether the displayed data is current, in words. */
export type Condition = { readonly isLive: boolean; readonly text: () => string }

export type ChartView = {
  /** The controls of this view in the panel's header. */
  readonly controls: HTMLElement
  /** Shows another market, or the same one with other decimals. */
  choose(symbol: ListedSymbol): void
  /** Must be called in a frame of the browser, while the view is visible. */
  render(market: MarketState, isLive: boolean): void
  /** Called when the account's data changes. */
  accountChanged(): void
}

/** The prices of own orders in a market, in ticks. */
export type OwnPrices = (
  symbol: MarketSymbol,
) => readonly { readonly ticks: number; readonly side: DepthSide }[]
