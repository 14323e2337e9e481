/**
 * The hidden part of orders, as bytes: for each iceberg order the size of its shown part, and the rest of the
 * part that its book shows now. The orders themselves, and their places in the book, are stored elsewhere.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { OrderNumber } from '../../units/ids.ts'
import { type Lots, lots } from '../../units/quantities.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { NO_SLOT, type OrderBook } from '../market/order-book.ts'
import { isPartOf, isShown } from '../trading/iceberg.ts'
import type { Order } from '../trading/open-orders.ts'

/** By order number. */
export function writeIcebergs(w: ByteWriter, state: ExchangeState): void {
  const icebergs = state.orders.icebergs()
  w.uint(icebergs.length)
  let last = 0
  for (const order of icebergs) {
    w.uint(order.number - last)
    w.uint(order.icebergQuantity ?? 0)
    w.uint(bookOf(state, order).remaining(order.slot))
    last = order.number
  }
}

/**
 * Restores the hidden quantities of orders, which the state contains as visible so far. Throws `BytesFault`.
 */
export function readIcebergs(r: ByteReader, state: ExchangeState): void {
  let last = 0
  for (let left = r.uint(); left > 0; left--) {
    const number = last + r.uint()
    const icebergQuantity = lots(r.uint())
    const shown = lots(r.uint())
    const order = state.orders.get(number as OrderNumber)
    const isPossible =
      number > last &&
      order !== undefined &&
      mayHide(order) &&
      icebergQuantity >= 1 &&
      icebergQuantity <= order.quantity &&
      isPartOf(icebergQuantity, order.quantity) &&
      isShown({ icebergQuantity, remaining: order.remaining }, shown)
    if (!isPossible)
      throw new BytesFault(`the hidden quantity of order ${number} before byte ${r.at} is not valid`)
    const hidden = order.remaining - shown
    if (hidden > 0) bookOf(state, order).reduce(order.slot, hidden as Lots)
    state.orders.hide(order, icebergQuantity)
    last = number
  }
}

/** Whether the order rests, has no hidden quantity yet, and has a type that may hide a part. */
function mayHide({ slot, icebergQuantity, terms: { type, timeInForce } }: Order): boolean {
  const rests = timeInForce === 'GTC' || timeInForce === 'GTD'
  const isOfType = type === 'LIMIT_MAKER' || (type === 'LIMIT' && rests)
  return slot !== NO_SLOT && icebergQuantity === undefined && isOfType
}

function bookOf(state: ExchangeState, { symbolId, number }: Order): OrderBook {
  const market = state.market(symbolId)
  if (market === undefined) throw new BytesFault(`symbol ${symbolId} of order ${number} is not listed`)
  return market.book
}
