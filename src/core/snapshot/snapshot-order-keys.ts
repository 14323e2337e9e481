/** The keys that placed open orders as bytes, by number of the order; added with `KEY_NUMBER_RULES`. */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { KeyNumber, OrderNumber } from '../../units/ids.ts'
import type { ExchangeState } from '../exchange/state.ts'
import type { OpenOrders } from '../trading/open-orders.ts'

export function writeOrderKeys(w: ByteWriter, orders: OpenOrders): void {
  w.uint(orders.signedCount())
  let last = 0
  for (const { number, keyNumber } of orders.byNumber()) {
    if (keyNumber === undefined) continue
    w.uint(number - last)
    w.uint(keyNumber)
    last = number
  }
}

/** Notes them of open orders in the state. Throws `BytesFault`. */
export function readOrderKeys(r: ByteReader, state: ExchangeState): void {
  let last = 0
  for (let left = r.uint(); left > 0; left--) {
    const number = (last + r.uint()) as OrderNumber
    const keyNumber = r.uint() as KeyNumber
    const order = state.orders.get(number)
    const isPossible = state.hasKeyNumbers && number > last && keyNumber > 0
    if (order === undefined || !isPossible) {
      throw new BytesFault(`the key of order ${number} before byte ${r.at} is not valid`)
    }
    state.orders.sign(order, keyNumber)
    last = number
  }
}
