/**
 * Turns the typed values of the order form into an order that is placed once: checked, tested, confirmed,
 * sent, and its outcome found.
 */
import { computed, effect, type Signal, signal } from '@preact/signals'
import { Decimal } from '../../../../client/decimal.ts'
import { RefusedError } from '../../../../client/errors.ts'
import type { AccountCommission } from '../../../../client/interface/answers.ts'
import type { NewOrderParameters } from '../../../../client/interface/parameters.ts'
import type { Entry } from '../../../shared/browser-entry.ts'
import { sharePercent } from '../../exact-sums.ts'
import type { Dispatch } from '../sending/dispatch.ts'
import {
  marketQuestions,
  type Question,
  type QuestionLimits,
  questionsOf,
  USUAL_LIMITS,
} from '../sending/questions.ts'
import { messageOf, type TradingState } from '../trading-state.ts'
import {
  type CheckedDraft,
  checkedDraft,
  type Draft,
  fieldsOf,
  hasStopPrice,
  type NumberFieldName,
  numberIn,
  type Problems,
  withField,
  withoutDeadline,
  withShare,
} from './draft.ts'
import { refusedProblem } from './field-problem.ts'
import { type Forecast, Forecasts } from './forecasts.ts'
import { factsOf, sendingWords, whatOf } from './order-facts.ts'
import { typedBasisPoints } from './trailing.ts'

export type TicketOptions = {
  readonly trading: TradingState
  readonly dispatch: Dispatch
  readonly limits: Entry<Partial<QuestionLimits>>
}

