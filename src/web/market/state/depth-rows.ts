/**
 * The displayed lines of a book: each level with the quantity at its price and at every better one. Exact
 * integers.
 */
import type { BookLevel } from '../../../client/stream/book-side.ts'

/** One displayed line of the book. */
export type DepthRow = {
  /** In ticks. */
  readonly price: number
  /** In lots. */
  readonly quantity: bigint
  /** Lots at this price and every better one. */
  readonly cumulative: bigint
}

/** `levels`: best first. */
export function depthRows(levels: readonly Pick<BookLevel, 'ticks' | 'lots'>[]): DepthRow[] {
  let cumulative = 0n
  return levels.map(({ ticks, lots }) => {
    cumulative += lots
    return { price: ticks, quantity: lots, cumulative }
  })
}
