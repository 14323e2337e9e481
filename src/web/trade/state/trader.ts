/** Trading with one key: the account's feed, and orders whose outcome is always found out. Nothing is sent twice by hand. */
import { signal } from '@preact/signals'
import { type BourseClient, createBourseClient } from '../../../client/client.ts'
import { BourseError } from '../../../client/errors.ts'
import type { AccountCommission, PriceTicker } from '../../../client/interface/answers.ts'
import type { Fill, Order, RepeatedOrder, TestedOrder } from '../../../client/interface/orders.ts'
import type { NewOrderParameters } from '../../../client/interface/parameters.ts'
import type { BourseStream } from '../../../client/stream/bourse-stream.ts'
import type { LoginState } from '../../../client/stream/stream-login.ts'
import type { KeptKey } from '../key/key-store.ts'
import { AccountBook } from './account-book.ts'
import type { CheckedDraft } from './draft.ts'

/** How long the page waits where the exchange does not say what became of an order, before it asks again. */
const LOOK_AGAIN_MS = 2_000

/** What became of an order that was sent. */
export type Placement =
  | { readonly kind: 'PLACED'; readonly id: string }
  | { readonly kind: 'NEVER' }
  | { readonly kind: 'REFUSED'; readonly error: unknown }

export type TraderOptions = {
  readonly url: string
  readonly key: KeptKey
  readonly onFills: (fills: readonly Fill[]) => void
}

export class Trader {
  readonly account = new AccountBook()
  readonly login = signal<LoginState | undefined>(undefined)
  /** The client order id of the order whose outcome is being looked up. */
  readonly unknown = signal<string | undefined>(undefined)
  readonly #client: BourseClient
  readonly #stream: BourseStream
  #isClosed = false

  constructor({ url, key, onFills }: TraderOptions) {
    this.#client = createBourseClient({ url, apiKey: key.apiKey, secret: key.secret })
    this.#stream = this.#client.stream({
      orders: false,
      onLogin: (state) => {
        this.login.value = state
      },
    })
    const { account } = this
    this.#stream.follow('orders', {
      onUpdate: (update) => account.takeOrders(update),
      onState: (state) => account.stateChanged('orders', state),
    })
    this.#stream.follow('fills', {
      onUpdate: (update) => onFills(account.takeFills(update)),
      onState: (state) => account.stateChanged('fills', state),
    })
    this.#stream.follow('balances', {
      onUpdate: (update) => account.takeBalances(update),
      onState: (state) => account.stateChanged('balances', state),
    })
  }

  close(): void {
    this.#isClosed = true
    this.#stream.close()
  }

  /** Connects now instead of later. */
  connect(): void {
    if (!this.#isClosed) this.#stream.connect()
  }

  /** What would become of the order now. */
  async test(checked: CheckedDraft, signal: AbortSignal): Promise<TestedOrder | RepeatedOrder | undefined> {
    const order = await this.#timed(checked)
    return order && this.#client.testOrder(order, { signal })
  }

  /** Sends an order once, and finds out what became of it, however long that takes. */
  async place(checked: CheckedDraft): Promise<Placement> {
    try {
      const order = await this.#timed(checked)
      if (order === undefined) return { kind: 'NEVER' }
      const placed = await this.#client.newOrder({ ...order, newOrderRespType: 'RESULT' })
      return { kind: 'PLACED', id: placed.order.id }
    } catch (error) {
      return error instanceof BourseError ? this.#outcomeOf(error) : { kind: 'REFUSED', error }
    }
  }

  async #outcomeOf(error: BourseError): Promise<Placement> {
    const { outcome, order, clientOrderId, deadline, firstAttempt } = error
    if (outcome === 'DONE' && order !== undefined) return { kind: 'PLACED', id: order.id }
    const isUnknown = clientOrderId !== undefined && deadline !== undefined && firstAttempt !== undefined
    if (outcome !== 'UNKNOWN' || !isUnknown) return { kind: 'REFUSED', error }
    this.unknown.value = clientOrderId
    try {
      while (!this.#isClosed) {
        const fate = await this.#client.resolveOrder({ clientOrderId, deadline, firstAttempt })
        if (fate.kind === 'PLACED') return { kind: 'PLACED', id: fate.found.id }
        if (fate.kind === 'NEVER') return { kind: 'NEVER' }
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
      }
      return { kind: 'REFUSED', error }
    } finally {
      this.unknown.value = undefined
    }
  }

  async #timed({ order, lastsMinutes }: CheckedDraft): Promise<NewOrderParameters | undefined> {
    if (order === undefined || lastsMinutes === undefined) return order
    return { ...order, expireTime: (await this.#client.serverNow()) + lastsMinutes * 60_000 }
  }

  /** `quantity`: the whole of it from now on, what was executed included. */
  async amend(order: Order, quantity: string): Promise<void> {
    await this.#client.amendOrder({ orderId: order.id, newQty: quantity })
  }

  async cancel(order: Order): Promise<void> {
    await this.#client.cancelOrder({ id: order.id })
  }

  /** All open orders of one symbol, or of all. */
  async cancelAll(symbol: string | undefined): Promise<void> {
    await this.#client.massCancel(symbol === undefined ? { scope: 'ACCOUNT' } : { scope: 'SYMBOL', symbol })
  }

  prices(signal: AbortSignal): Promise<readonly PriceTicker[]> {
    return this.#client.priceTicker({}, { signal })
  }

  commission(symbol: string): Promise<AccountCommission> {
    return this.#client.accountCommission({ symbol })
  }
}
