/**
 * Orders placed again under their client order id (docs/reference/client-order-ids.md#repeats). They are
 * recognized before anything that may have changed since is checked: the sender must learn the outcome of the
 * first order, whatever the outcome would be now.
 */
import { ByteWriter } from '../../units/bytes.ts'
import type { SelfTradeMode } from '../../units/order-enums.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { REPLACING_CODEC, type Replacement, type ReplaceOrder } from '../commands/order-changes.ts'
import type { PlaceList } from '../commands/order-lists.ts'
import type { PlaceOrder } from '../commands/orders.ts'
import { writePlaceList } from '../commands/place-list-codec.ts'
import { writePlaceOrder } from '../commands/place-order-codec.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import {
  type ListAccepted,
  type ListRepeated,
  type OrderAccepted,
  type OrderRepeated,
  type OrderReplaced,
  type Refused,
  refused,
} from '../questions/reply.ts'
import { type IdentifiedOrder, meaningOf } from './identified-order.ts'
import { idsOf, isWellFormedList } from './lists/list-checks.ts'
import { orderNumberIn } from './lists/order-lists.ts'
import { isWellFormed } from './order-checks.ts'

/** The answer to an order whose id is remembered; undefined if it is a new one. Changes nothing. */
export function repeatOf(
  state: ExchangeState,
  market: Market,
  command: PlaceOrder,
): OrderRepeated | Refused | undefined {
  const { accountId, clientOrderId } = command
  if (clientOrderId === undefined || !isWellFormed(command)) return undefined
  const known = state.clientOrderIds.find(accountId, clientOrderId)
  if (known === undefined) return undefined
  if (known.kind !== 'ORDER') return refused('DUPLICATE_CLIENT_ORDER_ID')
  // A replacement is another kind of request, so the order that it placed is not the same.
  const isSame = known.replacement === undefined && isSameOrder(command, market, known)
  return isSame ? { kind: 'OrderRepeated', ...known.answer } : refused('DUPLICATE_CLIENT_ORDER_ID')
}

/**
 * The answer to a replacement whose new order has a remembered id; undefined if it is a new one. Changes
 * nothing.
 */
export function replacementRepeatOf(
  state: ExchangeState,
  market: Market,
  command: ReplaceOrder,
): OrderReplaced | Refused | undefined {
  const { order } = command
  if (order.clientOrderId === undefined || !isWellFormed(order)) return undefined
  const known = state.clientOrderIds.find(order.accountId, order.clientOrderId)
  if (known === undefined) return undefined
  if (known.kind !== 'ORDER') return refused('DUPLICATE_CLIENT_ORDER_ID')
  const { replacement, answer } = known
  const isSame =
    replacement !== undefined &&
    sameBytes(bytesOfReplacing(command), bytesOfReplacing(replacement)) &&
    isSameOrder(order, market, known)
  if (!isSame) return refused('DUPLICATE_CLIENT_ORDER_ID')
  const placed = { kind: 'OrderAccepted', ...answer } as const
  return { kind: 'OrderReplaced', cancelRefusal: replacement.cancelRefusal, placed, repeated: true }
}

function isSameOrder(command: PlaceOrder, market: Market, known: IdentifiedOrder): boolean {
  return sameBytes(bytesOf(meaningOf(command, market, known.symbolMode)), bytesOf(known.asked))
}

/** Remembers an order that was just placed and its answer, if it has an id. */
export function rememberOrder(
  state: ExchangeState,
  market: Market,
  command: PlaceOrder,
  accepted: OrderAccepted,
  replacement?: Replacement,
): void {
  const { clientOrderId } = command
  if (clientOrderId === undefined) return
  const symbolMode = market.symbol.selfTradeMode
  const asked = meaningOf(command, market, symbolMode)
  const { kind: _, ...answer } = accepted
  const order = { kind: 'ORDER', clientOrderId, asked, symbolMode, answer, replacement } as const
  state.clientOrderIds.add(order, state.orders.has(answer.orderNumber))
}

/**
 * The answer to a list whose id, or one of whose orders' ids, is remembered; undefined if all of them are
 * new. Changes nothing.
 */
export function repeatOfList(state: ExchangeState, command: PlaceList): ListRepeated | Refused | undefined {
  if (!isWellFormedList(command)) return undefined
  const { accountId, listClientOrderId } = command
  for (const id of idsOf(command)) {
    const known = state.clientOrderIds.find(accountId, id)
    if (known === undefined) continue
    const isItself = id === listClientOrderId && known.kind === 'LIST'
    const isSame = isItself && isSameList(listMeaningOf(command, known.symbolMode), known.asked)
    return isSame ? { kind: 'ListRepeated', ...known.answer } : refused('DUPLICATE_CLIENT_ORDER_ID')
  }
  return undefined
}

/** Remembers a list that was just placed, and those of its orders that have ids. */
export function rememberList(
  state: ExchangeState,
  { symbol }: Market,
  command: PlaceList,
  answer: ListAccepted,
): void {
  const { accountId, symbolId, listClientOrderId, legs } = command
  const symbolMode = symbol.selfTradeMode
  const { listNumber, time } = answer
  if (listClientOrderId !== undefined) {
    const asked = listMeaningOf(command, symbolMode)
    const list = { kind: 'LIST', clientOrderId: listClientOrderId, asked, symbolMode, answer } as const
    state.clientOrderIds.add(list, state.lists.get(listNumber) !== undefined)
  }
  for (const [place, { clientOrderId }] of legs.entries()) {
    if (clientOrderId === undefined) continue
    const orderNumber = orderNumberIn(listNumber, place)
    const leg = { kind: 'LEG', clientOrderId, accountId, symbolId, orderNumber, time } as const
    state.clientOrderIds.add(leg, state.orders.has(orderNumber))
  }
}

/** The parameters of a list, if the symbol's self-trade mode is `symbolMode`. */
function listMeaningOf(command: PlaceList, symbolMode: SelfTradeMode): PlaceList {
  const own = { listClientOrderId: undefined, sessionNumber: undefined, keyNumber: undefined }
  return { ...command, ...own, selfTradeMode: command.selfTradeMode ?? symbolMode }
}

function isSameList(one: PlaceList, other: PlaceList): boolean {
  return sameBytes(listBytesOf(one), listBytesOf(other))
}

function listBytesOf(meaning: PlaceList): Uint8Array {
  const writer = new ByteWriter(256)
  writePlaceList(writer, meaning)
  return writer.take()
}

function bytesOf(meaning: PlaceOrder): Uint8Array {
  const writer = new ByteWriter(64)
  writePlaceOrder(writer, meaning)
  return writer.take()
}

function bytesOfReplacing(replacing: Pick<ReplaceOrder, 'target' | 'mode' | 'restriction'>): Uint8Array {
  const writer = new ByteWriter(64)
  REPLACING_CODEC.write(writer, replacing)
  return writer.take()
}
