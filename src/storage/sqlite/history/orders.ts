/**
 * Orders as records of append-only lists. An order is stored once, when it is placed, and enters the list of
 * its account and the symbol's part of it. The record also has the end of an order that ended with the
 * command that placed it. Every other end is in `ended`, under the order's number.
 *
 * A record is the event's shape, but for what its head has; the end is the first option, so that a later
 * field of an order is a new bit after all others.
 */
import { PLACED_FIELDS, PLACED_OPTIONS } from '../../../core/events/event.ts'
import { END_FIELDS, END_OPTIONS, type HistoryOrder } from '../../../engine/history/order-history.ts'
import type { AccountId, OrderNumber, SymbolId } from '../../../units/ids.ts'
import { object, orUndefined } from '../../../units/shapes/shape.ts'
import { byteCodec } from '../../../units/shapes/shape-bytes.ts'
import type { ListKey, RecordKind } from './lists/record.ts'

/** The list of an account: of all its orders, or of those in one symbol. */
export function orderList(accountId: AccountId, symbolId: SymbolId | undefined): ListKey {
  return { owner: accountId, part: symbolId }
}

const { orderNumber: _number, time: _time, ...FIELDS } = PLACED_FIELDS
const RECORD = byteCodec(
  object(FIELDS, { end: orUndefined(object(END_FIELDS, END_OPTIONS)), ...PLACED_OPTIONS }),
)

export const ORDERS: RecordKind<HistoryOrder> = {
  word: 'order',

  headOf: ({ orderNumber, seq, time }) => ({ number: orderNumber, seq, time }),

  listsOf: ({ accountId, symbolId }) => [orderList(accountId, symbolId)],

  write: (w, order) => RECORD.write(w, order),

  read(r, { number, seq, time }) {
    const record = RECORD.read(r)
    const end = record.end && { seq, time, ...record.end }
    return { kind: 'OrderPlaced', ...record, orderNumber: number as OrderNumber, time, seq, end }
  },
}
