/** The hold of an open order, in a list or not (docs/reference/order-lists.md#holds). */
import { type Amount, NO_AMOUNT } from '../../../units/quantities.ts'
import type { Market } from '../../exchange/market.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import { greatestAmount } from '../../ledger/money.ts'
import type { Order } from '../open-orders.ts'
import { holdOf } from '../settlement.ts'
import { isPendingIn, partnerIn } from './order-lists.ts'

/**
 * A pending order holds nothing. In an OCO pair, the order with the lower number is recorded as holding the
 * larger of both amounts, and the other as holding nothing.
 */
export function holdInList({ lists, orders }: ExchangeState, order: Order, market: Market): Amount {
  const { number } = order
  const list = lists.of(number)
  if (list === undefined) return holdOf(order, market)
  if (isPendingIn(list, number)) return NO_AMOUNT
  const partnerNumber = partnerIn(list, number)
  const partner = partnerNumber === undefined ? undefined : orders.get(partnerNumber)
  if (partner === undefined) return holdOf(order, market)
  if (partner.number < number) return NO_AMOUNT
  return greatestAmount(holdOf(order, market), holdOf(partner, market))
}
