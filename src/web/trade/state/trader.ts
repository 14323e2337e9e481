/**
 * Trading with one key: the account's feed, and orders whose outcome is always found, so that the user never
 * has to send anything twice.
 */
import { type ReadonlySignal, signal } from '@preact/signals'
import { type BourseClient, createBourseClient } from '../../../client/client.ts'
import { Decimal } from '../../../client/decimal.ts'
import { BourseError } from '../../../client/errors.ts'
import type { Resolution } from '../../../client/http/placements.ts'
import type { AccountCommission, LedgerEntry, PriceTicker } from '../../../client/interface/answers.ts'
import type { Fill, Order, OrderList, RepeatedOrder, TestedOrder } from '../../../client/interface/orders.ts'
import type {
  NewOcoParameters,
  NewOrderParameters,
  NewOtocoParameters,
  NewOtoParameters,
} from '../../../client/interface/parameters.ts'
import type { PlaceOptions } from '../../../client/requests.ts'
import type { BourseStream } from '../../../client/stream/bourse-stream.ts'
import type { LoginState } from '../../../client/stream/stream-login.ts'
import { LIVE_WITHIN_MS } from '../../shared/live-within.ts'
import { shownLanguage, TEXTS } from '../../shared/texts/texts.ts'
import type { KeptKey } from '../key/key-store.ts'
import { AccountBook, type OrderHappening } from './account-book.ts'
import type { CheckedDraft } from './draft/draft.ts'
import type { CompleteList, ListKind } from './draft/list-draft.ts'
import type { AttemptStore, KeptAttempt } from './sending/attempt-store.ts'
import { type Found, Outcomes, type PlacedThing, type Placement } from './sending/outcomes.ts'
import { TransferWatch } from './transfer-watch.ts'

export type TraderOptions = {
  readonly url: string
  readonly key: KeptKey
  readonly attempts: AttemptStore
  readonly news: AccountNews
  /** Called for requests sent by an earlier page, or another tab. */
  readonly onFound: (found: Found) => void
  /** Called when the browser does not store the request that is about to be sent. */
  readonly onNotKept: () => void
}

/**
 * Callbacks for news of the account. `orderOf`: the state of the order after its fill or later; undefined if
 * not known yet.
 */
export type AccountNews = {
  readonly fills: (fills: readonly Fill[], orderOf: (id: string) => Order | undefined) => void
  readonly orders: (orders: readonly Order[]) => void
  readonly order: (happening: OrderHappening) => void
  readonly transfer: (entry: LedgerEntry) => void
}

/** The number of orders that have ended, and that have not ended yet. */
export type CanceledCounts = { readonly canceled: number; readonly left: number }

/** The requests that only read. */
export type AccountRequests = Pick<
  BourseClient,
  'allOrders' | 'myTrades' | 'accountLedger' | 'accountPositions' | 'orderList' | 'serverNow' | 'symbolRules'
>

export class Trader {
  readonly account = new AccountBook()
  readonly login = signal<LoginState | undefined>(undefined)
  readonly #outcomes: Outcomes
  readonly #client: BourseClient
  readonly #stream: BourseStream
  #isClosed = false

