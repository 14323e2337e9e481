/** Orders that are placed again under their client order id, sentence by sentence from docs/reference/client-order-ids.md#repeats. */
import type { PlaceOrder } from '../../src/core/exchange/commands/orders.ts'
import { type OrderAccepted, type Reply, refused } from '../../src/core/exchange/reply.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { SelfTradeMode } from '../../src/units/order-words.ts'
import { Fraction } from './fraction.ts'
import { IDS_LIMITS, type ReferenceId } from './reference-ids.ts'
import type { ReferenceState } from './reference-state.ts'

/** The answer to an order whose id is remembered. */
export function repeatOf(state: ReferenceState, command: PlaceOrder): Reply | undefined {
  const key = keyOf(state, command)
  const symbol = state.symbols[command.symbolId]
  const known = key === undefined ? undefined : state.ids.known.get(key)
  if (known === undefined || symbol === undefined) return undefined
  // "A placement and a replacement are not the same."
  const isSame = known.replacement === undefined && isSameOrder(state, command, known)
  return isSame ? { ...known.answer, kind: 'OrderRepeated' } : refused('DUPLICATE_CLIENT_ORDER_ID')
}

/** Whether an order means what the one that is known meant. */
export function isSameOrder(state: ReferenceState, command: PlaceOrder, known: ReferenceId): boolean {
  const symbol = state.symbols[command.symbolId] as TradingSymbol
  return meaningOf(command, symbol, known.symbolMode) === meaningOf(known.command, symbol, known.symbolMode)
}

/** Whether one more id can be remembered. */
export function isFull(state: ReferenceState, command: PlaceOrder): boolean {
  if (keyOf(state, command) === undefined) return false
  const mine = [...state.ids.known.values()].filter((one) => one.command.accountId === command.accountId)
  return mine.length >= IDS_LIMITS.perAccount || state.ids.known.size >= IDS_LIMITS.inAll
}

export function remember(
  state: ReferenceState,
  command: PlaceOrder,
  answer: OrderAccepted,
  replacement?: ReferenceId['replacement'],
): void {
  const key = keyOf(state, command)
  if (key === undefined) return
  const { selfTradeMode: symbolMode } = state.symbols[command.symbolId] as TradingSymbol
  state.ids.known.set(key, { command, symbolMode, answer, replacement })
  const isOpen = state.all.some(({ number }) => number === answer.orderNumber)
  if (!isOpen) state.ids.end(answer.orderNumber, state.time)
}

/** docs/reference/admin.md#rules: ids have a meaning from version 5 on. */
function keyOf(state: ReferenceState, { accountId, clientOrderId }: PlaceOrder): string | undefined {
  return clientOrderId === undefined || state.rulesVersion < 5 ? undefined : `${accountId} ${clientOrderId}`
}

/** "The meaning of an order: all that it asks for, defaults filled in." */
function meaningOf(command: PlaceOrder, symbol: TradingSymbol, symbolMode: SelfTradeMode): string {
  const { symbolId, side, type, timeInForce, price, stopPrice, quantity, total, selfTradeMode } = command
  const { icebergQuantity } = command
  const { expireTime } = command
  const worth = Fraction.decimal(price ?? 0, symbol.quoteFraction).times(
    Fraction.decimal(quantity ?? 0, symbol.baseFraction),
  )
  const places = symbol.quotePrecision
  const sent = Fraction.decimal(total ?? 0, places)
  // "The total of an order with a limit says nothing more where it is price x quantity."
  const isProduct = sent.equals(worth.roundedDown(places)) || sent.equals(worth.roundedUp(places))
  const means = total === undefined || (price !== undefined && isProduct) ? '' : `${sent}`
  return [
    symbolId,
    side,
    type,
    timeInForce,
    price,
    stopPrice,
    quantity,
    icebergQuantity,
    means,
    expireTime,
    selfTradeMode ?? symbolMode,
  ].join()
}
