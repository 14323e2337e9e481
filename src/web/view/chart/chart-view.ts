/** What the panel of the chart asks of each of its views. */
import type { ListedSymbol } from '../../connection/symbols.ts'

/** Whether what is shown is what is, in words. */
export type Condition = { readonly isLive: boolean; readonly text: () => string }

export type ChartView = {
  /** What can be chosen in this view; it stands in the head of the panel. */
  readonly controls: HTMLElement
  /** Another market, or the same one with other decimals. */
  choose(symbol: ListedSymbol): void
}
