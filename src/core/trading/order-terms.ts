/**
 * The words with which an order was placed, as an open order stores them: one small number for each
 * combination, and one frozen record for each number, so that a million open orders share a few records.
 */

import { placeIn } from '../../units/field-codec.ts'
import { invariant } from '../../units/invariant.ts'
import {
  ORDER_TYPES,
  type OrderType,
  SELF_TRADE_MODES,
  type SelfTradeMode,
  TIMES_IN_FORCE,
  type TimeInForce,
} from '../../units/order-enums.ts'

export type OrderTerms = {
  /** The code of the combination in memory and in snapshots, forever. */
  readonly code: number
  readonly type: OrderType
  /** `GTC` also for types without a time in force. */
  readonly timeInForce: TimeInForce
  /**
   * The mode in force, the order's own or the symbol's at that time. Undefined if the order was placed under
   * rules that do not store it.
   */
  readonly selfTradeMode: SelfTradeMode | undefined
}

/** Bits of a code: the type, then the time in force, then the mode's index in its list plus one. */
const TYPE_BITS = 3
const TIME_IN_FORCE_BITS = 3
const MODE_SHIFT = TYPE_BITS + TIME_IN_FORCE_BITS
invariant(
  ORDER_TYPES.length <= 1 << TYPE_BITS && TIMES_IN_FORCE.length <= 1 << TIME_IN_FORCE_BITS,
  'types and times in force must fit their bits: a longer list needs another section of the snapshot',
)

const TERMS: readonly (OrderTerms | undefined)[] = Array.from(
  { length: (SELF_TRADE_MODES.length + 1) << MODE_SHIFT },
  (_, code) => {
    const type = ORDER_TYPES[code & ((1 << TYPE_BITS) - 1)]
    const timeInForce = TIMES_IN_FORCE[(code >> TYPE_BITS) & ((1 << TIME_IN_FORCE_BITS) - 1)]
    if (type === undefined || timeInForce === undefined) return undefined
    return Object.freeze({
      code,
      type,
      timeInForce,
      selfTradeMode: SELF_TRADE_MODES[(code >> MODE_SHIFT) - 1],
    })
  },
)

/** A placeholder for the terms of an order, used until the snapshot's section of terms is read. */
export const PLAIN_TERMS: OrderTerms = termsOf('LIMIT', 'GTC', undefined)

export function termsOf(
  type: OrderType,
  timeInForce: TimeInForce | undefined,
  selfTradeMode: SelfTradeMode | undefined,
): OrderTerms {
  const mode = selfTradeMode === undefined ? 0 : placeIn(SELF_TRADE_MODES, selfTradeMode) + 1
  const words = placeIn(ORDER_TYPES, type) | (placeIn(TIMES_IN_FORCE, timeInForce ?? 'GTC') << TYPE_BITS)
  return termsAt(words | (mode << MODE_SHIFT)) as OrderTerms
}

/** The terms of a code; undefined if no combination has it. */
export function termsAt(code: number): OrderTerms | undefined {
  return TERMS[code]
}
