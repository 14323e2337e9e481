/** The order form's way from what is typed to an order that is placed once: checked, tested, asked about, sent, found out. */
import { computed, effect, type Signal, signal } from '@preact/signals'
import { Decimal } from '../../../../client/decimal.ts'
import { RefusedError } from '../../../../client/errors.ts'
import type { AccountCommission } from '../../../../client/interface/answers.ts'
import type { NewOrderParameters } from '../../../../client/interface/parameters.ts'
import type { Entry } from '../../../shared/browser-entry.ts'
import { sharePercent } from '../../exact-sums.ts'
import { type Desk, messageOf } from '../desk.ts'
import type { Dispatch } from '../sending/dispatch.ts'
import {
  marketQuestions,
  type Question,
  type QuestionLimits,
  questionsOf,
  USUAL_LIMITS,
} from '../sending/questions.ts'
import {
  type CheckedDraft,
  checkedDraft,
  type Draft,
  fieldsOf,
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

export type TicketOptions = {
  readonly desk: Desk
  readonly dispatch: Dispatch
  readonly limits: Entry<Partial<QuestionLimits>>
}

export class Ticket {
  readonly #desk: Desk
  readonly #dispatch: Dispatch
  readonly #limitEntry: Entry<Partial<QuestionLimits>>
  readonly limits: Signal<QuestionLimits>
  readonly #forecasts: Forecasts
  readonly commission = signal<AccountCommission | undefined>(undefined)
  /** Somebody wanted to send: from then on a field that lacks its number says so. */
  readonly #isWanted = signal(false)
  readonly checked = computed((): CheckedDraft | undefined => {
    const market = this.#desk.market.value
    return market && checkedDraft(this.#desk.draft.value, market)
  })
  readonly problems = computed((): Problems => this.#problems())
  /** What the exchange refuses that concerns no one field of the form. */
  readonly refusal = computed(() => {
    const forecast = this.forecast
    if (forecast.kind !== 'refused' || this.#fieldRefused(forecast.error) !== undefined) return undefined
    return messageOf(forecast.error)
  })

  constructor({ desk, dispatch, limits }: TicketOptions) {
    this.#desk = desk
    this.#dispatch = dispatch
    this.#limitEntry = limits
    this.limits = signal({ ...USUAL_LIMITS, ...limits.read() })
    limits.watch(() => {
      this.limits.value = { ...USUAL_LIMITS, ...limits.read() }
    })
    const complete = computed(() => {
      const checked = this.checked.value
      return checked?.order === undefined || desk.list.value !== undefined ? [] : [checked]
    })
    this.#forecasts = new Forecasts(desk, complete)
    effect(() => this.#askCommission())
  }

  get forecast(): Forecast {
    return this.#forecasts.all.value[0] ?? { kind: 'none' }
  }

  /** What is free of the asset that the order gives away; undefined: not known. */
  get free(): string | undefined {
    return this.#desk.freeFor(this.#desk.draft.value.side)
  }

  set(field: NumberFieldName, text: string): void {
    const { draft, market } = this.#desk
    if (field === 'price') this.#desk.ownPrice()
    if (market.value !== undefined) draft.value = withField(draft.value, field, text, market.value)
  }

  /** Kept for the next visit where the browser keeps anything. */
  setLimit(name: keyof QuestionLimits, text: string): void {
    this.limits.value = { ...this.limits.value, [name]: text }
    this.#limitEntry.write(this.limits.value)
  }

  take(percent: number): void {
    const { draft, market } = this.#desk
    if (market.value === undefined || this.free === undefined) return
    draft.value =
      percent === 0
        ? { ...draft.value, quantity: '', total: '' }
        : withShare(draft.value, percent, Decimal.from(this.free), market.value)
  }

  /** How much of what is free the order in the form takes, in percent, from 0 to 100: for the eye only. */
  get share(): number {
    const { side, quantity, total } = this.#desk.draft.value
    const given = numberIn(side === 'BUY' ? total : quantity)
    return given === undefined ? 0 : sharePercent(given, this.free)
  }

  /** Sends what the form has, once; asks before where there is something to ask. */
  async submit(): Promise<void> {
    if (this.#dispatch.waitsFor.value !== undefined) return
    this.#isWanted.value = true
    const [checked, market, draft] = [this.checked.value, this.#desk.market.value, this.#desk.draft.value]
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
        const now = this.#desk.draft.value
        if (this.#desk.market.value?.name !== market.name) return
        const emptied = isSameAmount(now, draft) ? { ...now, quantity: '', total: '' } : now
        this.#desk.draft.value = now.minutes === draft.minutes ? withoutDeadline(emptied) : emptied
      },
      onRefused: (error) => {
        // What is in the form by now is another order.
        if (this.#desk.draft.value === draft) this.#forecasts.refuse(error)
      },
    })
  }

  /** `draft`: as the order was in the form. */
  #questions(order: NewOrderParameters, draft: Draft): readonly Question[] {
    const surroundings = this.#desk.surroundingsOf(order.symbol, order.side)
    const questions = questionsOf(order, surroundings, this.limits.value)
    // A market that is not looked at is asked about anyway.
    if (order.type !== 'MARKET' || surroundings === undefined) return questions
    const forecast: Forecast = this.#desk.draft.value === draft ? this.forecast : { kind: 'none' }
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

  /** The field that a refusal names. */
  #fieldRefused(error: unknown): NumberFieldName | undefined {
    if (!(error instanceof RefusedError)) return undefined
    return fieldsOf(this.#desk.draft.value).find((field) => field === error.parameter)
  }

  #askCommission(): (() => void) | undefined {
    const [name, trader] = [this.#desk.market.value?.name, this.#desk.trader.value]
    this.commission.value = undefined
    if (name === undefined || trader === undefined) return
    let isGone = false
    // Without an answer the form shows no fees: the forecast says what an order would cost.
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

/** The price at which it would trade now; '': it would not. Undefined: not known, also where the exchange refuses to say it, as under too many requests. */
function averageOf(forecast: Forecast): string | undefined {
  if (forecast.kind !== 'tested' || !('fills' in forecast.order)) return undefined
  return forecast.order.averagePrice ?? forecast.order.fills[0]?.price ?? ''
}

/** What was typed while an order was under way is the next one, and stays. */
function isSameAmount(now: Draft, sent: Draft): boolean {
  return fieldsOf(sent).includes('quantity') ? now.quantity === sent.quantity : now.total === sent.total
}
