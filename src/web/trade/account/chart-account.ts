/** The account on the chart, and the actions available there. It is loaded with the chart. */
import { effect, untracked } from '@preact/signals'
import type { Fill, FillPage, Order } from '../../../client/interface/orders.ts'
import type { NewOrderParameters } from '../../../client/interface/parameters.ts'
import type { Side } from '../../../client/interface/words.ts'
import { TEXTS } from '../../shared/texts/texts.ts'
import { stepOf } from '../exact-sums.ts'
import type { Ticket } from '../state/draft/ticket.ts'
import type { Dispatch } from '../state/sending/dispatch.ts'
import { questionsOf } from '../state/sending/questions.ts'
import type { TradingState } from '../state/trading-state.ts'
import { type Move, movedOrder, whyNotMoved } from './moved-order.ts'

type Abortable = { readonly signal: AbortSignal }

export type FillPeriod = {
  readonly symbol: string
  /** Milliseconds, both inclusive. */
  readonly from: number
  readonly to?: number | undefined
  readonly limit: number
}

/** The values for the form: a limit at the price, or a stop at it. */
export type OrderAtPrice = {
  readonly side: Side
  readonly type: 'LIMIT' | 'STOP_LOSS'
  /** As an exact decimal. */
  readonly price: string
}

export type ChartAccountOptions = {
  readonly trading: TradingState
  readonly dispatch: Dispatch
  readonly ticket: Ticket
  /** Must scroll the form into view and move the focus to its quantity. */
  readonly onForm: () => void
}

export class ChartAccount {
  readonly #trading: TradingState
  readonly #dispatch: Dispatch
  readonly #ticket: Ticket
  readonly #onForm: () => void
  /** By symbol; for a missing symbol the step is one unit of the last decimal. */
  readonly #tickSizes = new Map<string, string>()

  constructor({ trading, dispatch, ticket, onForm }: ChartAccountOptions) {
    this.#onForm = onForm
    this.#trading = trading
    this.#dispatch = dispatch
    this.#ticket = ticket
  }

  /** Calls back at once, and after every change of this data. */
  watch(callback: () => void): void {
    effect(() => {
      const account = this.#trading.trader.value?.account
      void account?.orders.value
      void account?.fills.value
      void this.#dispatch.waitsFor.value
      untracked(callback)
    })
  }

  get hasKey(): boolean {
    return this.#trading.trader.peek() !== undefined
  }

  /** Loads own fills, newest first; undefined without a key. */
  get fillsOf(): ((period: FillPeriod, options: Abortable) => Promise<FillPage>) | undefined {
    return this.#trading.trader.peek()?.requests.myTrades
  }

  /** Open orders of a market, newest first. */
  orders(symbol: string): readonly Order[] {
    const orders = this.#trading.trader.peek()?.account.orders.peek() ?? []
    return orders.filter((order) => order.symbol === symbol)
  }

  /** Fills of this visit in a market, newest first. */
  fills(symbol: string): readonly Fill[] {
    const fills = this.#trading.trader.peek()?.account.fills.peek() ?? []
    return fills.filter((fill) => fill.symbol === symbol)
  }

  /**
   * Loads the tick size of a market. Without an answer, one unit of the last decimal is used, and the
   * exchange refuses prices that do not fit.
   */
  async learnTickSize(symbol: string): Promise<void> {
    const requests = this.#trading.trader.peek()?.requests
    const { symbols } = (await requests?.symbolRules({ symbol }).catch(() => undefined)) ?? { symbols: [] }
    for (const { filters } of symbols)
      for (const filter of filters)
        if (filter.filterType === 'PRICE_FILTER') this.#tickSizes.set(symbol, filter.tickSize)
  }

  tickSize(symbol: string, places: number): string {
    return this.#tickSizes.get(symbol) ?? stepOf(places).toString()
  }

  /** The reason why nothing can be sent now, in words; undefined if there is none. */
  get waitText(): string | undefined {
    const wait = this.#dispatch.waitsFor.peek()
    return wait && TEXTS.sending.waits[wait]
  }

  /** The reason why this order cannot be moved now, in words; undefined if it can. */
  whyNot(order: Order): string | undefined {
    const why = whyNotMoved(order)
    return this.waitText ?? (why && TEXTS.moves.whyNot[why])
  }

  /** Fills the form without sending it. */
  prepare({ side, type, price }: OrderAtPrice): void {
    this.#trading.prepare(side, type, price)
    this.#onForm()
  }

  /**
   * Shows a notice of something that the user did not cause. `say`: its text in the current language,
   * evaluated when it is displayed.
   */
  notify(say: () => string): void {
    this.#trading.notify(say, { isNews: true })
  }

  /** Moves the order to the other price, once, after confirmation by the user if needed. */
  move(move: Move): void {
    const market = this.#trading.market.peek()
    if (market?.name !== move.order.symbol || this.whyNot(move.order) !== undefined) return
    const questions = (order: NewOrderParameters) =>
      questionsOf(order, this.#trading.surroundingsOfReplacement(order), this.#ticket.limits.value)
    void this.#dispatch.offer(movedOrder(move, { market, questions }))
  }
}
