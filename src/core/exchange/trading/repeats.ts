/**
 * Orders that are placed again under their client order id (docs/reference/client-order-ids.md#repeats). They are recognised before anything that
 * may have changed since: whoever asks again is to learn what became of the order, whatever it would meet today.
 */
import { ByteWriter } from '../../../units/bytes.ts'
import { sameBytes } from '../../../units/same-bytes.ts'
import { writeReplacing } from '../codec/commands/order-changes.ts'
import { writePlaceOrder } from '../codec/commands/orders.ts'
import type { Replacement, ReplaceOrder } from '../commands/order-changes.ts'
import type { PlaceOrder } from '../commands/orders.ts'
import type { Market } from '../market.ts'
import {
  type OrderAccepted,
  type OrderRepeated,
  type OrderReplaced,
  type Refused,
  refused,
} from '../reply.ts'
import type { ExchangeState } from '../state.ts'
import { type IdentifiedOrder, meaningOf } from './identified-order.ts'
import { isWellFormed } from './order-checks.ts'

/** The answer to an order whose id is remembered; undefined: it is a new one. Changes nothing. */
export function repeatOf(
  state: ExchangeState,
  market: Market,
  command: PlaceOrder,
): OrderRepeated | Refused | undefined {
  const { accountId, clientOrderId } = command
  if (clientOrderId === undefined || !state.recognisesRepeats || !isWellFormed(command, state))
    return undefined
  const known = state.clientOrderIds.find(accountId, clientOrderId)
  if (known === undefined) return undefined
  // An order that replaced another one was asked for otherwise.
  const isSame = known.replacement === undefined && isSameOrder(command, market, known)
  return isSame ? { kind: 'OrderRepeated', ...known.answer } : refused('DUPLICATE_CLIENT_ORDER_ID')
}

/** The answer to a replacement whose new order has an id that is remembered; undefined: it is a new one. Changes nothing. */
export function replacementRepeatOf(
  state: ExchangeState,
  market: Market,
  command: ReplaceOrder,
): OrderReplaced | Refused | undefined {
  const { order } = command
  if (order.clientOrderId === undefined || !isWellFormed(order, state)) return undefined
  const known = state.clientOrderIds.find(order.accountId, order.clientOrderId)
  if (known === undefined) return undefined
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

/** Remembers an order that was just placed and its answer, where it has an id. */
export function rememberOrder(
  state: ExchangeState,
  market: Market,
  command: PlaceOrder,
  accepted: OrderAccepted,
  replacement?: Replacement,
): void {
  const { clientOrderId } = command
  if (clientOrderId === undefined || !state.recognisesRepeats) return
  const symbolMode = market.symbol.selfTradeMode
  const asked = meaningOf(command, market, symbolMode)
  const { kind: _, ...answer } = accepted
  const order = { clientOrderId, asked, symbolMode, answer, replacement }
  state.clientOrderIds.add(order, state.orders.has(answer.orderNumber))
}

function bytesOf(meaning: PlaceOrder): Uint8Array {
  const writer = new ByteWriter(64)
  writePlaceOrder(writer, meaning)
  return writer.take()
}

function bytesOfReplacing(replacing: Pick<ReplaceOrder, 'target' | 'mode' | 'restriction'>): Uint8Array {
  const writer = new ByteWriter(64)
  writeReplacing(writer, replacing)
  return writer.take()
}
