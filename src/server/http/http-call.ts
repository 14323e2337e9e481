/**
 * A call that came over HTTP: its language is that of its headers, and its limits are those of its address
 * and account.
 */

import type { AccountLimits } from '../../contract/api/account-limits.ts'
import { type Language, pickLanguage } from '../../contract/language.ts'
import type { Reason } from '../../contract/reasons/catalogue.ts'
import type { OrderCharge } from '../../units/order-charge.ts'
import type { KeyOrders } from '../access/auth/session-keys.ts'
import {
  type CallLimits,
  charge,
  chargeRows,
  giveBackOrder,
  limitUses,
  readInTurn,
  refuseOrders,
  takeOrders,
} from '../access/limits/call-limits.ts'
import type { OrderCount } from '../access/limits/order-limits.ts'
import type { Refusal } from '../common/refusal.ts'
import { Call, type CallOptions, type Outcome } from '../trading/call.ts'
import type { Taking } from '../trading/fields.ts'
import type { Operation, Security } from '../trading/operation.ts'
import type { RequestContext } from './request-context.ts'
import type { SignatureTrial } from './signature-trial.ts'

/**
 * `TRIED` only needs the name of a key: the answer says whether it exists, and whether the signature is
 * correct.
 */
export type HttpSecurity = Security | { readonly kind: 'TRIED' }

/** An operation that HTTP offers: of trading, or about requests themselves. */
export type HttpOperation = Taking & {
  readonly security: HttpSecurity
  readonly weight: Operation['weight']
  readonly answer: (call: HttpCall) => Outcome
}

export type HttpCallOptions = CallOptions & {
  /** Present if the operation's security is `TRIED`. */
  readonly trial: SignatureTrial | undefined
  /** The orders of a customer's session key; undefined for any other key. */
  readonly keyOrders?: KeyOrders | undefined
}

export class HttpCall extends Call {
  /** Set when an order was counted: the values for the answer's headers. */
  orderCounts: readonly OrderCount[] = []
  /** Set when the answer is one that was given before. */
  isRepeat = false
  /** Set when a success counts like a refusal with this reason. */
  countsAs: Reason | undefined
  readonly trial: SignatureTrial | undefined
  readonly #context: RequestContext
  readonly #limits: CallLimits
  readonly #keyOrders: KeyOrders | undefined
  #ordersTaken = 0
  #orderCharge: OrderCharge | undefined

  constructor(options: HttpCallOptions, context: RequestContext, limits: CallLimits) {
    super(options)
    this.trial = options.trial
    this.#keyOrders = options.keyOrders
    this.#context = context
    this.#limits = limits
  }

  override get language(): Language {
    return pickLanguage(this.#context.headers.acceptLanguage)
  }

  override charge(weight: number): Refusal | undefined {
    return charge(this.#limits, this.#context, weight)
  }

  override readInTurn<T>(read: () => Promise<T>): Promise<T> | Refusal {
    return readInTurn(this.#limits, this.#context, read)
  }

  override chargeRows(weight: number): Refusal | undefined {
    return chargeRows(this.#limits, this.#context, weight)
  }

  override hasOrdersLeft(count = 1): boolean {
    return this.#limits.orders.hasLeft(this.accountId, this.#context.now, count)
  }

  override takeOrders(count: number): Refusal | undefined {
    const refusal = takeOrders(this.#limits, this.#context, this.accountId, count, this.#keyOrders)
    if (refusal !== undefined) return refusal
    this.orderCounts = this.#limits.orders.counts(this.accountId, this.#context.now)
    this.#ordersTaken = count
    this.#orderCharge = this.#limits.orders.chargeOf(this.accountId, this.#context.now, count)
    return undefined
  }

  override get orderCharge(): OrderCharge | undefined {
    return this.#orderCharge
  }

  override ordersRefused(): Refusal {
    return refuseOrders(this.#limits, this.#context, this.accountId, this.#ordersTaken)
  }

  override noteRepeat(): void {
    this.isRepeat = true
    for (; this.#ordersTaken > 0; this.#ordersTaken--) {
      this.orderCounts = giveBackOrder(this.#limits, this.#context, this.accountId)
    }
  }

  override limitUses(): Omit<AccountLimits, 'openOrders'> {
    return limitUses(this.#limits, this.#context, this.accountId)
  }
}
