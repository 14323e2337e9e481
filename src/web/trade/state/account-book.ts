/** What the page knows of the account, from the private feed alone (docs/reference/private-feed.md). */
import { computed, signal } from '@preact/signals'
import type { Balance } from '../../../client/interface/messages.ts'
import type { Fill, Order } from '../../../client/interface/orders.ts'
import type { FeedUpdate } from '../../../client/stream/feed-subscription.ts'
import type { StreamError } from '../../../client/stream/messages.ts'
import type { SubscriptionState } from '../../../client/stream/topic.ts'

/** The last fills are known here; history has the others. */
export const FILLS_MAX = 50

/** So many of the orders that ended while the page was open are known here; history has the others. */
const ENDED_MAX = 1_000

/** What has become of an order by itself. */
export type OrderHappening = {
  /** CANCELED_ELSEWHERE: on request, and not this page's. */
  readonly kind: 'TRIGGERED' | 'ENDED' | 'CANCELED_ELSEWHERE'
  readonly order: Order
}

export type AccountChannel = 'orders' | 'fills' | 'balances'

/** The exchange keeps a channel from this key until somebody does something about it. */
export type ChannelRefusal = { readonly channel: AccountChannel; readonly error: StreamError }

export class AccountBook {
  /** Open orders, newest first. */
  readonly orders = signal<readonly Order[]>([])
  /** Newest first. */
  readonly fills = signal<readonly Fill[]>([])
  readonly balances = signal<ReadonlyMap<string, Balance>>(new Map())
  /** Counts the updates: what was read elsewhere is not the newest any more. */
  readonly changes = signal(0)
  readonly #openById = new Map<string, Order>()
  readonly #endedById = new Map<string, Order>()
  /** The ids of what is to end, for each time that this page has asked for it. */
  readonly #expected = new Set<Set<string>>()
  /** The last command whose orders are known. */
  #ordersSeq = 0
  /** Kept until the orders are others: the page asks with each frame. */
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
  /** Channels that this key does not get: the account is never live with it. */
  readonly refusals = computed(() => this.#refusals.value)
  /** What is shown is what is. */
  readonly isLive = computed(() => Object.values(this.#states.value).every((state) => state === 'live'))

  /** `error`: why the exchange has closed the channel. */
  stateChanged(channel: AccountChannel, state: SubscriptionState, error?: StreamError): void {
    this.#states.value = { ...this.#states.value, [channel]: state }
    if (error !== undefined) this.#refusals.value = [...this.#refusals.value, { channel, error }]
  }

  /** This page asks for the end of these open orders: it is no news. What this gives is called where it was refused; another time that asks for the same counts on. */
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

  /** What has happened since the last update; of a state it is nothing. */
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
    // What only changes or ends leaves the others where they are: an account may have thousands.
    this.orders.value = isNew
      ? [...open.values()].sort(byAge)
      : this.orders.value.flatMap(({ id }) => open.get(id) ?? [])
    // Of a state: what was to end has ended, or was refused.
    if (kind === 'state') this.#expected.clear()
    this.changes.value++
    return happenings
  }

  /** The prices at which open orders rest in a side of a book, each once. */
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

  /** It has ended, and does so once. */
  #isExpected(id: string): boolean {
    let isExpected = false
    for (const ids of this.#expected) {
      if (ids.delete(id)) isExpected = true
      if (ids.size === 0) this.#expected.delete(ids)
    }
    return isExpected
  }

  /** Undefined: it was neither open since the page is there, nor is it among the last that ended. */
  known(id: string): Order | undefined {
    return this.#openById.get(id) ?? this.#endedById.get(id)
  }

  /** The same where its order is known as it was after this command or a later one: its fills and it come in no order. */
  knownSince(id: string, seq: number): Order | undefined {
    return this.#ordersSeq >= seq ? this.known(id) : undefined
  }

  /** The same order as it is now, as far as the page knows; `changes` says when that may be another one. */
  newest(order: Order): Order {
    const known = this.known(order.id) ?? order
    return known.updatedAt >= order.updatedAt ? known : order
  }

  /** What has happened since the last update; of a state it is nothing. */
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
