/** Cancels a list for its account: each of its open orders. */
import { invariant } from '../../../units/invariant.ts'
import type { CancelClientList, CancelList } from '../../commands/order-lists.ts'
import type { EventSink } from '../../events/event.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import { type ListAccepted, type Refused, refused } from '../../questions/reply.ts'
import { endOrder, publishLevel } from '../end-order.ts'
import { causeOfEnd } from '../timers/ended.ts'
import { type OrderList, ordersOf } from './order-lists.ts'

export function cancelList(
  state: ExchangeState,
  { accountId, listNumber, listTime }: CancelList,
  emit: EventSink,
): ListAccepted | Refused {
  const list = state.lists.get(listNumber)
  const isTheirs = list?.accountId === accountId && list.time === listTime
  return isTheirs ? cancel(state, list, emit) : refused('UNKNOWN_ORDER_LIST')
}

export function cancelClientList(
  state: ExchangeState,
  { accountId, listClientOrderId }: CancelClientList,
  emit: EventSink,
): ListAccepted | Refused {
  const known = state.clientOrderIds.find(accountId, listClientOrderId)
  const list = known?.kind === 'LIST' ? state.lists.get(known.answer.listNumber) : undefined
  return list === undefined ? refused('UNKNOWN_ORDER_LIST') : cancel(state, list, emit)
}

function cancel(state: ExchangeState, list: OrderList, emit: EventSink): ListAccepted {
  const market = state.market(list.symbolId)
  invariant(market !== undefined, () => `symbol ${list.symbolId} of list ${list.number} must exist`)
  const order = ordersOf(list)
    .map((number) => state.orders.get(number))
    .find((each) => each !== undefined)
  invariant(order !== undefined, () => `an order of list ${list.number} must be open`)
  endOrder(state, market, order, causeOfEnd(state, order) ?? 'USER', emit)
  publishLevel(market, order, emit)
  return { kind: 'ListAccepted', listNumber: list.number, time: list.time, list: list.kind }
}
