/**
 * Orders that wait for a price, as the second bookkeeper records them: which orders a command's trades
 * reached, and which is next (docs/reference/waiting-orders.md#triggering).
 */
import type { PlaceImmediate, PlaceStop, TriggerOrder } from '../../src/core/commands/orders.ts'
import type { AccountId, SymbolId } from '../../src/units/ids.ts'
import type { SelfTradeMode, TimeInForce } from '../../src/units/order-enums.ts'
import { amount, type Lots, type Price, type TimeMs } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { isReachedAt, isRising } from './shadow-reached.ts'
import {
  demand,
  type ShadowList,
  type ShadowOrder,
  type ShadowState,
  type ShadowStop,
} from './shadow-state.ts'
import { followPrices } from './shadow-trailing.ts'

export function stopOf({ type, side, stopPrice, trailingDelta, price, total }: PlaceStop): ShadowStop {
  const isBudget = side === 'BUY' && price === undefined
  return {
    price: stopPrice,
    isRising: isRising(type, side),
    total: isBudget ? bigintOf(total ?? amount(0)) : undefined,
    triggeredAt: undefined,
    trailing: trailingDelta && {
      delta: trailingDelta,
      isNext: stopPrice === undefined,
      since: undefined,
      best: undefined,
    },
  }
}

/** Called when a command traded at these prices, in this order. */
export function reach(state: ShadowState, symbol: number, prices: readonly number[]): void {
  const [first] = prices
  if (first === undefined) return
  const from = state.lastPrices[symbol] ?? first
  state.lastPrices[symbol] = prices.at(-1) as number
  const triggers = followPrices(state, symbol, prices)
  const isReached = (order: ShadowOrder) => {
    const { stop } = order
    if (order.symbol.id !== symbol || stop === undefined) return false
    if (stop.trailing !== undefined) return triggers.has(order)
    return prices.some((price) => isReachedAt(stop, price))
  }
  const reached = state.waiting.filter(isReached)
  for (const order of reached) state.waiting.splice(state.waiting.indexOf(order), 1)
  const away = (order: ShadowOrder) => Math.abs((triggers.get(order) ?? order.stop?.price ?? 0) - from)
  for (const order of reached) state.dueSince.set(order, state.seq)
  state.due.push(...reached.sort((a, b) => (away(a) === away(b) ? a.turn - b.turn : away(a) - away(b))))
}

/** Due orders are carried out if the symbol and both of its assets trade. */
export function carriesOut({ symbols, assets, phases, time }: ShadowState, symbol: number): boolean {
  const now = symbols[symbol]
  if (phases.at(time) !== 'TRADING') return false
  if (now?.state !== 'TRADING') return false
  return assets[now.base]?.isTrade === true && assets[now.quote]?.isTrade === true
}

/** The order that the engine reports as due, which must be the first one of its symbol. */
export function takeTurn(state: ShadowState, { orderNumber }: TriggerOrder): ShadowOrder {
  const order = state.due.find(({ number }) => number === orderNumber)
  demand(order !== undefined, () => `order ${orderNumber} is not due`)
  const first = state.due.find(({ symbol }) => symbol.id === order.symbol.id)
  demand(first === order, () => `it is the turn of order ${first?.number}, not of ${orderNumber}`)
  const list = state.dueLists.find(({ symbol }) => symbol.id === order.symbol.id)
  const isOlder = list !== undefined && dueSince(state, list) < dueSince(state, order)
  demand(!isOlder, () => `list ${list?.number} was due before order ${orderNumber}`)
  return order
}

/** The command that made something due. */
export function dueSince(state: ShadowState, one: ShadowOrder | ShadowList): number {
  return state.dueSince.get(one) ?? 0
}

/**
 * Whether the order's list ended it while it was due, in a command of the same batch: then nothing is left to
 * carry out.
 */
export function isPassedOver({ passedOver, time }: ShadowState, { orderNumber }: TriggerOrder): boolean {
  return passedOver.get(orderNumber) === time
}

export function setAside(state: ShadowState, own: TriggerOrder): void {
  if (isPassedOver(state, own)) return
  const order = takeTurn(state, own)
  state.due.splice(state.due.indexOf(order), 1)
  state.aside.push(order)
}

/** A waiting order as the order that is matched. */
export function askedOf(order: ShadowOrder): PlaceImmediate {
  const [type, timeInForce, mode] = order.words.split(' ')
  const head = {
    kind: 'PlaceOrder',
    accountId: order.account as AccountId,
    symbolId: order.symbol.id as SymbolId,
    selfTradeMode: mode as SelfTradeMode,
    clientOrderId: undefined,
  } as const
  const quantity = order.quantity as Lots
  const { side } = order
  if (type?.endsWith('_LIMIT')) {
    const price = order.price as Price
    return {
      ...head,
      type: 'LIMIT',
      side,
      timeInForce: timeInForce as TimeInForce,
      price,
      quantity,
      total: undefined,
      expireTime: order.expireTime as TimeMs | undefined,
    }
  }
  if (side === 'SELL') return { ...head, type: 'MARKET', side, quantity, total: undefined }
  const total = amount(order.stop?.total ?? 0n)
  return { ...head, type: 'MARKET', side, total, quantity: quantity === 0 ? undefined : quantity }
}
