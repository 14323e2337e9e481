/**
 * Orders that are placed again under their client order id (docs/reference/client-order-ids.md#repeats). They are recognised before anything that
 * may have changed since: whoever asks again is to learn what became of the order, whatever it would meet today.
 */
import { ByteWriter } from '../../../units/bytes.ts'
import { sameBytes } from '../../../units/same-bytes.ts'
import { writePlaceOrder } from '../codec/commands/orders.ts'
import type { PlaceOrder } from '../commands/orders.ts'
import type { Market } from '../market.ts'
import { type OrderAccepted, type OrderRepeated, type Refused, refused } from '../reply.ts'
import type { ExchangeState } from '../state.ts'
import { meaningOf } from './identified-order.ts'
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
  const isSame = sameBytes(bytesOf(meaningOf(command, market, known.symbolMode)), bytesOf(known.asked))
  return isSame ? { kind: 'OrderRepeated', ...known.answer } : refused('DUPLICATE_CLIENT_ORDER_ID')
}

/** Remembers an order that was just placed and its answer, where it has an id. */
export function rememberOrder(
  state: ExchangeState,
  market: Market,
  command: PlaceOrder,
  answer: OrderAccepted,
): void {
  const { clientOrderId } = command
  if (clientOrderId === undefined || !state.recognisesRepeats) return
  const symbolMode = market.symbol.selfTradeMode
  const asked = meaningOf(command, market, symbolMode)
  state.clientOrderIds.add({ clientOrderId, asked, symbolMode, answer }, state.orders.has(answer.orderNumber))
}

function bytesOf(meaning: PlaceOrder): Uint8Array {
  const writer = new ByteWriter(64)
  writePlaceOrder(writer, meaning)
  return writer.take()
}
