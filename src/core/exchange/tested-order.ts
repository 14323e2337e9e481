/** The answer to the test of an order: a plain value that can be sent to another thread. */

import { ORDER_STATUSES } from '../../units/order-enums.ts'
import type { Amount, Lots, Notional, Price } from '../../units/quantities.ts'
import { CORE_REASONS } from '../../units/reasons.ts'
import { type KindIn, kindRows } from '../../units/shapes/kind-codec.ts'
import { integer, listOf, object, orUndefined, uint, type ValueOf, word } from '../../units/shapes/shape.ts'
import { CANCEL_CAUSES } from '../events/event.ts'
import { ACCEPTANCE } from '../questions/reply.ts'

const FILL = object({
  price: uint<Price>(),
  quantity: uint<Lots>(),
  total: integer<Amount>(),
  commission: integer<Amount>(),
})

/** A fill of the tested order. */
export interface TestedFill extends ValueOf<typeof FILL> {}

/** Maximum number of fills listed individually. */
export const TESTED_FILLS_MAX = 100

/** The effect that an order would have if it were placed now. */
export const TESTED_ORDER_ROWS = kindRows({
  Tested: {
    code: 0,
    fields: {
      status: word(ORDER_STATUSES),
      /** The reason why the order's remainder would be canceled; undefined if it would not. */
      cause: orUndefined(word(CANCEL_CAUSES)),
      executedQuantity: uint<Lots>(),
      executedNotional: integer<Notional>(),
      /** Ledger units of the quote asset that the order would pay or receive, before commission. */
      total: integer<Amount>(),
      /** Commission in ledger units of the received asset. */
      commission: integer<Amount>(),
      /** Ledger units that the order would hold while it rests. */
      hold: integer<Amount>(),
      fillCount: uint(),
      /** The first fills, at most `TESTED_FILLS_MAX`. */
      fills: listOf(FILL),
    },
  },
  Refused: { code: 1, fields: { reason: word(CORE_REASONS) } },
  /** The order was already placed under its client order id. */
  OrderRepeated: { code: 2, fields: ACCEPTANCE },
})
export type TestedOrder = KindIn<typeof TESTED_ORDER_ROWS>
