/** Turns the list of orders typed into the form into a list that is placed once. */

import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { Decimal } from '../../../../client/decimal.ts'
import { RefusedError } from '../../../../client/errors.ts'
import type { Side } from '../../../../client/interface/words.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { sharePercent } from '../../exact-sums.ts'
import type { Dispatch } from '../sending/dispatch.ts'
import { type Question, type QuestionLimits, questionsOf } from '../sending/questions.ts'
import { messageOf, type TradingState } from '../trading-state.ts'
import {
  EMPTY_DRAFT,
  type FieldProblem,
  hasStopPrice,
  type NumberFieldName,
  numberIn,
  type Problems,
  withShare,
} from './draft.ts'
import { refusedProblem } from './field-problem.ts'
import { Forecasts } from './forecasts.ts'
import {
  type CompleteList,
  checkedList,
  fieldNamed,
  isBesideEntry,
  type LegName,
  type ListDraft,
  legFields,
  priceField,
  withoutTrailing,
} from './list-draft.ts'
import { factsOf, sendingWords, whatOf } from './order-facts.ts'
import { typedBasisPoints } from './trailing.ts'

export type ListTicketOptions = {
  readonly trading: TradingState
  readonly dispatch: Dispatch
  readonly limits: ReadonlySignal<QuestionLimits>
  /** The market has orders that follow the price. */
  readonly canTrail: ReadonlySignal<boolean>
}

/** Fields of a single order; the quantity is common to all. */
const FORECAST_FIELDS = ['price', 'stopPrice', 'trailingDelta'] as const

