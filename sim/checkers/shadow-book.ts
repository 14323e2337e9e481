/**
 * The books of the second bookkeeper: how an order leaves one, and that every level that changed was published.
 */
import type { PlaceOrder } from '../../src/core/exchange/commands/orders.ts'
import type { ExchangeEvent, OrderPlaced } from '../../src/core/exchange/event.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { Side } from '../../src/units/order-words.ts'
import { demand, levelQuantity, neededFor, type ShadowOrder, type ShadowState } from './shadow-state.ts'

/** The order leaves the book, or waits no more; what it still held is free. */
export function leave(state: ShadowState, order: ShadowOrder): void {
  for (const list of [state.book(order.symbol.id)[order.side], state.waiting, state.due, state.aside]) {
    if (list.includes(order)) list.splice(list.indexOf(order), 1)
  }
  state.orders.delete(order.number)
  state.ids.end(order.number, state.time)
  order.remaining = 0
  order.stop = undefined
  free(state, order)
}

/** Shows an order, or its next part, behind all others at its price. */
export function show(state: ShadowState, order: ShadowOrder): void {
  const side = state.book(order.symbol.id)[order.side]
  if (side.includes(order)) side.splice(side.indexOf(order), 1)
  order.shown = Math.min(order.part ?? order.remaining, order.remaining)
  let at = side.length
  while (at > 0 && isBetter(order.side, order.price, (side[at - 1] as ShadowOrder).price)) at--
  side.splice(at, 0, order)
}

function isBetter(side: Side, price: number, than: number): boolean {
  return side === 'BUY' ? price > than : price < than
}

/** Frees what an order holds beyond its need. */
export function free(state: ShadowState, order: ShadowOrder): void {
  const needed = order.remaining === 0 ? 0n : neededFor(order)
  const { account } = order
  state.moveUnits(assetHeld(order), [account, 'locked'], [account, 'free'], order.hold - needed)
  order.hold = needed
}

/** The levels that lose an order which is cancelled: its own, where it rests. */
export function levelOf(state: ShadowState, order: ShadowOrder): Set<string> {
  const rests = state.book(order.symbol.id)[order.side].includes(order)
  return new Set(rests ? [levelKey(order.side, order.price)] : [])
}

/** One event for each level that changed, with what rests there now. */
export function checkLevels(
  state: ShadowState,
  symbol: TradingSymbol,
  events: readonly ExchangeEvent[],
  touched: ReadonlySet<string>,
): void {
  const published = new Set<string>()
  for (const event of events) {
    demand(event.kind === 'LevelChanged', () => `expected LevelChanged, found ${event.kind}`)
    const now = levelQuantity(state.book(symbol.id), event.side, event.price)
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

/** The event of a placement says what was asked for, and the mode in force. */
export function checkPlaced(
  command: PlaceOrder,
  { clientOrderId }: ShadowOrder,
  mode: string,
  event: OrderPlaced,
): void {
  const words = (order: PlaceOrder | OrderPlaced) =>
    [
      order.symbolId,
      order.side,
      order.type,
      order.timeInForce,
      order.price,
      order.stopPrice,
      order.quantity,
      order.total,
      order.icebergQuantity,
      order.expireTime,
    ].join()
  const asked = `${words(command)},${mode},${clientOrderId}`
  const said = `${words(event)},${event.selfTradeMode},${event.clientOrderId}`
  demand(said === asked, () => `placed is what was asked: ${asked}, found ${said}`)
}
