/**
 * A call that came over HTTP: its language is that of its headers, and its limits are those of its address and account.
 */
import { type Language, pickLanguage } from '../../wire/language.ts'
import type { AddressLimits } from '../access/limits/address-limits.ts'
import type { OrderCount, OrderLimits } from '../access/limits/order-limits.ts'
import { Refusal } from '../common/refusal.ts'
import { Call, type CallOptions } from '../trading/call.ts'
import type { RequestContext } from './request-context.ts'

/** What calls are counted against. */
export type CallLimits = { readonly addresses: AddressLimits; readonly orders: OrderLimits }

export class HttpCall extends Call {
  /** Set when an order was counted: what the answer's headers say. */
  orderCounts: readonly OrderCount[] = []
  readonly #context: RequestContext
  readonly #limits: CallLimits

  constructor(options: CallOptions, context: RequestContext, limits: CallLimits) {
    super(options)
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
}
