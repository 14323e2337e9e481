/**
 * A call that came over HTTP: its language is that of its headers, and its limits are those of its address and account.
 */
import type { AccountLimits } from '../../wire/account-limits.ts'
import { type Language, pickLanguage } from '../../wire/language.ts'
import type { Reason } from '../../wire/reasons/catalogue.ts'
import type { AddressLimits } from '../access/limits/address-limits.ts'
import type { AnswersUnderWay } from '../access/limits/answers-under-way.ts'
import type { OrderCount, OrderLimits } from '../access/limits/order-limits.ts'
import { Refusal } from '../common/refusal.ts'
import { type Answer, Call, type CallOptions } from '../trading/call.ts'
import type { Operation, Security } from '../trading/operation.ts'
import type { RequestContext } from './request-context.ts'
import type { SignatureTrial } from './signature-trial.ts'

/** What calls are counted against. */
export type CallLimits = {
  readonly addresses: AddressLimits
  readonly orders: OrderLimits
  readonly answers: AnswersUnderWay
}

/** `TRIED` needs a key by name alone: whether there is one, and whether the signature is right, is the answer. */
export type HttpSecurity = Security | { readonly kind: 'TRIED' }

/** An operation that HTTP offers: of trading, or about requests themselves. */
export type HttpOperation = {
  readonly security: HttpSecurity
  readonly weight: Operation['weight']
  readonly answer: (call: HttpCall) => Answer | Promise<Answer>
}

export type HttpCallOptions = CallOptions & {
  /** Where the operation's security is `TRIED`. */
  readonly trial: SignatureTrial | undefined
}

export class HttpCall extends Call {
  /** Set when an order was counted: what the answer's headers say. */
  orderCounts: readonly OrderCount[] = []
  /** Set when a success counts as this refusal does. */
  countsAs: Reason | undefined
  readonly trial: SignatureTrial | undefined
  readonly #context: RequestContext
  readonly #limits: CallLimits

  constructor(options: HttpCallOptions, context: RequestContext, limits: CallLimits) {
    super(options)
    this.trial = options.trial
    this.#context = context
    this.#limits = limits
  }

  override get language(): Language {
    return pickLanguage(this.#context.headers.acceptLanguage)
  }

  override charge(weight: number): Refusal | undefined {
    const { limitKey, use, now } = this.#context
    return this.#limits.addresses.charge(limitKey, use, weight, now)
  }

  override chargeRows(weight: number): Refusal | undefined {
    const { limitKey, use, now } = this.#context
    return this.#limits.addresses.chargeRows(limitKey, use, weight, now)
  }

  override takeOrder(): Refusal | undefined {
    const { addresses, orders } = this.#limits
    const { limitKey, use, now } = this.#context
    const counts = orders.take(this.accountId, now)
    if (counts instanceof Refusal) return addresses.noteRefusal(limitKey, use, now) ?? counts
    this.orderCounts = counts
    return undefined
  }

  override limitUses(): Omit<AccountLimits, 'openOrders'> {
    const { addresses, orders, answers } = this.#limits
    const { limitKey, use, now } = this.#context
    const rateLimits = [...addresses.uses(use, now), ...orders.uses(this.accountId, now)]
    return { rateLimits, answerBytes: answers.use(limitKey) }
  }
}
