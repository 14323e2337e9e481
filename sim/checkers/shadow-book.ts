/**
 * The books of the second bookkeeper: how an order leaves one, and that every level that changed was published.
 */
import type { ExchangeEvent } from '../../src/core/exchange/event.ts'
import {
  demand,
  levelQuantity,
  neededFor,
  type ShadowOrder,
  type ShadowState,
  type ShadowSymbol,
  type Side,
} from './shadow-state.ts'

/** The order leaves the book; what it still held is free. */
export function leave(state: ShadowState, order: ShadowOrder): void {
  const side = order.symbol.book[order.side]
  side.splice(side.indexOf(order), 1)
  state.orders.delete(order.number)
  order.remaining = 0
  free(state, order)
}

/** Frees what an order holds beyond its need. */
export function free(state: ShadowState, order: ShadowOrder): void {
  const needed = order.remaining === 0 ? 0n : neededFor(state, order)
  const { account } = order
  state.move(assetHeld(order), [account, 'locked'], [account, 'free'], order.hold - needed)
  order.hold = needed
}

/** One event for each level that changed, with what rests there now. */
export function checkLevels(
  symbol: ShadowSymbol,
  events: readonly ExchangeEvent[],
  touched: ReadonlySet<string>,
): void {
  const published = new Set<string>()
  for (const event of events) {
    demand(event.kind === 'LevelChanged', () => `expected LevelChanged, found ${event.kind}`)
    const now = levelQuantity(symbol, event.side, event.price)
    demand(
      event.quantity === now && event.symbolId === symbol.id,
      () => `${symbol.name} ${event.side} ${event.price} has ${now}, found ${event.quantity}`,
    )
    published.add(levelKey(event.side, event.price))
  }
  demand(
    published.size === touched.size &&
      published.size === events.length &&
      [...touched].every((key) => published.has(key)),
    () => `levels changed: ${[...touched].join(', ')}; published: ${[...published].join(', ')}`,
  )
}

export function assetHeld({ side, symbol }: ShadowOrder): number {
  return side === 'BUY' ? symbol.quote : symbol.base
}

export function levelKey(side: Side, price: number): string {
  return `${side} ${price}`
}
