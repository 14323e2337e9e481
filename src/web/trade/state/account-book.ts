/**
 * The page's data about the account, received only from the private feed (docs/reference/private-feed.md).
 */
import { computed, signal } from '@preact/signals'
import type { Balance } from '../../../client/interface/messages.ts'
import type { Fill, Order } from '../../../client/interface/orders.ts'
import type { FeedUpdate } from '../../../client/stream/feed-subscription.ts'
import type { StreamError } from '../../../client/stream/messages.ts'
import type { SubscriptionState } from '../../../client/stream/topic.ts'

/** Maximum number of fills kept here; history has the others. */
export const FILLS_MAX = 50

/** Maximum number of orders kept that ended while the page was open; history has the others. */
const ENDED_MAX = 1_000

/** A change of an order that the user did not make. */
export type OrderHappening = {
  /** CANCELED_ELSEWHERE: by a request that this page did not send. */
  readonly kind: 'TRIGGERED' | 'ENDED' | 'CANCELED_ELSEWHERE'
  readonly order: Order
}

export type AccountChannel = 'orders' | 'fills' | 'balances'

/** A channel that the exchange refuses to this key until the cause is fixed. */
export type ChannelRefusal = { readonly channel: AccountChannel; readonly error: StreamError }

export class AccountBook {
  /** Open orders, newest first. */
  readonly orders = signal<readonly Order[]>([])
  /** Newest first. */
  readonly fills = signal<readonly Fill[]>([])
  readonly balances = signal<ReadonlyMap<string, Balance>>(new Map())
  /** Number of updates: data that was read elsewhere before an update is outdated. */
  readonly changes = signal(0)
  readonly #openById = new Map<string, Order>()
  readonly #endedById = new Map<string, Order>()
  /** The ids of orders whose end this page has requested, one set per request. */
  readonly #expected = new Set<Set<string>>()
  /** The last command whose changes the orders include. */
  #ordersSeq = 0
  /** Kept until the orders change: the page reads it with each frame. */
  #prices: {
    readonly of: readonly Order[]
    readonly byBook: ReadonlyMap<string, ReadonlySet<string>>
  } = { of: [], byBook: new Map() }
  readonly #states = signal<{ readonly [Channel in AccountChannel]: SubscriptionState }>({
    orders: 'stale',
    fills: 'stale',
    balances: 'stale',
  })
  readonly #refusals = signal<readonly ChannelRefusal[]>([])
  /** Channels that the exchange refuses to this key: the account never becomes live with it. */
  readonly refusals = computed(() => this.#refusals.value)
  /** The displayed data is current. */
  readonly isLive = computed(() => Object.values(this.#states.value).every((state) => state === 'live'))

  /** `error`: the reason why the exchange has closed the channel. */
  stateChanged(channel: AccountChannel, state: SubscriptionState, error?: StreamError): void {
    this.#states.value = { ...this.#states.value, [channel]: state }
    if (error !== undefined) this.#refusals.value = [...this.#refusals.value, { channel, error }]
  }

  /**
   * Notes that this page has requested the end of these open orders, so their end is not reported as news.
   * The returned function must be called if the request was refused; a second request for the same orders
   * still counts.
   */
  expectEnds(isMeant: (order: Order) => boolean): () => void {
    const ids = new Set(
      this.orders
        .peek()
        .filter(isMeant)
        .map(({ id }) => id),
    )
    if (ids.size > 0) this.#expected.add(ids)
    return () => this.#expected.delete(ids)
  }

  /** Returns the events since the last update; none for a complete state. */
  takeOrders({ kind, seq, rows }: FeedUpdate<'orders'>): readonly OrderHappening[] {
    this.#ordersSeq = seq
    const [open, ended] = [this.#openById, this.#endedById]
    if (kind === 'state') open.clear()
    let isNew = kind === 'state'
    const happenings: OrderHappening[] = []
    for (const order of rows) {
      const happened = kind === 'state' ? undefined : this.#happened(order)
      if (happened !== undefined) happenings.push({ kind: happened, order })
      if (isOpen(order)) {
        isNew ||= !open.has(order.id)
        open.set(order.id, order)
        continue
      }
      open.delete(order.id)
      ended.set(order.id, order)
      const [oldest] = ended.keys()
      if (ended.size > ENDED_MAX && oldest !== undefined) ended.delete(oldest)
    }
    // Changed or ended orders leave the others in place: an account may have thousands.
    this.orders.value = isNew
      ? [...open.values()].sort(byAge)
      : this.orders.value.flatMap(({ id }) => open.get(id) ?? [])
    // After a complete state, each of these orders has ended, or its request was refused.
    if (kind === 'state') this.#expected.clear()
    this.changes.value++
    return happenings
  }

  /** The prices at which own open orders rest on a side of a book, each once. */
  ownPrices(symbol: string, side: Order['side']): ReadonlySet<string> {
    const orders = this.orders.peek()
    if (this.#prices.of !== orders) this.#prices = { of: orders, byBook: pricesByBook(orders) }
    return this.#prices.byBook.get(bookOf({ symbol, side })) ?? new Set()
  }

  #happened(order: Order): OrderHappening['kind'] | undefined {
    if (isOpen(order)) {
      const before = this.#openById.get(order.id)
      const isTriggered = order.triggeredAt !== undefined && before?.triggeredAt === undefined
      return isTriggered && before !== undefined ? 'TRIGGERED' : undefined
    }
    const isExpected = this.#isExpected(order.id)
    if (order.status !== 'CANCELED' || isExpected) return undefined
    return order.endReason === 'USER' ? 'CANCELED_ELSEWHERE' : 'ENDED'
  }

  /** Whether the end of this order is expected. Forgets it, since an order ends only once. */
  #isExpected(id: string): boolean {
    let isExpected = false
    for (const ids of this.#expected) {
      if (ids.delete(id)) isExpected = true
      if (ids.size === 0) this.#expected.delete(ids)
    }
    return isExpected
  }

  /**
   * Undefined if the order was neither open since the page was loaded, nor among the last ones that ended.
   */
  known(id: string): Order | undefined {
    return this.#openById.get(id) ?? this.#endedById.get(id)
  }

  /**
   * The known state of the order if it includes this command, otherwise undefined: fills and orders arrive in
   * any order.
   */
  knownSince(id: string, seq: number): Order | undefined {
    return this.#ordersSeq >= seq ? this.known(id) : undefined
  }

  /**
   * Takes the time since which an order follows the price from an order that was read elsewhere: updates do
   * not contain it.
   */
  learnBegin({ id, trailingTime }: Order): void {
    const known = this.#openById.get(id)
    if (known === undefined || trailingTime === undefined || known.trailingTime !== undefined) return
    this.#openById.set(id, { ...known, trailingTime })
    this.orders.value = this.orders.value.flatMap((order) => this.#openById.get(order.id) ?? [])
    this.changes.value++
  }

  /** The newest known state of the order; `changes` signals when it may have changed. */
  newest(order: Order): Order {
    const known = this.known(order.id) ?? order
    return known.updatedAt >= order.updatedAt ? known : order
  }

  /** Returns the new fills since the last update; none for a complete state. */
  takeFills({ kind, rows }: FeedUpdate<'fills'>): readonly Fill[] {
    this.changes.value++
    if (kind === 'state') return []
    this.fills.value = [...rows.toReversed(), ...this.fills.value].slice(0, FILLS_MAX)
    return rows
  }

  takeBalances({ kind, rows }: FeedUpdate<'balances'>): void {
    const balances = new Map(kind === 'state' ? [] : this.balances.value)
    for (const balance of rows) balances.set(balance.asset, balance)
    this.balances.value = balances
    this.changes.value++
  }
}

function bookOf({ symbol, side }: Pick<Order, 'symbol' | 'side'>): string {
  return `${symbol} ${side}`
}

function pricesByBook(orders: readonly Order[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byBook = new Map<string, Set<string>>()
  for (const order of orders) {
    if (order.isWorking !== true || order.price === undefined) continue
    const book = bookOf(order)
    const prices = byBook.get(book)
    if (prices === undefined) byBook.set(book, new Set([order.price]))
    else prices.add(order.price)
  }
  return byBook
}

/** Newest first. */
function byAge(one: Order, other: Order): number {
  return other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1)
}

function isOpen({ status }: Order): boolean {
  return status === 'NEW' || status === 'PARTIALLY_FILLED'
}
