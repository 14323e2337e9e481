/**
 * An order and its outcome as one object: for an open order from the engine, for a finished one from history,
 * for a new one from the command's answer (docs/reference/orders.md#order).
 */

import { type OrderObject, orderJson } from '../../contract/api/order-object.ts'
import { averagePrice, quoteScale } from '../../core/ledger/money.ts'
import type { OrderAccepted } from '../../core/questions/reply.ts'
import type { OpenOrder } from '../../core/questions/view.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { HistoryOrder } from '../../engine/history/order-history.ts'
import { type ListNumber, type Uuid, uuidOf } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { takesTimeInForce } from '../../units/order-enums.ts'
import { type Lots, lots, type Notional, type Price, type TimeMs } from '../../units/quantities.ts'
import type { Placement } from '../../views/placements.ts'
import type { RegistryView } from '../../views/registry.ts'
import { ledgerTotal } from './order-figures.ts'

/** The source of keys' names. */
export type KeyNames = Pick<RegistryView, 'keyName'>

/** Fields of an order that the engine need not store. `open`: the engine's record of it. */
export function asked(order: HistoryOrder, open: OpenOrder) {
  const { type, timeInForce, selfTradeMode, stopPrice, trailingDelta, clientOrderId, expireTime } = order
  const total = open.stop?.total ?? order.total
  return { type, timeInForce, selfTradeMode, total, stopPrice, trailingDelta, clientOrderId, expireTime }
}

type Asked = Pick<
  OrderObject,
  | 'type'
  | 'timeInForce'
  | 'selfTradeMode'
  | 'total'
  | 'stopPrice'
  | 'trailingDelta'
  | 'clientOrderId'
  | 'expireTime'
>

/** An open order as JSON. */
export function openOrderJson(order: OpenOrder, symbol: TradingSymbol, keys: KeyNames): string {
  const asked = askedOfOpen(order)
  return orderJson(openObject({ ...order, ...asked }, symbol, keys), symbol)
}

/** The trigger of an open order, and the total that it may spend. */
export function askedOfOpen({ stop }: OpenOrder) {
  return { total: stop?.total, stopPrice: stop?.price, trailingDelta: stop?.trailing?.delta }
}

/** An open order as an object. */
export function openObject(
  order: Omit<OpenOrder, keyof Asked> & Asked,
  symbol: TradingSymbol,
  keys: KeyNames,
): OrderObject {
  const { quantity, executedQuantity, remaining, commission, stop } = order
  return {
    ...common(order, order, symbol, keys),
    listId: listIdOf(order.inList?.listNumber, order.time),
    // For a waiting order, 0 means that the value was not given.
    price: order.price || undefined,
    quantity: quantity || undefined,
    commission,
    preventedQuantity: lots(quantity - executedQuantity - remaining),
    status: executedQuantity === 0 ? 'NEW' : 'PARTIALLY_FILLED',
    endReason: undefined,
    isWorking: !order.isPending && (stop === undefined || stop.triggeredAt !== undefined),
    triggeredAt: stop?.triggeredAt,
    trailingTime: stop?.trailing?.since,
    updatedAt: order.updatedAt,
  }
}

/** An order that has ended. */
export function endedObject(order: HistoryOrder, symbol: TradingSymbol, keys: KeyNames): OrderObject {
  const { end, price, quantity, orderNumber } = order
  invariant(end !== undefined, () => `order ${orderNumber} is neither open nor ended`)
  return {
    ...common({ ...order, total: end.learnedTotal ?? order.total }, end, symbol, keys),
    listId: listIdOf(order.inList?.listNumber, order.time),
    price,
    quantity: end.amendedQuantity ?? quantity,
    commission: end.commission,
    preventedQuantity: end.preventedQuantity,
    status: end.cause === undefined ? 'FILLED' : 'CANCELED',
    endReason: end.cause,
    isWorking: undefined,
    triggeredAt: undefined,
    trailingTime: undefined,
    updatedAt: end.time,
  }
}

/** An order right after the command that placed it. */
export function placedObject(
  { status, executedQuantity, executedNotional }: OrderAccepted,
  { placed, commission, preventedQuantity, cause }: Placement,
  symbol: TradingSymbol,
  keys: KeyNames,
): OrderObject {
  const executed = { executedQuantity, executedNotional }
  const isOpen = status === 'NEW' || status === 'PARTIALLY_FILLED'
  return {
    ...common(placed, executed, symbol, keys),
    listId: undefined,
    price: placed.price,
    quantity: placed.quantity,
    commission,
    preventedQuantity,
    status,
    endReason: status === 'CANCELED' ? cause : undefined,
    isWorking: isOpen ? placed.stopPrice === undefined && placed.trailingDelta === undefined : undefined,
    triggeredAt: undefined,
    trailingTime: undefined,
    updatedAt: placed.time,
  }
}

/** The id of a list, which has the same time as its orders. */
function listIdOf(listNumber: ListNumber | undefined, time: TimeMs): Uuid | undefined {
  return listNumber === undefined ? undefined : uuidOf('list', listNumber, time)
}

type Executed = { readonly executedQuantity: Lots; readonly executedNotional: Notional }

function common(
  order: Asked &
    Pick<OpenOrder, 'orderNumber' | 'accountId' | 'keyNumber' | 'time' | 'side' | 'icebergQuantity'> & {
      readonly price: Price | undefined
    },
  { executedQuantity, executedNotional }: Executed,
  symbol: TradingSymbol,
  keys: KeyNames,
) {
  const { orderNumber, time, side, type, timeInForce, selfTradeMode, total } = order
  const { stopPrice, trailingDelta, clientOrderId, expireTime } = order
  const scale = quoteScale(symbol.baseFraction, symbol.quoteFraction, symbol.quotePrecision)
  return {
    id: uuidOf('order', orderNumber, time),
    clientOrderId,
    keyName: keys.keyName(order.accountId, order.keyNumber),
    side,
    type,
    timeInForce: takesTimeInForce(type) ? timeInForce : undefined,
    // For an order with a limit price, the total was only checked.
    total: order.price ? undefined : total,
    stopPrice,
    trailingDelta,
    visibleQuantity: order.icebergQuantity,
    expireTime,
    selfTradeMode,
    executedQuantity,
    executedTotal: ledgerTotal(executedNotional, side, scale),
    averagePrice: averagePrice(executedNotional, executedQuantity, symbol),
    createdAt: time,
  }
}
