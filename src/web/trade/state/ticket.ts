/** The order form's way from what is typed to an order that is placed once: checked, tested, asked about, sent, found out. */
import { computed, effect, type Signal, signal } from '@preact/signals'
import { Decimal } from '../../../client/decimal.ts'
import { RefusedError } from '../../../client/errors.ts'
import type { AccountCommission } from '../../../client/interface/answers.ts'
import type { RepeatedOrder, TestedOrder } from '../../../client/interface/orders.ts'
import type { Entry } from './browser-entry.ts'
import { type Desk, messageOf } from './desk.ts'
import type { Dispatch } from './dispatch.ts'
import {
  type CheckedDraft,
  checkedDraft,
  fieldsOf,
  type NumberFieldName,
  type Problems,
  withField,
  withShare,
} from './draft.ts'
import { factsOf, sendingTitle } from './order-facts.ts'
import { type QuestionLimits, questionsOf, USUAL_LIMITS } from './questions.ts'

/** How long nobody types before the exchange is asked what would happen, and how often it is asked again. */
const TEST_DELAY_MS = 350
const TEST_EVERY_MS = 5_000

type Forecast =
  | { readonly kind: 'none' }
  | { readonly kind: 'tested'; readonly order: TestedOrder | RepeatedOrder }
  | { readonly kind: 'refused'; readonly error: unknown }

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
  readonly forecast = signal<Forecast>({ kind: 'none' })
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
    const forecast = this.forecast.value
    if (forecast.kind !== 'refused' || this.#fieldRefused(forecast.error) !== undefined) return undefined
    return messageOf(forecast.error)
  })

  constructor({ desk, dispatch, limits }: TicketOptions) {
    this.#desk = desk
    this.#dispatch = dispatch
    this.#limitEntry = limits
    this.limits = signal({ ...USUAL_LIMITS, ...limits.read() })
    effect(() => this.#testSoon())
    effect(() => this.#askCommission())
  }

  /** What is free of the asset that the order gives away; undefined: not known. */
  get free(): string | undefined {
    const market = this.#desk.market.value
    const account = this.#desk.trader.value?.account
    if (market === undefined || account === undefined || !account.isLive.value) return undefined
    const code = this.#desk.draft.value.side === 'BUY' ? market.quoteCode : market.baseCode
    return account.balances.value.get(code)?.free ?? '0'
  }

  set(field: NumberFieldName, text: string): void {
    const { draft, market } = this.#desk
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
    draft.value = withShare(draft.value, percent, Decimal.from(this.free), market.value)
  }

  /** Sends what the form has, once; asks before where there is something to ask. */
  async submit(): Promise<void> {
    if (this.#dispatch.waitsFor.value !== undefined) return
    this.#isWanted.value = true
    const [checked, market] = [this.checked.value, this.#desk.market.value]
    const order = checked?.order
    if (checked === undefined || order === undefined || market === undefined) return
    const { bid, ask } = this.#desk.best.value
    const surroundings = { bestBid: bid, bestAsk: ask, free: this.free }
    await this.#dispatch.offer({
      title: sendingTitle(order.side, market),
      parts: [{ facts: factsOf(order, market, checked.lastsMinutes) }],
      questions: questionsOf(order, surroundings, this.limits.value),
      send: (trader) => trader.place(checked),
      onPlaced: () => {
        this.#isWanted.value = false
        this.#desk.draft.value = { ...this.#desk.draft.value, quantity: '', total: '' }
      },
      onRefused: (error) => {
        this.forecast.value = { kind: 'refused', error }
      },
    })
  }

  #problems(): Problems {
    const checked = this.checked.value?.problems ?? {}
    const problems = Object.fromEntries(
      Object.entries(checked).filter(([, { kind }]) => this.#isWanted.value || kind !== 'MISSING'),
    ) as Problems
    const forecast = this.forecast.value
    if (forecast.kind !== 'refused') return problems
    const field = this.#fieldRefused(forecast.error)
    if (field === undefined || problems[field] !== undefined) return problems
    const { nearest } = forecast.error as RefusedError
    const refused = { kind: 'REFUSED', offers: nearest === undefined ? [] : [nearest] } as const
    return { ...problems, [field]: { ...refused, message: messageOf(forecast.error) } }
  }

  /** The field that a refusal names. */
  #fieldRefused(error: unknown): NumberFieldName | undefined {
    if (!(error instanceof RefusedError)) return undefined
    return fieldsOf(this.#desk.draft.value).find((field) => field === error.parameter)
  }

  /** Asks what would become of the order: a little later, and now and then as the market moves on. */
  #testSoon(): (() => void) | undefined {
    const [checked, trader, isLive] = [this.checked.value, this.#desk.trader.value, this.#desk.isLive.value]
    this.forecast.value = { kind: 'none' }
    if (checked?.order === undefined || trader === undefined || !isLive) return
    const stop = new AbortController()
    const test = async () => {
      try {
        const order = await trader.test(checked, stop.signal)
        if (!stop.signal.aborted && order !== undefined) this.forecast.value = { kind: 'tested', order }
      } catch (error) {
        if (!stop.signal.aborted) this.forecast.value = { kind: 'refused', error }
      }
      if (!stop.signal.aborted) timer = setTimeout(test, TEST_EVERY_MS)
    }
    let timer = setTimeout(test, TEST_DELAY_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
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
