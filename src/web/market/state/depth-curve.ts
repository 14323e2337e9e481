/**
 * The depth of a book: the quantity that rests at a price and every better one, and its cost. Sums are exact
 * integers; the coordinates of a point are floating-point numbers, only for display.
 */
import type { BookLevel } from '../../../client/stream/book-side.ts'

export type DepthSide = 'bids' | 'asks'

/** A price, with the sums over this price and every better one. */
export type DepthPoint = {
  readonly ticks: number
  readonly lots: bigint
  /** In ticks x lots. */
  readonly cost: bigint
}

/** Best first. */
export type DepthCurve = readonly DepthPoint[]

/** `levels`: best first. Those beyond `edge`, in ticks, are left out. */
export function depthCurve(
  levels: readonly Pick<BookLevel, 'ticks' | 'lots'>[],
  side: DepthSide,
  edge: number,
): DepthCurve {
  const points: DepthPoint[] = []
  let [lots, cost] = [0n, 0n]
  for (const level of levels) {
    if (side === 'bids' ? level.ticks < edge : level.ticks > edge) break
    lots += level.lots
    cost += BigInt(level.ticks) * level.lots
    points.push({ ticks: level.ticks, lots, cost })
  }
  return points
}

/**
 * The sums over a price and every better one, as of the worst point of the curve that is no worse than the
 * price. Undefined if nothing rests there.
 */
export function depthAt(curve: DepthCurve, side: DepthSide, ticks: number): DepthPoint | undefined {
  let low = 0
  let high = curve.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const at = (curve[middle] as DepthPoint).ticks
    if (side === 'bids' ? at >= ticks : at <= ticks) low = middle + 1
    else high = middle
  }
  return curve[low - 1]
}

/** Half widths of the window, as fractions of the middle price. */
export const ZOOMS: readonly number[] = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

/** The first zoom that shows this many levels of each side, or all of them. */
const LEVELS_IN_SIGHT = 60

/**
 * The closest zoom that still shows the relevant part of a book. Undefined unless the book has both sides.
 */
export function fittingZoom(
  bids: readonly Pick<BookLevel, 'ticks'>[],
  asks: readonly Pick<BookLevel, 'ticks'>[],
): number | undefined {
  const middle = middleOf(bids[0]?.ticks, asks[0]?.ticks)
  if (middle === undefined) return undefined
  const distances = [bids, asks].map((levels) => {
    const last = levels[Math.min(LEVELS_IN_SIGHT, levels.length) - 1]
    return last === undefined ? 0 : Math.abs(last.ticks - middle)
  })
  const distance = Math.max(...distances)
  return ZOOMS.find((zoom) => distance <= middle * zoom) ?? ZOOMS.at(-1)
}

/** The middle of two best prices; if there is only one, that one. */
export function middleOf(bid: number | undefined, ask: number | undefined): number | undefined {
  if (bid === undefined || ask === undefined) return bid ?? ask
  return (bid + ask) / 2
}
