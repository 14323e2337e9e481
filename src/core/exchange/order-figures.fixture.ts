/**
 * The complete figures of an order from a test's partial ones; a combination that no type has is a bug of the
 * test.
 */
import { invariant } from '../../units/invariant.ts'
import type { OrderType, Side, TimeInForce } from '../../units/order-enums.ts'
import type { Amount, Lots, Price, TimeMs } from '../../units/quantities.ts'
import type { TrailingDelta } from '../../units/trailing-delta.ts'
import type { OrderFigures, OrderTrigger } from '../commands/orders.ts'

export type LooseFigures = {
  readonly type: OrderType
  readonly side: Side
  readonly timeInForce?: TimeInForce | undefined
  readonly price?: Price | undefined
  readonly quantity?: Lots | undefined
  readonly total?: Amount | undefined
  readonly stopPrice?: Price | undefined
  readonly trailingDelta?: TrailingDelta | undefined
  readonly icebergQuantity?: Lots | undefined
  readonly expireTime?: TimeMs | undefined
}

/**
 * An order with a limit is GTC unless another time in force is given; that of any other order is left out.
 */
export function figuresOf(loose: LooseFigures): OrderFigures {
  const figures = figuresOrNone(loose)
  invariant(figures !== undefined, () => `no order is of type ${loose.type} with these figures`)
  return figures
}

/** Undefined for a combination that no type has. */
export function figuresOrNone(loose: LooseFigures): OrderFigures | undefined {
  const { type, side, timeInForce = 'GTC', price, quantity, total, icebergQuantity } = loose
  const trigger = triggerOf(loose)
  const rests = timeInForce === 'GTC' || timeInForce === 'GTD'
  const mayRest = type === 'LIMIT_MAKER' || (type === 'LIMIT' && rests)
  if (icebergQuantity !== undefined && !mayRest) return undefined
  if ((timeInForce === 'GTD') !== (loose.expireTime !== undefined)) return undefined
  const ending = loose.expireTime === undefined ? {} : { expireTime: loose.expireTime }
  if (type === 'STOP_LOSS_LIMIT' || type === 'TAKE_PROFIT_LIMIT') {
    if (price === undefined || quantity === undefined || trigger === undefined) return undefined
    return { type, side, timeInForce, price, quantity, total, ...trigger, ...ending }
  }
  if (type === 'STOP_LOSS' || type === 'TAKE_PROFIT') {
    if (trigger === undefined || price !== undefined) return undefined
    if (side === 'BUY') return total === undefined ? undefined : { type, side, total, quantity, ...trigger }
    return quantity === undefined || total !== undefined ? undefined : { type, side, quantity, ...trigger }
  }
  if (trigger !== undefined) return undefined
  if (type === 'LIMIT') {
    if (price === undefined || quantity === undefined) return undefined
    return { type, side, timeInForce, price, quantity, total, icebergQuantity, ...ending }
  }
  if (type === 'LIMIT_MAKER') {
    if (price === undefined || quantity === undefined) return undefined
    return { type, side, price, quantity, total, icebergQuantity }
  }
  if (price !== undefined) return undefined
  if (side === 'BUY' && total !== undefined) return { type, side, total, quantity }
  return quantity === undefined ? undefined : { type, side, quantity, total }
}

function triggerOf({ stopPrice, trailingDelta }: LooseFigures): OrderTrigger | undefined {
  if (trailingDelta !== undefined) return { stopPrice, trailingDelta }
  return stopPrice === undefined ? undefined : { stopPrice }
}
