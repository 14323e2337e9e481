/** The depth of a book in exact integers, for a description in words. */
import type { BookLevel } from '../../../client/stream/book-side.ts'
import { type DepthCurve, type DepthPoint, type DepthSide, depthAt, depthCurve } from './depth-curve.ts'

export type DepthFigures = {
  readonly bid: number | undefined
  readonly ask: number | undefined
  /** Sums within one percent of the middle price, in lots. */
  readonly near: { readonly bids: bigint; readonly asks: bigint }
}

type Levels = readonly Pick<BookLevel, 'ticks' | 'lots'>[]

/** Both sides best first. With only one side there is no middle, and nothing is near it. */
export function depthFigures(bids: Levels, asks: Levels): DepthFigures {
  const [bid, ask] = [bids[0]?.ticks, asks[0]?.ticks]
  if (bid === undefined || ask === undefined) return { bid, ask, near: { bids: 0n, asks: 0n } }
  // The middle is (bid + ask) / 2; the bounds are 99 % and 101 % of it, rounded toward it.
  const sum = BigInt(bid) + BigInt(ask)
  const lowest = Number((sum * 99n + 199n) / 200n)
  const highest = Number((sum * 101n) / 200n)
  const lots = (levels: Levels, side: DepthSide, edge: number) =>
    depthCurve(levels, side, edge).at(-1)?.lots ?? 0n
  return { bid, ask, near: { bids: lots(bids, 'bids', lowest), asks: lots(asks, 'asks', highest) } }
}

export type PointedDepth = {
  readonly ticks: number
  /** Undefined between the best prices, where nothing rests. */
  readonly side: DepthSide | undefined
  readonly sums: Pick<DepthPoint, 'lots' | 'cost'>
}

/** The position of the crosshair. */
export function pointedDepth(bids: DepthCurve, asks: DepthCurve, ticks: number): PointedDepth {
  const [bid, ask] = [depthAt(bids, 'bids', ticks), depthAt(asks, 'asks', ticks)]
  const side = bid !== undefined ? 'bids' : ask !== undefined ? 'asks' : undefined
  return { ticks, side, sums: bid ?? ask ?? { lots: 0n, cost: 0n } }
}

/**
 * The next price of the book in a direction, for navigation by keyboard; without a start, the best bid or
 * ask.
 */
export function neighbour(
  bids: DepthCurve,
  asks: DepthCurve,
  from: number | undefined,
  direction: -1 | 1,
): number | undefined {
  if (from === undefined) return (direction < 0 ? bids[0] : asks[0])?.ticks
  const prices = [...bids.toReversed(), ...asks].map(({ ticks }) => ticks)
  return direction > 0 ? prices.find((ticks) => ticks > from) : prices.findLast((ticks) => ticks < from)
}
