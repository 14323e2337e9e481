/**
 * When the reference exchange refuses a list: the table in docs/reference/order-lists.md#rules, from top to
 * bottom.
 */
import type { ListLeg, PlaceList } from '../../src/core/commands/order-lists.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import { isStopType } from '../../src/units/order-enums.ts'
import type { CoreReason } from '../../src/units/reasons.ts'
import { mostOpenOf } from '../oracle/support.ts'
import { Fraction } from './fraction.ts'
import {
  admissionRefusal,
  bandRefusal,
  figuresRefusal,
  incrementRefusal,
  laterRefusal,
  openOf,
} from './reference-checks.ts'
import { formOf, idsOf, isWellFormedList, legOrder } from './reference-list-legs.ts'
import { hasRoomFor } from './reference-repeats.ts'
import { sessionRefusal } from './reference-sessions.ts'
import type { ReferenceList, ReferenceState } from './reference-state.ts'

export function listRefusal(
  state: ReferenceState,
  command: PlaceList,
  symbol: TradingSymbol,
): CoreReason | undefined {
  const { accountId, legs } = command
  const admission = admissionRefusal(state, accountId, symbol)
  if (admission !== undefined) return admission
  if (!isWellFormedList(command)) return 'INVALID_COMMAND'
  const session = sessionRefusal(state, command)
  if (session !== undefined) return session
  if (legs.some(({ quantity }) => quantity !== undefined && quantity < symbol.minQuantity))
    return 'QUANTITY_TOO_SMALL'
  if (!hasRoomFor(state, accountId, idsOf(command).length)) return 'TOO_MANY_CLIENT_ORDER_IDS'
  for (const leg of legs) {
    const refusal = incrementRefusal(leg, symbol)
    if (refusal !== undefined) return refusal
  }
  if (!areApart(state, command, symbol)) return 'LIST_PRICES_CROSSED'
  const most = mostOpenOf(state, accountId, symbol)
  if (openOf(state, accountId, symbol) + legs.length > most) return 'TOO_MANY_OPEN_ORDERS'
  for (const [place, leg] of legs.entries()) {
    const isPending = command.list !== 'OCO' && place > 0
    const refusal = isPending
      ? pendingRefusal(command, leg, symbol)
      : placedRefusal(state, command, leg, symbol)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

function placedRefusal(
  state: ReferenceState,
  command: PlaceList,
  leg: ListLeg,
  symbol: TradingSymbol,
): CoreReason | undefined {
  const asked = legOrder(command, leg)
  return asked === undefined ? 'INVALID_COMMAND' : laterRefusal(state, asked, symbol)
}

/** For a pending order its prices are checked, and its sizes if it has a quantity. */
function pendingRefusal(command: PlaceList, leg: ListLeg, symbol: TradingSymbol): CoreReason | undefined {
  const asked = legOrder(command, formOf(leg))
  if (asked === undefined) return 'INVALID_COMMAND'
  if (leg.quantity === undefined || leg.price === undefined) return bandRefusal(asked, symbol)
  return figuresRefusal(asked, symbol)
}

/** Whether the account of a due list may trade: its symbol is known to trade. */
export function pendingAdmission(state: ReferenceState, list: ReferenceList): CoreReason | undefined {
  return admissionRefusal(state, list.accountId, state.symbols[list.symbol.id] as TradingSymbol)
}

/**
 * The price of the above order must be above that of the below order; for an OCO list the last price must be
 * between them.
 */
function areApart(state: ReferenceState, { list, legs }: PlaceList, symbol: TradingSymbol): boolean {
  if (list === 'OTO') return true
  const [upper, lower] = legs.slice(-2).map(({ type, stopPrice, price }) => {
    const at = isStopType(type) ? stopPrice : price
    return at && Fraction.decimal(at, symbol.quoteFraction)
  })
  const last = list === 'OCO' ? state.lastPrice.get(symbol.id) : undefined
  // A trailing order without a stop price has no price to compare.
  const isAbove = (one: Fraction | undefined, other: Fraction | undefined) =>
    one === undefined || other === undefined || one.compare(other) > 0
  return isAbove(upper, lower) && isAbove(upper, last) && isAbove(last, lower)
}