export class Ticket {
  readonly #trading: TradingState
  readonly #dispatch: Dispatch
  readonly #limitEntry: Entry<Partial<QuestionLimits>>
  readonly limits: Signal<QuestionLimits>
  readonly #forecasts: Forecasts
  readonly commission = signal<AccountCommission | undefined>(undefined)
  /** The market has orders that follow the price; without an answer about it they are not offered. */
  readonly canTrail = signal(false)
  /** The user has tried to send the order: from then on an empty field is marked as missing. */
  readonly #isWanted = signal(false)
  readonly checked = computed((): CheckedDraft | undefined => {
    const market = this.#trading.market.value
    const draft = this.#trading.draft.value
    return market && checkedDraft(this.canTrail.value ? draft : { ...draft, trailingDelta: '' }, market)
  })
  readonly problems = computed((): Problems => this.#problems())
  /** A refusal of the exchange that belongs to no single field of the form. */
  readonly refusal = computed(() => {
    const forecast = this.forecast
    if (forecast.kind !== 'refused' || this.#fieldRefused(forecast.error) !== undefined) return undefined
    return messageOf(forecast.error)
  })

  constructor({ trading, dispatch, limits }: TicketOptions) {
    this.#trading = trading
    this.#dispatch = dispatch
    this.#limitEntry = limits
    this.limits = signal({ ...USUAL_LIMITS, ...limits.read() })
    limits.watch(() => {
      this.limits.value = { ...USUAL_LIMITS, ...limits.read() }
    })
    const complete = computed(() => {
      const checked = this.checked.value
      return checked?.order === undefined || trading.list.value !== undefined ? [] : [checked]
    })
    this.#forecasts = new Forecasts(trading, complete)
    effect(() => this.#askCommission())
    effect(() => this.#askTrailing())
  }

  get forecast(): Forecast {
    return this.#forecasts.all.value[0] ?? { kind: 'none' }
  }

  /** The free balance of the asset that the order spends; undefined if unknown. */
  get free(): string | undefined {
    return this.#trading.freeFor(this.#trading.draft.value.side)
  }

  /** The typed distance at which the order follows the price, in basis points, if the exchange accepts it. */
  get trailingDelta(): number | undefined {
    const { type, trailingDelta } = this.#trading.draft.value
    return this.canTrail.value && hasStopPrice(type) ? typedBasisPoints(trailingDelta) : undefined
  }

  set(field: NumberFieldName, text: string): void {
    const { draft, market } = this.#trading
    if (field === 'price') this.#trading.ownPrice()
    if (market.value !== undefined) draft.value = withField(draft.value, field, text, market.value)
  }

  /** Stored for the next visit if the browser stores anything. */
  setLimit(name: keyof QuestionLimits, text: string): void {
    this.limits.value = { ...this.limits.value, [name]: text }
    this.#limitEntry.write(this.limits.value)
  }

  take(percent: number): void {
    const { draft, market } = this.#trading
    if (market.value === undefined || this.free === undefined) return
    draft.value =
      percent === 0
        ? { ...draft.value, quantity: '', total: '' }
        : withShare(draft.value, percent, Decimal.from(this.free), market.value)
  }

  /**
   * The share of the free balance that the order in the form takes, in percent, from 0 to 100: only for
   * display.
   */
  get share(): number {
    const { side, quantity, total } = this.#trading.draft.value
    const given = numberIn(side === 'BUY' ? total : quantity)
    return given === undefined ? 0 : sharePercent(given, this.free)
  }

  /** Sends the order in the form, once, after confirmation by the user if needed. */
  async submit(): Promise<void> {
    if (this.#dispatch.waitsFor.value !== undefined) return
    this.#isWanted.value = true
    const [checked, market, draft] = [
      this.checked.value,
      this.#trading.market.value,
      this.#trading.draft.value,
    ]
    const order = checked?.order
    if (checked === undefined || order === undefined || market === undefined) return
    await this.#dispatch.offer({
      ...sendingWords(order.side, whatOf(order, market)),
      symbol: order.symbol,
      parts: [{ facts: factsOf(order, market, checked.lastsMinutes) }],
      questions: () => this.#questions(order, draft),
      subject: { kind: 'ORDER', order },
      send: (trader) => trader.place(checked),
      onPlaced: () => {
        this.#isWanted.value = false
        const now = this.#trading.draft.value
        if (this.#trading.market.value?.name !== market.name) return
        const emptied = isSameAmount(now, draft) ? { ...now, quantity: '', total: '' } : now
        this.#trading.draft.value = now.minutes === draft.minutes ? withoutDeadline(emptied) : emptied
      },
      onRefused: (error) => {
        // Only if the form still holds this order.
        if (this.#trading.draft.value === draft) this.#forecasts.refuse(error)
      },
    })
  }

  /** `draft`: the order as it was in the form. */
  #questions(order: NewOrderParameters, draft: Draft): readonly Question[] {
    const surroundings = this.#trading.surroundingsOf(order.symbol, order.side)
    const questions = questionsOf(order, surroundings, this.limits.value)
    // For a market that is not displayed the page asks in any case.
    if (order.type !== 'MARKET' || surroundings === undefined) return questions
    const forecast: Forecast = this.#trading.draft.value === draft ? this.forecast : { kind: 'none' }
    const average = averageOf(forecast)
    if (average === '') return questions
    return [...questions, ...marketQuestions(order.side, average, surroundings, this.limits.value)]
  }

  #problems(): Problems {
    const checked = this.checked.value?.problems ?? {}
    const problems = Object.fromEntries(
      Object.entries(checked).filter(([, { kind }]) => this.#isWanted.value || kind !== 'MISSING'),
    ) as Problems
    const forecast = this.forecast
    if (forecast.kind !== 'refused') return problems
    const field = this.#fieldRefused(forecast.error)
    if (field === undefined || problems[field] !== undefined) return problems
    return { ...problems, [field]: refusedProblem(forecast.error) }
  }

  /** The field named by a refusal. */
  #fieldRefused(error: unknown): NumberFieldName | undefined {
    if (!(error instanceof RefusedError)) return undefined
    return fieldsOf(this.#trading.draft.value).find((field) => field === error.parameter)
  }

  #askTrailing(): (() => void) | undefined {
    const [name, trader] = [this.#trading.market.value?.name, this.#trading.trader.value]
    this.canTrail.value = false
    if (name === undefined || trader === undefined) return
    let isGone = false
    trader.requests.symbolRules({ symbol: name }).then(
      ({ symbols }) => {
        if (!isGone) this.canTrail.value = symbols.some((rules) => rules.allowTrailingStop)
      },
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }

  #askCommission(): (() => void) | undefined {
    const [name, trader] = [this.#trading.market.value?.name, this.#trading.trader.value]
    this.commission.value = undefined
    if (name === undefined || trader === undefined) return
    let isGone = false
    // Without an answer the form shows no fees: the forecast has the cost of an order.
    trader.commission(name).then(
      (commission) => {
        if (!isGone) this.commission.value = commission
      },
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }
}

/**
 * The average price at which the order would trade now; '' if it would not trade. Undefined if unknown, which
 * includes a refusal of the request, for example because of too many requests.
 */
function averageOf(forecast: Forecast): string | undefined {
  if (forecast.kind !== 'tested' || !('fills' in forecast.order)) return undefined
  return forecast.order.averagePrice ?? forecast.order.fills[0]?.price ?? ''
}

/** Values typed while an order was pending are for the next one, and stay. */
function isSameAmount(now: Draft, sent: Draft): boolean {
  return fieldsOf(sent).includes('quantity') ? now.quantity === sent.quantity : now.total === sent.total
}
