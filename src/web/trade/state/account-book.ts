/** What the page knows of the account, from the private feed alone (docs/reference/private-feed.md). */
import { computed, signal } from '@preact/signals'
import type { Balance } from '../../../client/interface/messages.ts'
import type { Fill, Order } from '../../../client/interface/orders.ts'
import type { FeedUpdate } from '../../../client/stream/feed-subscription.ts'
import type { SubscriptionState } from '../../../client/stream/topic.ts'

/** The last fills are shown; history has the others. */
export const FILLS_MAX = 50

export type AccountChannel = 'orders' | 'fills' | 'balances'

export class AccountBook {
  /** Open orders, newest first. */
  readonly orders = signal<readonly Order[]>([])
  /** Newest first. */
  readonly fills = signal<readonly Fill[]>([])
  readonly balances = signal<ReadonlyMap<string, Balance>>(new Map())
  readonly #states = signal<{ readonly [Channel in AccountChannel]: SubscriptionState }>({
    orders: 'stale',
    fills: 'stale',
    balances: 'stale',
  })
  /** What is shown is what is. */
  readonly isLive = computed(() => Object.values(this.#states.value).every((state) => state === 'live'))

  stateChanged(channel: AccountChannel, state: SubscriptionState): void {
    this.#states.value = { ...this.#states.value, [channel]: state }
  }

  takeOrders({ kind, rows }: FeedUpdate<'orders'>): void {
    const kept = kind === 'state' ? [] : this.orders.value
    const byId = new Map(kept.map((order) => [order.id, order]))
    for (const order of rows) {
      if (isOpen(order)) byId.set(order.id, order)
      else byId.delete(order.id)
    }
    this.orders.value = [...byId.values()].sort(
      (one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1),
    )
  }

  /** What has happened since the last update; of a state it is nothing. */
  takeFills({ kind, rows }: FeedUpdate<'fills'>): readonly Fill[] {
    if (kind === 'state') return []
    this.fills.value = [...rows.toReversed(), ...this.fills.value].slice(0, FILLS_MAX)
    return rows
  }

  takeBalances({ kind, rows }: FeedUpdate<'balances'>): void {
    const balances = new Map(kind === 'state' ? [] : this.balances.value)
    for (const balance of rows) balances.set(balance.asset, balance)
    this.balances.value = balances
  }
}

function isOpen({ status }: Order): boolean {
  return status === 'NEW' || status === 'PARTIALLY_FILLED'
}
