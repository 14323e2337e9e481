/**
 * The books of the second bookkeeper: how an order leaves one, and that every level that changed was published.
 */
import type { PlaceOrder } from '../../src/core/exchange/commands/orders.ts'
import type { ExchangeEvent, OrderPlaced } from '../../src/core/exchange/event.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { Side } from '../../src/units/order-words.ts'
import { close, partnerOf, roleOf } from './shadow-lists.ts'
import { demand, levelQuantity, neededFor, type ShadowOrder, type ShadowState } from './shadow-state.ts'

/** The order leaves the book, or waits no more; what it still held is free, but for what the other of its pair needs. */
export function leave(state: ShadowState, order: ShadowOrder): void {
  if (order.list !== undefined && state.due.includes(order)) state.passedOver.set(order.number, state.time)
  for (const list of [state.book(order.symbol.id)[order.side], state.waiting, state.due, state.aside]) {
    if (list.includes(order)) list.splice(list.indexOf(order), 1)
  }
  const partner = partnerOf(state, order)
  close(state, order)
  if (order.stop !== undefined && order.stop.triggeredAt === undefined) order.waitedUntil = state.time
  order.remaining = 0
  order.stop = undefined
  holdTogether(state, order, partner)
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

/** An order holds what it needs from now on; an OCO pair what the larger of the two does. */
export function hold(state: ShadowState, order: ShadowOrder): void {
  holdTogether(state, order, partnerOf(state, order))
}

/** One of the two is said to hold it all. */
function holdTogether(state: ShadowState, order: ShadowOrder, partner: ShadowOrder | undefined): void {
  const before = order.hold + (partner?.hold ?? 0n)
  const own = neededFor(order)
  const others = partner === undefined ? 0n : neededFor(partner)
  if (partner !== undefined) partner.hold = others > own ? others : own
  order.hold = partner === undefined ? own : 0n
  const more = (partner?.hold ?? own) - before
  const [from, to] = more > 0n ? (['free', 'locked'] as const) : (['locked', 'free'] as const)
  state.moveUnits(assetHeld(order), [order.account, from], [order.account, to], more > 0n ? more : -more)
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

/** The event of a placement says what was asked for, the mode in force, and which order of which list it is. */
export function checkPlaced(command: PlaceOrder, order: ShadowOrder, mode: string, event: OrderPlaced): void {
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
  const { clientOrderId, list } = order
  const { inList } = event
  const asked = `${words(command)},${mode},${clientOrderId},${list?.number},${roleOf(order)}`
  const said = `${words(event)},${event.selfTradeMode},${event.clientOrderId},${inList?.listNumber},${inList?.role}`
  demand(said === asked, () => `placed is what was asked: ${asked}, found ${said}`)
}
