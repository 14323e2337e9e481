/** What the chart has of the account, and may do in its name. It is loaded with the chart. */
import { effect, untracked } from '@preact/signals'
import type { Fill, FillPage, Order } from '../../../client/interface/orders.ts'
import type { NewOrderParameters } from '../../../client/interface/parameters.ts'
import type { Side } from '../../../client/interface/words.ts'
import { TEXTS } from '../../shared/texts/texts.ts'
import { stepOf } from '../exact-sums.ts'
import type { Desk } from '../state/desk.ts'
import type { Ticket } from '../state/draft/ticket.ts'
import type { Dispatch } from '../state/sending/dispatch.ts'
import { questionsOf } from '../state/sending/questions.ts'
import { type Move, movedOrder, whyNotMoved } from './moved-order.ts'

type Abortable = { readonly signal: AbortSignal }

export type FillPeriod = {
  readonly symbol: string
  /** Milliseconds, both included. */
  readonly from: number
  readonly to?: number | undefined
  readonly limit: number
}

/** What goes into the form: a limit at the price, or a stop that waits for it. */
export type OrderAtPrice = {
  readonly side: Side
  readonly type: 'LIMIT' | 'STOP_LOSS'
  /** As an exact decimal. */
  readonly price: string
}

export type ChartAccountOptions = {
  readonly desk: Desk
  readonly dispatch: Dispatch
  readonly ticket: Ticket
  /** The form is to be in sight, with the keyboard at its quantity. */
  readonly onForm: () => void
}

export class ChartAccount {
  readonly #desk: Desk
  readonly #dispatch: Dispatch
  readonly #ticket: Ticket
  readonly #onForm: () => void
  /** By symbol; a market that is not there has steps of its last decimal. */
  readonly #tickSizes = new Map<string, string>()

  constructor({ desk, dispatch, ticket, onForm }: ChartAccountOptions) {
    this.#onForm = onForm
    this.#desk = desk
    this.#dispatch = dispatch
    this.#ticket = ticket
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

  get hasKey(): boolean {
    return this.#desk.trader.peek() !== undefined
  }

  /** Asks for own fills, newest first; undefined: there is no key. */
  get fillsOf(): ((period: FillPeriod, options: Abortable) => Promise<FillPage>) | undefined {
    return this.#desk.trader.peek()?.requests.myTrades
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

  /** Learns the steps of a market's prices. Without an answer they are those of its last decimal, and the exchange refuses what does not fit. */
  async learnTickSize(symbol: string): Promise<void> {
    const requests = this.#desk.trader.peek()?.requests
    const { symbols } = (await requests?.symbolRules({ symbol }).catch(() => undefined)) ?? { symbols: [] }
    for (const { filters } of symbols)
      for (const filter of filters)
        if (filter.filterType === 'PRICE_FILTER') this.#tickSizes.set(symbol, filter.tickSize)
  }

  tickSize(symbol: string, places: number): string {
    return this.#tickSizes.get(symbol) ?? stepOf(places).toString()
  }

  /** Why nothing can be sent now, in words; undefined: it can. */
  get waitText(): string | undefined {
    const wait = this.#dispatch.waitsFor.peek()
    return wait && TEXTS.sending.waits[wait]
  }

  /** Why this order cannot be put to another price now, in words; undefined: it can. */
  whyNot(order: Order): string | undefined {
    const why = whyNotMoved(order)
    return this.waitText ?? (why && TEXTS.moves.whyNot[why])
  }

  /** Goes into the form, and is not sent. */
  prepare({ side, type, price }: OrderAtPrice): void {
    this.#desk.prepare(side, type, price)
    this.#onForm()
  }

  /** Something has happened by itself; `say`: its words, in the language that is shown when they are read. */
  notify(say: () => string): void {
    this.#desk.notify(say, { isNews: true })
  }

  /** Asks where there is something to ask, and puts the order to the other price, once. */
  move(move: Move): void {
    const market = this.#desk.market.peek()
    if (market?.name !== move.order.symbol || this.whyNot(move.order) !== undefined) return
    const questions = (order: NewOrderParameters) =>
      questionsOf(order, this.#desk.surroundingsOfReplacement(order), this.#ticket.limits.value)
    void this.#dispatch.offer(movedOrder(move, { market, questions }))
  }
}