  constructor({ url, key, attempts, news, onFound, onNotKept }: TraderOptions) {
    const { apiKey, secret } = key
    this.#client = createBourseClient({ url, apiKey, secret, language: shownLanguage })
    this.#outcomes = new Outcomes({
      apiKey,
      store: attempts,
      ask: (attempt) => this.#resolve(attempt),
      alone: (name, work) => navigator.locks.request(`bourse-attempt-${name}`, work),
      now: this.#client.serverNow,
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      onFound,
      onNotKept,
    })
    this.#stream = this.#client.stream({
      orders: false,
      liveWithinMs: LIVE_WITHIN_MS,
      onLogin: (state) => {
        this.login.value = state
      },
    })
    const { account } = this
    const transfers = new TransferWatch({
      ledger: async (from, limit) => (await this.#client.accountLedger({ from, limit })).entries,
      schedule: (delayMs, callback) => setTimeout(callback, delayMs),
      onTransfer: (entry) => news.transfer(entry),
    })
    this.#stream.follow('orders', {
      onUpdate: (update) => {
        for (const happening of account.takeOrders(update)) news.order(happening)
        if (update.kind === 'change') news.orders(update.rows)
      },
      onState: (...state) => account.stateChanged('orders', ...state),
    })
    this.#stream.follow('fills', {
      onUpdate: (update) => {
        transfers.takeFills(update)
        news.fills(account.takeFills(update), (id) => account.knownSince(id, update.seq))
      },
      onState: (...state) => account.stateChanged('fills', ...state),
    })
    this.#stream.follow('balances', {
      onUpdate: (update) => {
        transfers.takeBalances(update)
        account.takeBalances(update)
      },
      onState: (...state) => account.stateChanged('balances', ...state),
    })
  }

  get requests(): AccountRequests {
    return this.#client
  }

  close(): void {
    this.#isClosed = true
    this.#outcomes.close()
    this.#stream.close()
  }

  /** The client order id of a request whose outcome is unknown. */
  get unknown(): ReadonlySignal<string | undefined> {
    return this.#outcomes.unknown
  }

  /** The browser does not store requests: a reloaded page would have no record of them. */
  get isNotKept(): ReadonlySignal<boolean> {
    return this.#outcomes.isNotKept
  }

  /** Connects now instead of later. */
  connect(): void {
    if (!this.#isClosed) this.#stream.connect()
  }

  /** Closes the connection and opens another one, retrying until it succeeds. */
  reconnect(): void {
    if (this.#isClosed) return
    this.#stream.close()
    this.#stream.connect()
  }

  /** The forecast for the order. */
  async test(checked: CheckedDraft, signal: AbortSignal): Promise<TestedOrder | RepeatedOrder | undefined> {
    const order = await this.#timed(checked)
    return order && this.#client.testOrder(order, { signal })
  }

  /** Sends an order once, and finds its outcome, however long that takes. */
  place(checked: CheckedDraft): Promise<Placement> {
    return this.#outcomes.of('ORDER', async (options) => {
      const order = await this.#timed(checked)
      if (order === undefined) throw new Error('expected a complete order')
      const placed = await this.#client.newOrder({ ...order, newOrderRespType: 'RESULT' }, options)
      return placed.order.id
    })
  }

  /** Sends a list of orders once, and finds its outcome. */
  placeList({ kind, parameters }: CompleteList): Promise<Placement> {
    return this.#outcomes.of('LIST', async (options) => {
      const list = await this.#newList(kind, parameters, options)
      return list.listId
    })
  }

  /** `parameters`: under the exchange's names for this kind. */
  #newList(
    kind: ListKind,
    parameters: CompleteList['parameters'],
    options: PlaceOptions,
  ): Promise<OrderList> {
    switch (kind) {
      case 'OCO':
        return this.#client.newOco(parameters as unknown as NewOcoParameters, options)
      case 'OTO':
        return this.#client.newOto(parameters as unknown as NewOtoParameters, options)
      case 'OTOCO':
        return this.#client.newOtoco(parameters as unknown as NewOtocoParameters, options)
    }
  }

  /**
   * Cancels an order, and places the same one at another price or for another quantity in one step, once; if
   * the order is no longer open, it does neither. `replacement`: the new order, made of the rest of the old
   * one. If `order` has changed since the user saw it, nothing is sent, since less of it is left.
   */
  async replace(order: Order, replacement: NewOrderParameters): Promise<Placement> {
    try {
      await this.#learnBegin(order)
    } catch (error) {
      return { kind: 'REFUSED', error }
    }
    if (isAnother(this.account.newest(order), order))
      return { kind: 'REFUSED', error: new Error(TEXTS.sending.changedMeanwhile) }
    const takeBack = this.account.expectEnds(({ id }) => id === order.id)
    const placement = await this.#outcomes.of('ORDER', async (options) => {
      const { replacement: placed } = await this.#client.replaceOrder(
        {
          ...replacement,
          cancelReplaceMode: 'STOP_ON_FAILURE',
          // Otherwise the quantity executed in the meantime would be bought or sold twice.
          ...(Decimal.from(order.executedQuantity).compare('0') === 0
            ? { cancelRestrictions: 'ONLY_NEW' }
            : {}),
          cancelId: order.id,
          newOrderRespType: 'RESULT',
        },
        options,
      )
      const { newOrderResponse } = placed
      return newOrderResponse.status ? newOrderResponse.data.id : order.id
    })
    if (placement.kind === 'NEVER' || (placement.kind === 'REFUSED' && isNotDone(placement.error))) takeBack()
    return placement
  }

  /**
   * No message of the feed shows that an order begins to follow the price, and its replacement would wait for
   * the price once more (docs/reference/trailing-orders.md#what-is-shown).
   */
  async #learnBegin({ id, stopPrice, trailingDelta, trailingTime, triggeredAt }: Order): Promise<void> {
    if (trailingDelta === undefined || stopPrice === undefined) return
    if (trailingTime !== undefined || triggeredAt !== undefined) return
    this.account.learnBegin(await this.#client.order({ orderId: id }))
  }

  async #resolve(attempt: KeptAttempt): Promise<Resolution<PlacedThing>> {
    if (attempt.what === 'ORDER') {
      const resolution = await this.#client.resolveOrder(attempt)
      return resolution.kind === 'PLACED'
        ? { kind: 'PLACED', found: { id: resolution.found.id, orders: [resolution.found] } }
        : resolution
    }
    const resolution = await this.#client.resolveOrderList(attempt)
    return resolution.kind === 'PLACED'
      ? { kind: 'PLACED', found: { id: resolution.found.listId, orders: resolution.found.orders } }
      : resolution
  }

  async #timed({ order, lastsMinutes }: CheckedDraft): Promise<NewOrderParameters | undefined> {
    if (order === undefined || lastsMinutes === undefined) return order
    return { ...order, expireTime: (await this.#client.serverNow()) + lastsMinutes * 60_000 }
  }

  /** `quantity`: the new total quantity, including the executed part. */
  async amend(order: Order, quantity: string): Promise<void> {
    await this.#client.amendOrder({ orderId: order.id, newQty: quantity })
  }

  /** Cancels all open orders of the order's list. */
  async cancelList({ listId }: Order): Promise<void> {
    if (listId === undefined) return
    const ofList = (order: Order) => order.listId === listId
    await this.#ending(ofList, () => this.#client.cancelOrderList({ cancelListId: listId }))
  }

  async cancel(order: Order): Promise<void> {
    await this.#ending(
      ({ id }) => id === order.id,
      () => this.#client.cancelOrder({ id: order.id }),
    )
  }

  /** Cancels all open orders of one symbol, or of all symbols. */
  cancelAll(symbol: string | undefined): Promise<CanceledCounts> {
    return this.#ending(
      (order) => symbol === undefined || order.symbol === symbol,
      () =>
        this.#client.massCancel(symbol === undefined ? { scope: 'ACCOUNT' } : { scope: 'SYMBOL', symbol }),
    )
  }

  /** An end that was not caused by this page is news. */
  async #ending<Result>(isMeant: (order: Order) => boolean, end: () => Promise<Result>): Promise<Result> {
    const takeBack = this.account.expectEnds(isMeant)
    try {
      return await end()
    } catch (error) {
      if (isNotDone(error)) takeBack()
      throw error
    }
  }

  prices(signal: AbortSignal): Promise<readonly PriceTicker[]> {
    return this.#client.priceTicker({}, { signal })
  }

  commission(symbol: string): Promise<AccountCommission> {
    return this.#client.accountCommission({ symbol })
  }
}

/** If the outcome is unknown, the change may have been made. */
function isNotDone(error: unknown): boolean {
  return error instanceof BourseError && error.outcome === 'NOT_DONE'
}

/**
 * Whether the order was filled, amended, triggered, reduced by self-trade prevention, or began to follow the
 * price since `before`.
 */
function isAnother(now: Order, before: Order): boolean {
  return CHANGING.some((field) => now[field] !== before[field])
}

const CHANGING = [
  'quantity',
  'executedQuantity',
  'preventedQuantity',
  'executedTotal',
  'triggeredAt',
  'trailingTime',
] as const
