/**
 * Orders that are placed again under their client order id, written from
 * docs/reference/client-order-ids.md#repeats.
 */
import type { PlaceList } from '../../src/core/commands/order-lists.ts'
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import { type ListAccepted, type OrderAccepted, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId, OrderNumber } from '../../src/units/ids.ts'
import type { SelfTradeMode } from '../../src/units/order-enums.ts'
import { Fraction } from './fraction.ts'
import { IDS_LIMITS, type ReferenceId } from './reference-ids.ts'
import { idsOf, isWellFormedList } from './reference-list-legs.ts'
import type { ReferenceState } from './reference-state.ts'

/** The answer to an order whose id is remembered. */
export function repeatOf(state: ReferenceState, command: PlaceOrder): Reply | undefined {
  const key = keyOf(command)
  const symbol = state.symbols[command.symbolId]
  if (symbol !== undefined && key !== undefined && state.ids.listed.has(key))
    return refused('DUPLICATE_CLIENT_ORDER_ID')
  const known = key === undefined ? undefined : state.ids.known.get(key)
  if (known === undefined || symbol === undefined) return undefined
  // A placement and a replacement are not the same.
  const isSame = known.replacement === undefined && isSameOrder(state, command, known)
  return isSame ? { ...known.answer, kind: 'OrderRepeated' } : refused('DUPLICATE_CLIENT_ORDER_ID')
}

/** Whether an order means the same as the known one. */
export function isSameOrder(state: ReferenceState, command: PlaceOrder, known: ReferenceId): boolean {
  const symbol = state.symbols[command.symbolId] as TradingSymbol
  return meaningOf(command, symbol, known.symbolMode) === meaningOf(known.command, symbol, known.symbolMode)
}

/** Whether one more id can be remembered. */
export function isFull(state: ReferenceState, command: PlaceOrder): boolean {
  return keyOf(command) !== undefined && !hasRoomFor(state, command.accountId, 1)
}

/** Whether `count` more ids can be remembered. */
export function hasRoomFor({ ids }: ReferenceState, accountId: AccountId, count: number): boolean {
  const all = [...ids.known.values(), ...ids.listed.values()]
  const mine = all.filter(({ command }) => command.accountId === accountId)
  return mine.length + count <= IDS_LIMITS.perAccount && all.length + count <= IDS_LIMITS.inAll
}

/** The answer to a list with a remembered id: the earlier answer if all of the list is the same. */
export function repeatOfList(state: ReferenceState, command: PlaceList): Reply | undefined {
  if (!isWellFormedList(command)) return undefined
  const keys = idsOf(command).map((id) => `${command.accountId} ${id}`)
  const taken = keys.find((key) => state.ids.known.has(key) || state.ids.listed.has(key))
  if (taken === undefined) return undefined
  const known = state.ids.listed.get(taken)
  const isItself =
    known?.orderNumber === undefined && taken === `${command.accountId} ${command.listClientOrderId}`
  if (known === undefined || !isItself) return refused('DUPLICATE_CLIENT_ORDER_ID')
  const meaning = ({ symbolId, list, legs, selfTradeMode }: PlaceList) =>
    [
      symbolId,
      list,
      selfTradeMode ?? known.symbolMode,
      ...legs.map((leg) => Object.entries(leg).sort().join()),
    ].join()
  const isSame = meaning(command) === meaning(known.command)
  return isSame ? { ...known.answer, kind: 'ListRepeated' } : refused('DUPLICATE_CLIENT_ORDER_ID')
}

export function rememberList(state: ReferenceState, command: PlaceList, answer: ListAccepted): void {
  const { selfTradeMode: symbolMode } = state.symbols[command.symbolId] as TradingSymbol
  const orders = command.legs.map(({ clientOrderId }, place) => {
    return { clientOrderId, orderNumber: (answer.listNumber + 1 + place) as unknown as OrderNumber }
  })
  const own = { clientOrderId: command.listClientOrderId, orderNumber: undefined }
  for (const { clientOrderId, orderNumber } of [own, ...orders]) {
    if (clientOrderId === undefined) continue
    const entry = { command, symbolMode, answer, orderNumber, clientOrderId }
    state.ids.listed.set(`${command.accountId} ${clientOrderId}`, entry)
    const isOpen =
      orderNumber === undefined
        ? state.lists.some(({ number }) => number === answer.listNumber)
        : state.all.some(({ number }) => number === orderNumber)
    if (!isOpen) state.ids.end(orderNumber ?? answer.listNumber, state.time)
  }
}

export function remember(
  state: ReferenceState,
  command: PlaceOrder,
  answer: OrderAccepted,
  replacement?: ReferenceId['replacement'],
): void {
  const key = keyOf(command)
  if (key === undefined) return
  const { selfTradeMode: symbolMode } = state.symbols[command.symbolId] as TradingSymbol
  state.ids.known.set(key, { command, symbolMode, answer, replacement })
  const isOpen = state.all.some(({ number }) => number === answer.orderNumber)
  if (!isOpen) state.ids.end(answer.orderNumber, state.time)
}

function keyOf({ accountId, clientOrderId }: PlaceOrder): string | undefined {
  return clientOrderId === undefined ? undefined : `${accountId} ${clientOrderId}`
}

/** The meaning of an order: all its parameters, with defaults filled in. */
function meaningOf(command: PlaceOrder, symbol: TradingSymbol, symbolMode: SelfTradeMode): string {
  const { symbolId, side, type, timeInForce, price, stopPrice, quantity, total, selfTradeMode } = command
  const { icebergQuantity, trailingDelta } = command
  const { expireTime } = command
  const worth = Fraction.decimal(price ?? 0, symbol.quoteFraction).times(
    Fraction.decimal(quantity ?? 0, symbol.baseFraction),
  )
  const places = symbol.quotePrecision
  const sent = Fraction.decimal(total ?? 0, places)
  // The total of an order with a limit adds nothing if it equals price x quantity.
  const isProduct = sent.equals(worth.roundedDown(places)) || sent.equals(worth.roundedUp(places))
  const means = total === undefined || (price !== undefined && isProduct) ? '' : `${sent}`
  return [
    symbolId,
    side,
    type,
    timeInForce,
    price,
    stopPrice,
    trailingDelta,
    quantity,
    icebergQuantity,
    means,
    expireTime,
    selfTradeMode ?? symbolMode,
  ].join()
}
