/** Checks before a list may change anything (docs/reference/order-lists.md#rules). */
import { isClientOrderId } from '../../../units/client-order-id.ts'
import { invariant } from '../../../units/invariant.ts'
import { isAmount } from '../../../units/quantities.ts'
import type { CoreReason } from '../../../units/reasons.ts'
import { isTrailingDelta } from '../../../units/trailing-delta.ts'
import type { ListLeg, PlaceList } from '../../commands/order-lists.ts'
import type { Market } from '../../exchange/market.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import {
  admissionRefusal,
  incrementRefusal,
  isUnitsOrAbsent,
  listedRefusalOf,
  pendingRefusalOf,
  quantityRefusal,
} from '../order-checks.ts'
import { sessionRefusal } from '../timers/session-commands.ts'
import { isPossibleList, orderOfLeg, pendingOrderOf, standApart } from './list-legs.ts'

/** The reason why `command` is refused; undefined if its orders may be placed. Changes nothing. */
export function listRefusalOf(
  command: PlaceList,
  market: Market,
  state: ExchangeState,
): CoreReason | undefined {
  const { accountId, legs } = command
  const admission = admissionRefusal(accountId, market, state)
  if (admission !== undefined) return admission
  if (!isWellFormedList(command)) return 'INVALID_COMMAND'
  const session = sessionRefusal(state, accountId, command.sessionNumber)
  if (session !== undefined) return session
  for (const { quantity } of legs) {
    const refusal = quantityRefusal(quantity, market)
    if (refusal !== undefined) return refusal
  }
  if (!state.clientOrderIds.hasRoom(accountId, idsOf(command).length)) return 'TOO_MANY_CLIENT_ORDER_IDS'
  for (const leg of legs) {
    const refusal = incrementRefusal(leg, market)
    if (refusal !== undefined) return refusal
  }
  if (!hasPricesApart(command, market)) return 'LIST_PRICES_CROSSED'
  const { symbol } = market
  const open = state.orders.count(accountId, symbol.id)
  if (open + legs.length > state.openOrdersMax(accountId, symbol)) return 'TOO_MANY_OPEN_ORDERS'
  return legsRefusal(command, market, state)
}

/**
 * Checks each order in turn: an order that is placed now as a new order, a pending order as far as possible.
 */
function legsRefusal(command: PlaceList, market: Market, state: ExchangeState): CoreReason | undefined {
  for (const [place, leg] of command.legs.entries()) {
    const isPending = command.list !== 'OCO' && place > 0
    const order = isPending ? pendingOrderOf(command, leg) : orderOfLeg(command, leg)
    invariant(order !== undefined, 'the orders of a well-formed list must have the figures of their types')
    const refusal = isPending
      ? pendingRefusalOf(order, leg.quantity !== undefined, market)
      : listedRefusalOf(order, market, state)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

function hasPricesApart({ list, legs }: PlaceList, { lastPrice }: Market): boolean {
  const [above, below] = legs.slice(-2)
  if (list === 'OTO' || above === undefined || below === undefined) return true
  return standApart(above, below, list === 'OCO' ? lastPrice : undefined)
}

/** Whether each figure is in its range, the orders match the list's kind, and no id occurs twice. */
export function isWellFormedList(command: PlaceList): boolean {
  const ids = idsOf(command)
  if (!ids.every(isClientOrderId) || new Set(ids).size < ids.length) return false
  return command.legs.every(hasFigures) && isPossibleList(command)
}

function hasFigures({ price, stopPrice, trailingDelta, quantity, total }: ListLeg): boolean {
  if (trailingDelta !== undefined && !isTrailingDelta(trailingDelta)) return false
  const areUnits = [price, stopPrice, quantity].every(isUnitsOrAbsent)
  return areUnits && (total === undefined || isAmount(total, 1))
}

/** The ids that a request gives a list and its orders. */
export function idsOf({ listClientOrderId, legs }: PlaceList): string[] {
  const ids = [listClientOrderId, ...legs.map(({ clientOrderId }) => clientOrderId)]
  return ids.filter((id) => id !== undefined)
}
