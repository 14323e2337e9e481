/** Orders that are placed again under their client order id (docs/reference/client-order-ids.md#repeats). */
import { isBuyByQuantity, type PlaceOrder } from '../../src/core/commands/orders.ts'
import type { OrderAccepted } from '../../src/core/questions/reply.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import { bigintOf } from '../../src/units/whole.ts'
import type { IdOfOrder } from './shadow-ids.ts'
import { isInRange, isOfNewerRules, QUANTITY_RULES } from './shadow-refusals.ts'
import { type Applied, demand, roundedDown, roundedUp, type ShadowState } from './shadow-state.ts'

/**
 * Returns true if the order's id is remembered: then the order gets its earlier answer or is refused, and
 * nothing else happens.
 */
export function checkRepeat(state: ShadowState, { reply, events }: Applied, command: PlaceOrder): boolean {
  const symbol = state.symbols[command.symbolId]
  const isKnown =
    (!isBuyByQuantity(command) || state.rulesVersion >= QUANTITY_RULES) && !isOfNewerRules(state, command)
  const isPossible = isKnown && symbol !== undefined && isInRange(command)
  const known = isPossible ? state.ids.find(command) : undefined
  if (known === undefined || symbol === undefined) {
    demand(
      reply.kind !== 'OrderRepeated',
      () => `no order is known by ${command.clientOrderId}, to be repeated`,
    )
    return false
  }
  demand(events.length === 0, () => `an order that is known by ${command.clientOrderId} causes nothing`)
  if (known.kind === 'ORDER' && known.replacement === undefined && isSameOrder(symbol, known, command)) {
    const wanted = { ...known.answer, kind: 'OrderRepeated' }
    demand(Bun.deepEquals(reply, wanted), () => `order ${known.number} is answered as it was`)
  } else {
    const isDuplicate = reply.kind === 'Refused' && reply.reason === 'DUPLICATE_CLIENT_ORDER_ID'
    demand(isDuplicate, () => `${command.clientOrderId} stands for another order, found ${reply.kind}`)
  }
  return true
}

/** Whether an order means the same as the known one. */
export function isSameOrder(symbol: TradingSymbol, known: IdOfOrder, command: PlaceOrder): boolean {
  const { symbolMode } = known
  return meaningOf(symbol, symbolMode, command) === meaningOf(symbol, symbolMode, known.command)
}

/**
 * All parameters of an order, as text. The total of an order with a limit is left out if it is sufficient.
 */
function meaningOf(symbol: TradingSymbol, symbolMode: string, command: PlaceOrder): string {
  const { symbolId, side, type, timeInForce, price, stopPrice, quantity, total, selfTradeMode } = command
  const { expireTime } = command
  const worth = BigInt(price ?? 0) * BigInt(quantity ?? 0)
  const fits =
    total === undefined || [roundedDown(symbol, worth), roundedUp(symbol, worth)].includes(bigintOf(total))
  const asked = price === undefined || !fits ? total : undefined
  return [
    symbolId,
    side,
    type,
    timeInForce,
    price,
    stopPrice,
    command.trailingDelta,
    quantity,
    command.icebergQuantity,
    asked,
    expireTime,
    selfTradeMode ?? symbolMode,
  ].join(' ')
}

/** An order was accepted. */
export function rememberOrder(
  state: ShadowState,
  command: PlaceOrder,
  answer: OrderAccepted,
  replacement?: IdOfOrder['replacement'],
): void {
  const { accountId, clientOrderId } = command
  if (clientOrderId === undefined) return
  const symbolMode = state.symbols[command.symbolId]?.selfTradeMode ?? ''
  const { orderNumber: number, time } = answer
  const named = { kind: 'ORDER', accountId, clientOrderId, number, time } as const
  state.ids.add({ ...named, command, symbolMode, answer, replacement }, state.orders.has(number))
}
