/**
 * The books of the second bookkeeper: removal of orders, and the check that every changed level was
 * published.
 */
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import type { ExchangeEvent, OrderPlaced } from '../../src/core/events/event.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { Side } from '../../src/units/order-enums.ts'
import { close, partnerOf, roleOf } from './shadow-lists.ts'
import { demand, levelQuantity, neededFor, type ShadowOrder, type ShadowState } from './shadow-state.ts'

/**
 * Removes the order from the book or from the waiting orders; its remaining hold becomes free, except for
 * what the other order of its pair needs.
 */
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

/** Shows an order, or its next part, behind all other orders at its price. */
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

/** Sets an order's hold to what it needs from now on; an OCO pair holds the larger of the two needs. */
export function hold(state: ShadowState, order: ShadowOrder): void {
  holdTogether(state, order, partnerOf(state, order))
}

/** One order of the pair is recorded with the complete hold. */
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

/** The levels that lose a canceled order: its own, if it rests. */
export function levelOf(state: ShadowState, order: ShadowOrder): Set<string> {
  const rests = state.book(order.symbol.id)[order.side].includes(order)
  return new Set(rests ? [levelKey(order.side, order.price)] : [])
}

/** Checks for one event per changed level, with the quantity that rests there now. */
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

/**
 * Checks that the event of a placement has the figures of the command, the mode in force, and the order's
 * place in its list.
 */
export function checkPlaced(command: PlaceOrder, order: ShadowOrder, mode: string, event: OrderPlaced): void {
  const words = (order: PlaceOrder | OrderPlaced) =>
    [
      order.symbolId,
      order.side,
      order.type,
      order.timeInForce,
      order.price,
      order.stopPrice,
      order.trailingDelta,
      order.quantity,
      order.total,
      order.icebergQuantity,
      order.expireTime,
    ].join()
  const { clientOrderId, list } = order
  const { inList } = event
  const asked = `${words(command)},${command.keyNumber},${mode},${clientOrderId},${list?.number},${roleOf(order)}`
  const said = `${words(event)},${event.keyNumber},${event.selfTradeMode},${event.clientOrderId},${inList?.listNumber},${inList?.role}`
  demand(said === asked, () => `placed is what was asked: ${asked}, found ${said}`)
}
