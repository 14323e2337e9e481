/**
 * The ends of open orders, as the second bookkeeper expects them: before an order, the orders of its list
 * that end with it, each with its full remainder (docs/reference/order-lists.md#what-ends-a-list).
 */
import type { CancelCause, ExchangeEvent, LevelChanged } from '../../src/core/events/event.ts'
import { checkLevels, leave, levelKey, levelOf } from './shadow-book.ts'
import { endingWith } from './shadow-lists.ts'
import { type Applied, demand, type ShadowOrder, type ShadowState } from './shadow-state.ts'

/** Events that a command caused: levels, which are checked at the end, and all others in their order. */
export class Caused {
  readonly levels: readonly LevelChanged[]
  readonly #others: ExchangeEvent[]

  constructor(events: readonly ExchangeEvent[]) {
    this.levels = events.filter((event) => event.kind === 'LevelChanged')
    this.#others = events.filter((event) => event.kind !== 'LevelChanged')
  }

  next(): ExchangeEvent | undefined {
    return this.#others.shift()
  }

  demandNoMore(): void {
    demand(this.#others.length === 0, () => `nothing more is caused, found ${this.#others[0]?.kind}`)
  }
}

/** Ends an order after those that end with it. Returns those that rested. */
export function endNext(
  state: ShadowState,
  order: ShadowOrder,
  cause: CancelCause,
  caused: Caused,
): ShadowOrder[] {
  const rested = endingWith(state, order).filter((other) => endAlone(state, other, 'LIST', caused.next()))
  return endAlone(state, order, cause, caused.next()) ? [...rested, order] : rested
}

/** Returns whether the order rested. */
export function endAlone(
  state: ShadowState,
  order: ShadowOrder,
  cause: CancelCause,
  event: ExchangeEvent | undefined,
): boolean {
  const isEnd =
    event?.kind === 'OrderCanceled' &&
    event.orderNumber === order.number &&
    event.accountId === order.account &&
    event.cause === cause &&
    event.quantity === order.remaining
  demand(
    isEnd,
    () =>
      `order ${order.number} ends for ${cause}, giving up ${order.remaining}, found ${JSON.stringify(event)}`,
  )
  const rested = levelOf(state, order).size > 0
  leave(state, order)
  return rested
}

/** Checks a command that only ends an order, with those that end with it. */
export function checkEnd(
  state: ShadowState,
  order: ShadowOrder,
  events: Applied['events'],
  cause: CancelCause,
): void {
  const caused = new Caused(events)
  const rested = endNext(state, order, cause, caused)
  caused.demandNoMore()
  checkLevelsOf(state, rested, caused.levels)
}

/** For removed orders that rested: each level of every symbol, once. */
export function checkLevelsOf(
  state: ShadowState,
  rested: readonly ShadowOrder[],
  levels: readonly LevelChanged[],
): void {
  for (const symbol of state.symbols) {
    const touched = rested.filter((order) => order.symbol.id === symbol.id)
    const changes = levels.filter(({ symbolId }) => symbolId === symbol.id)
    checkLevels(state, symbol, changes, new Set(touched.map(({ side, price }) => levelKey(side, price))))
  }
}