export class ListTicket {
  readonly #trading: TradingState
  readonly #dispatch: Dispatch
  readonly #limits: ReadonlySignal<QuestionLimits>
  readonly #canTrail: ReadonlySignal<boolean>
  readonly #forecasts: Forecasts
  /** The user has tried to send the list: from then on an empty field is marked as missing. */
  readonly #isWanted = signal(false)
  /** The exchange's refusal of the sent list, and that list. */
  readonly #refused = signal<{ readonly list: ListDraft; readonly error: unknown } | undefined>(undefined)
  readonly checked = computed(() => {
    const [list, market] = [this.#trading.list.value, this.#trading.market.value]
    return list && market && checkedList(this.#canTrail.value ? list : withoutTrailing(list), market)
  })

  constructor({ trading, dispatch, limits, canTrail }: ListTicketOptions) {
    this.#trading = trading
    this.#dispatch = dispatch
    this.#limits = limits
    this.#canTrail = canTrail
    const now = computed(() => {
      const orders = this.checked.value?.list?.orders ?? []
      return orders
        .filter(({ isNow }) => isNow)
        .map(({ order }) => ({ problems: {}, order, lastsMinutes: undefined }))
    })
    this.#forecasts = new Forecasts(trading, now)
  }

  /** The fields of an order of the list that its market has. */
  fieldsOf(list: ListDraft, leg: LegName): readonly NumberFieldName[] {
    return legFields(list, leg).filter((field) => field !== 'trailingDelta' || this.#canTrail.value)
  }

  /** The distance of an order of the list that follows the price, in basis points, if it is valid. */
  trailingDeltaOf({ legs }: ListDraft, leg: LegName): number | undefined {
    const { type, trailingDelta } = legs[leg]
    return this.#canTrail.value && hasStopPrice(type) ? typedBasisPoints(trailingDelta) : undefined
  }

  /** The forecast for an order that is placed with the list. */
  forecastOf(leg: LegName) {
    const orders = this.checked.value?.list?.orders.filter(({ isNow }) => isNow) ?? []
    return this.#forecasts.all.value[orders.findIndex((each) => each.leg === leg)]
  }

  problemsOf(leg: LegName): Problems {
    const problems = this.#shown(this.checked.value?.problems[leg] ?? {})
    const forecast = this.forecastOf(leg)
    const refusal = this.#refusal
    const named = refusal && fieldNamed(refusal.list, refusal.error.parameter)
    if (typeof named === 'object' && named.leg === leg)
      return { [named.field]: refusedProblem(refusal?.error), ...problems }
    const error = forecast?.kind === 'refused' ? forecast.error : undefined
    if (!(error instanceof RefusedError)) return problems
    const field = FORECAST_FIELDS.find((each) => each === error.parameter)
    return field === undefined ? problems : { [field]: refusedProblem(error), ...problems }
  }

  get quantityProblem(): FieldProblem | undefined {
    const { quantityProblem } = this.checked.value ?? {}
    if (quantityProblem !== undefined) return this.#shown({ quantity: quantityProblem }).quantity
    const refusal = this.#refusal
    if (refusal && fieldNamed(refusal.list, refusal.error.parameter) === 'quantity')
      return refusedProblem(refusal.error)
    for (const forecast of this.#forecasts.all.value) {
      const error = forecast.kind === 'refused' ? forecast.error : undefined
      if (error instanceof RefusedError && error.parameter === 'quantity') return refusedProblem(error)
    }
    return undefined
  }

  /** A refusal of the exchange that belongs to no single field. */
  get refusal(): string | undefined {
    const sent = this.#refused.value
    if (sent === undefined || sent.list !== this.#trading.list.value) return undefined
    const { error } = sent
    const isOfField = error instanceof RefusedError && fieldNamed(sent.list, error.parameter) !== undefined
    return isOfField ? undefined : messageOf(error)
  }

  /**
   * The share of the free balance that the list takes at present, in percent, from 0 to 100: only for
   * display.
   */
  get share(): number {
    const list = this.#trading.list.value
    const quantity = list === undefined ? undefined : numberIn(list.quantity)
    if (list === undefined || quantity === undefined) return 0
    const price = numberIn(this.#dearest(list).price)
    const given = list.side === 'SELL' ? quantity : price?.times(quantity)
    return given === undefined ? 0 : sharePercent(given, this.#trading.freeFor(list.side))
  }

  /** The order of the list that takes the largest amount, and its price. */
  #dearest({ kind, legs }: ListDraft): { readonly price: string } {
    const leg = legs[kind === 'OCO' ? 'loss' : 'entry']
    const field = priceField(leg)
    return { price: field === undefined ? '' : leg[field] }
  }

  /** Sets a percentage of the free balance, at the price of the order that takes the largest amount. */
  take(percent: number): void {
    const [list, market] = [this.#trading.list.value, this.#trading.market.value]
    if (list === undefined || market === undefined) return
    const free = this.#trading.freeFor(list.side)
    const { price } = this.#dearest(list)
    if (free === undefined || (list.side === 'BUY' && numberIn(price) === undefined)) return
    if (percent === 0) {
      this.#trading.list.value = { ...list, quantity: '' }
      return
    }
    const draft = withShare({ ...EMPTY_DRAFT, side: list.side, price }, percent, Decimal.from(free), market)
    this.#trading.list.value = { ...list, quantity: draft.quantity }
  }

  async submit(): Promise<void> {
    if (this.#dispatch.waitsFor.value !== undefined) return
    this.#isWanted.value = true
    const [draft, market, list] = [
      this.#trading.list.value,
      this.#trading.market.value,
      this.checked.value?.list,
    ]
    const first = list?.orders[0]?.order
    if (draft === undefined || market === undefined || list === undefined || first === undefined) return
    await this.#dispatch.offer({
      ...sendingWords(draft.side, whatOf(first, market)),
      symbol: market.name,
      parts: list.orders.map(({ leg, order, isNow }) => ({
        title: legTitle(leg, order.side, isNow),
        facts: factsOf(order, market),
      })),
      questions: () => this.#questions(list, market.name),
      send: (trader) => trader.placeList(list),
      subject: { kind: 'LIST', list: list.kind, orders: list.orders.map(({ order }) => order) },
      onPlaced: () => {
        this.#isWanted.value = false
        const now = this.#trading.list.value
        // Values that were typed in the meantime are for the next list, and stay; so do those of another
        // market.
        if (this.#trading.market.value?.name === market.name && now?.quantity === draft.quantity)
          this.#trading.list.value = { ...now, quantity: '' }
      },
      onRefused: (error) => {
        this.#refused.value = { list: draft, error }
      },
    })
  }

  #questions(list: CompleteList, symbol: string): readonly Question[] {
    const questions = list.orders
      .filter(({ isNow }) => isNow)
      .flatMap(({ order }) =>
        questionsOf(order, this.#trading.surroundingsOf(symbol, order.side), this.#limits.value),
      )
    const beside: readonly Question[] = isBesideEntry(list) ? [{ kind: 'BESIDE_ENTRY' }] : []
    const byText = new Map([...questions, ...beside].map((each) => [JSON.stringify(each), each]))
    return [...byText.values()]
  }

  get #refusal(): { readonly list: ListDraft; readonly error: RefusedError } | undefined {
    const sent = this.#refused.value
    if (sent === undefined || sent.list !== this.#trading.list.value) return undefined
    return sent.error instanceof RefusedError ? { list: sent.list, error: sent.error } : undefined
  }

  #shown(problems: Problems): Problems {
    const shown = Object.entries(problems).filter(
      ([, { kind }]) => this.#isWanted.value || kind !== 'MISSING',
    )
    return Object.fromEntries(shown)
  }
}

function legTitle(leg: LegName, side: Side, isNow: boolean): string {
  const [name, words] = [TEXTS.lists.legs[leg], TEXTS.side[side]]
  return isNow ? `${name} · ${words}` : TEXTS.lists.later(name, words)
}
