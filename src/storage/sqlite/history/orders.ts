/**
 * Orders as records of append-only lists. An order is stored once, when it is placed, and enters the list of
 * its account and that list's part for the symbol. If the order ended with the command that placed it, the
 * record also has the end. Every other end is in `ended`, under the order's number.
 *
 * A record has the event's shape, except for the fields in its head; the end is the first option, so that a
 * later field of an order is a new bit after all others.
 */
import { PLACED_FIELDS, PLACED_OPTIONS } from '../../../core/events/event.ts'
import {
  END_FIELDS,
  END_OPTIONS,
  type HistoryOrder,
  type OrderEnd,
} from '../../../engine/history/order-history.ts'
import type { AccountId, OrderNumber, SymbolId } from '../../../units/ids.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import { constant, type Filled, given, object, orUndefined } from '../../../units/shapes/shape.ts'
import { byteCodec } from '../../../units/shapes/shape-bytes.ts'
import type { ListKey, RecordKind } from './lists/record.ts'

/** The list of an account: of all its orders, or of those in one symbol. */
export function orderList(accountId: AccountId, symbolId: SymbolId | undefined): ListKey {
  return { owner: accountId, part: symbolId }
}

const COMMAND = { seq: given<Seq>(), time: given<TimeMs>() }
const RECORD = byteCodec(
  object(
    { kind: constant('OrderPlaced'), ...PLACED_FIELDS, ...COMMAND, orderNumber: given<OrderNumber>() },
    { end: orUndefined(object({ ...COMMAND, ...END_FIELDS }, END_OPTIONS)), ...PLACED_OPTIONS },
  ),
)

export const ORDERS: RecordKind<HistoryOrder> = {
  word: 'order',

  headOf: ({ orderNumber, seq, time }) => ({ number: orderNumber, seq, time }),

  listsOf: ({ accountId, symbolId }) => [orderList(accountId, symbolId)],

  write: (w, order) => RECORD.write(w, order),

  read(r, { number, seq, time }) {
    // Completes the object that was read: a copy with the fields of the head would take as long as reading.
    const order: Filled<HistoryOrder> = RECORD.read(r)
    order.orderNumber = number as OrderNumber
    order.time = time
    order.seq = seq
    const end: Filled<OrderEnd> | undefined = order.end
    if (end !== undefined) {
      end.seq = seq
      end.time = time
    }
    return order
  },
}
