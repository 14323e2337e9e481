/** Orders placed by a single action: LIMIT at the price under the pointer, for a preset quantity. */

import { effect, type ReadonlySignal, signal } from '@preact/signals'
import type { Side } from '../../../../client/interface/words.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { checkedDraft, checkedField, EMPTY_DRAFT, type FieldProblem } from '../draft/draft.ts'
import { factsOf, sendingWords, whatOf } from '../draft/order-facts.ts'
import { PROBLEM, type TradingState } from '../trading-state.ts'
import type { Dispatch } from './dispatch.ts'
import { type QuestionLimits, questionsOf } from './questions.ts'

/** A price of the book. `side`: the side of an order that takes the orders there. */
export type PointedPrice = {
  readonly price: string
  readonly side: Side
  /** The price under the pointer changed while the button was pressed. */
  readonly hasMoved?: boolean
}

export type QuickOrdersOptions = {
  readonly trading: TradingState
  readonly dispatch: Dispatch
  readonly limits: ReadonlySignal<QuestionLimits>
}

export class QuickOrders {
  readonly #trading: TradingState
  readonly #dispatch: Dispatch
  readonly #limits: ReadonlySignal<QuestionLimits>
  /** The quantity of a one-click order in the displayed market. */
  readonly quantity = signal('')

  constructor({ trading, dispatch, limits }: QuickOrdersOptions) {
    this.#trading = trading
    this.#dispatch = dispatch
    this.#limits = limits
    let market: string | undefined
    effect(() => {
      const name = trading.market.value?.name
      if (name !== market) this.quantity.value = ''
      market = name
    })
  }

  get quantityProblem(): FieldProblem | undefined {
    const market = this.#trading.market.value
    const checked = market && checkedField(this.quantity.value, market.baseFraction, true)
    return checked !== undefined && 'kind' in checked ? checked : undefined
  }

  /** Places an order by a click on a price of the book. The user has consented before. */
  async click({ price, side, hasMoved }: PointedPrice): Promise<void> {
    if (hasMoved === true) this.#trading.notify(() => TEXTS.quick.moved, PROBLEM)
    else await this.#place(side, price, this.quantity.value, true)
  }

  /** Places an order by a hotkey; the quantity is the one in the form. */
  async place({ price, side }: PointedPrice): Promise<void> {
    const { list, draft } = this.#trading
    await this.#place(side, price, (list.peek() ?? draft.peek()).quantity, false)
  }

  async #place(side: Side, price: string, quantity: string, isAgreed: boolean): Promise<void> {
    const market = this.#trading.market.peek()
    const wait = this.#dispatch.waitsFor.peek()
    if (wait !== undefined) {
      this.#trading.notify(() => TEXTS.sending.waits[wait], PROBLEM)
      return
    }
    const checked = market && checkedDraft({ ...EMPTY_DRAFT, side, price, quantity }, market)
    if (market === undefined || checked?.order === undefined) {
      this.#trading.notify(() => TEXTS.quick[isAgreed ? 'noClickQuantity' : 'noQuantity'], PROBLEM)
      return
    }
    const { order } = checked
    await this.#dispatch.offer({
      ...sendingWords(side, whatOf(order, market)),
      symbol: order.symbol,
      parts: [{ facts: factsOf(order, market) }],
      questions: () =>
        questionsOf(order, this.#trading.surroundingsOf(order.symbol, side), this.#limits.value),
      isAgreed,
      subject: { kind: 'ORDER', order: checked.order },
      send: (trader) => trader.place(checked),
    })
  }
}
