/** What the chart has of the account, and may do in its name. It is loaded with the chart. */
import { effect, untracked } from '@preact/signals'
import type { Candle } from '../../../client/interface/answers.ts'
import type { KlinesParameters } from '../../../client/interface/parameters.ts'
import type { Desk } from '../state/desk.ts'

type Abortable = { readonly signal: AbortSignal }

export class ChartAccount {
  readonly #desk: Desk

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Asks for candles; undefined: there is no key. */
  get candles():
    | ((parameters: KlinesParameters, options: Abortable) => Promise<readonly Candle[]>)
    | undefined {
    const trader = this.#desk.trader.peek()
    return trader && ((parameters, options) => trader.candles(parameters, options))
  }

  /** Calls back at once, and whenever there is another key or none. */
  onKey(callback: () => void): void {
    effect(() => {
      void this.#desk.trader.value
      untracked(callback)
    })
  }
}
