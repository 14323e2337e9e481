/** The answer to a test of an order: a plain value, safe to send to another thread. */
import type { OrderStatus } from '../../units/order-words.ts'
import type { Amount, Lots, Notional, Price } from '../../units/quantities.ts'
import type { CancelCause } from './event.ts'
import type { OrderRepeated, Refused } from './reply.ts'

/** What would become of an order if it were placed now. */
export type TestedOrder =
  | Refused
  /** It has been placed under its client order id. */
  | OrderRepeated
  | {
      readonly kind: 'Tested'
      readonly status: OrderStatus
      /** Why its rest would be given up; undefined where it would not. */
      readonly cause: CancelCause | undefined
      readonly executedQuantity: Lots
      readonly executedNotional: Notional
      /** Ledger units of the quote asset that it would pay or receive, before commission. */
      readonly total: Amount
      /** Ledger units of what it would receive. */
      readonly commission: Amount
      /** Ledger units that it would hold while it rests. */
      readonly hold: Amount
      readonly fillCount: number
      /** The first of them, at most `TESTED_FILLS_MAX`. */
      readonly fills: readonly TestedFill[]
    }

/** A fill of the order's own side. */
export type TestedFill = {
  readonly price: Price
  readonly quantity: Lots
  readonly total: Amount
  readonly commission: Amount
}

/** Most fills that are listed one by one. */
export const TESTED_FILLS_MAX = 100
