/**
 * Warnings from the page's book before an order is sent: it would trade with own orders, or the book does not
 * have enough for it.
 */
import { Decimal } from '../../../../client/decimal.ts'
import type { Order } from '../../../../client/interface/orders.ts'
import type { NewOrderParameters } from '../../../../client/interface/parameters.ts'
import type { BookLevel } from '../../../../client/stream/book-side.ts'
import { percentUp } from '../../exact-sums.ts'

export type BookQuestion =
  /** It would trade at prices down, or up, to `worst`, and `count` own orders are in that range. */
  | { readonly kind: 'OWN_ORDERS'; readonly count: number; readonly worst: string }
  /**
   * The book can fill `filled` of the `wanted` amount, in `code`. `worst`: the last of its prices; undefined
   * if it has none. `percent`: the missing part.
   */
  | {
      readonly kind: 'NOT_FILLABLE'
      readonly filled: string
      readonly wanted: string
      readonly code: string
      readonly worst: string | undefined
      readonly percent: string
    }

/** The other side of the book. */
export type OppositeSide = {
  /** All levels, best first. */
  readonly levels: () => readonly Pick<BookLevel, 'price' | 'quantity'>[]
  /** The account's orders that rest there. */
  readonly own: readonly Pick<Order, 'price'>[]
}

type Reach = { readonly filled: Decimal; readonly worst: string | undefined; readonly isWhole: boolean }

export function bookQuestions(
  order: NewOrderParameters,
  { levels, own }: OppositeSide,
  codes: { readonly baseCode: string; readonly quoteCode: string },
): readonly BookQuestion[] {
  // A waiting order trades with a later book, and a post-only order that would take is refused.
  if (order.type !== 'LIMIT' && order.type !== 'MARKET') return []
  const wanted = order.quantity ?? order.total
  if (wanted === undefined) return []
  const reach = reachOf(order, Decimal.from(wanted), levels())
  const met = own.filter(({ price }) => isMet(order.side, price, reach.worst))
  const ownQuestion: readonly BookQuestion[] =
    met.length === 0 || reach.worst === undefined
      ? []
      : [{ kind: 'OWN_ORDERS', count: met.length, worst: reach.worst }]
  return [...ownQuestion, ...lackOf(order, Decimal.from(wanted), reach, codes)]
}

/** An order that rests in the book needs no offers: it waits. */
function lackOf(
  order: NewOrderParameters,
  wanted: Decimal,
  { filled, worst, isWhole }: Reach,
  { baseCode, quoteCode }: { readonly baseCode: string; readonly quoteCode: string },
): readonly BookQuestion[] {
  const isAtOnce = order.type === 'MARKET' || order.timeInForce === 'IOC' || order.timeInForce === 'FOK'
  if (!isAtOnce || isWhole) return []
  const code = order.quantity === undefined ? quoteCode : baseCode
  const percent = percentUp(wanted.minus(filled), wanted).toString()
  return [
    { kind: 'NOT_FILLABLE', filled: filled.toString(), wanted: wanted.toString(), code, worst, percent },
  ]
}

/** The amount that the book has at the order's price or better: of the quantity, or of the total. */
function reachOf(
  { side, price: limit, quantity }: NewOrderParameters,
  wanted: Decimal,
  levels: readonly Pick<BookLevel, 'price' | 'quantity'>[],
): Reach {
  let filled = Decimal.from('0')
  let worst: string | undefined
  for (const level of levels) {
    if (limit !== undefined && isWorse(side, level.price, `${limit}`)) break
    worst = level.price
    const here = Decimal.from(level.quantity)
    filled = filled.plus(quantity === undefined ? here.times(level.price) : here)
    if (filled.compare(wanted) >= 0) return { filled: wanted, worst, isWhole: true }
  }
  return { filled, worst, isWhole: false }
}

function isMet(side: 'BUY' | 'SELL', price: string | undefined, worst: string | undefined): boolean {
  return price !== undefined && worst !== undefined && !isWorse(side, price, worst)
}

/** Whether a price is worse for the taker than another. */
function isWorse(side: 'BUY' | 'SELL', price: string, than: string): boolean {
  const compared = Decimal.from(price).compare(than)
  return side === 'BUY' ? compared > 0 : compared < 0
}
