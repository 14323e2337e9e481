/** What the chart has of the account, and may do in its name. It is loaded with the chart. */
import { effect, untracked } from '@preact/signals'
import type { Candle } from '../../../client/interface/answers.ts'
import type { Fill, Order } from '../../../client/interface/orders.ts'
import type { KlinesParameters } from '../../../client/interface/parameters.ts'
import type { Desk } from '../state/desk.ts'
import type { Dispatch } from '../state/dispatch.ts'
import type { Ticket } from '../state/ticket.ts'

type Abortable = { readonly signal: AbortSignal }

export type ChartAccountOptions = {
  readonly desk: Desk
  readonly dispatch: Dispatch
  readonly ticket: Ticket
}

export class ChartAccount {
  readonly #desk: Desk
  readonly #dispatch: Dispatch

  constructor({ desk, dispatch }: ChartAccountOptions) {
    this.#desk = desk
    this.#dispatch = dispatch
  }

  /** Calls back at once, and whenever something of all this is another. */
  watch(callback: () => void): void {
    effect(() => {
      const account = this.#desk.trader.value?.account
      void account?.orders.value
      void account?.fills.value
      void this.#dispatch.waitsFor.value
      untracked(callback)
    })
  }

  /** Asks for candles; undefined: there is no key. */
  get candles():
    | ((parameters: KlinesParameters, options: Abortable) => Promise<readonly Candle[]>)
    | undefined {
    const trader = this.#desk.trader.peek()
    return trader && ((parameters, options) => trader.candles(parameters, options))
  }

  /** Open orders of a market, newest first. */
  orders(symbol: string): readonly Order[] {
    const orders = this.#desk.trader.peek()?.account.orders.peek() ?? []
    return orders.filter((order) => order.symbol === symbol)
  }

  /** Fills of this visit in a market, newest first. */
  fills(symbol: string): readonly Fill[] {
    const fills = this.#desk.trader.peek()?.account.fills.peek() ?? []
    return fills.filter((fill) => fill.symbol === symbol)
  }
}
