/**
 * Amended open orders, as bytes: by number, their original quantity. The orders themselves are stored
 * elsewhere.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { OrderNumber } from '../../units/ids.ts'
import { lots } from '../../units/quantities.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { NO_SLOT } from '../market/order-book.ts'
import type { OpenOrders } from '../trading/open-orders.ts'

export function writeAmendments(w: ByteWriter, orders: OpenOrders): void {
  const amended = orders.amended()
  w.uint(amended.length)
  let last = 0
  for (const { number, quantity, askedQuantity = quantity } of amended) {
    w.uint(number - last)
    w.uint(askedQuantity - quantity)
    last = number
  }
}

/** Sets the original quantity of open orders in the state. Throws `BytesFault`. */
export function readAmendments(r: ByteReader, state: ExchangeState): void {
  let last = 0
  for (let left = r.uint(); left > 0; left--) {
    const number = (last + r.uint()) as OrderNumber
    const by = r.uint()
    const order = state.orders.get(number)
    const isResting = order !== undefined && order.slot !== NO_SLOT
    const isPossible = isResting && number > last && by > 0
    if (!isPossible || !Number.isSafeInteger(order.quantity + by)) {
      throw new BytesFault(`the amendment of order ${number} before byte ${r.at} is not valid`)
    }
    order.askedQuantity = lots(order.quantity + by)
    state.orders.keep(order)
    last = number
  }
}
