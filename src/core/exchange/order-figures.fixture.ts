/** The figures of an order from loose ones, for tests: a combination that no type has is a bug of the test. */
import { invariant } from '../../units/invariant.ts'
import type { OrderType, Side, TimeInForce } from '../../units/order-words.ts'
import type { Amount, Lots, Price } from '../../units/quantities.ts'
import type { OrderFigures } from './commands/orders.ts'

export type LooseFigures = {
  readonly type: OrderType
  readonly side: Side
  readonly timeInForce?: TimeInForce | undefined
  readonly price?: Price | undefined
  readonly quantity?: Lots | undefined
  readonly total?: Amount | undefined
}

/** LIMIT is GTC unless another time in force is given; that of any other order is left out. */
export function figuresOf(loose: LooseFigures): OrderFigures {
  const figures = figuresOrNone(loose)
  invariant(figures !== undefined, () => `no order is of type ${loose.type} with these figures`)
  return figures
}

/** Undefined for a combination that no type has. */
export function figuresOrNone(loose: LooseFigures): OrderFigures | undefined {
  const { type, side, timeInForce = 'GTC', price, quantity, total } = loose
  if (type === 'LIMIT') {
    if (price === undefined || quantity === undefined) return undefined
    return { type, side, timeInForce, price, quantity, total }
  }
  if (type === 'LIMIT_MAKER') {
    if (price === undefined || quantity === undefined) return undefined
    return { type, side, price, quantity, total }
  }
  if (price !== undefined) return undefined
  if (side === 'BUY') return total === undefined ? undefined : { type, side, total, quantity }
  return quantity === undefined ? undefined : { type, side, quantity, total }
}
