/** The positions of drawings on the chart, and the drawing at a position. */
import type { Drawing, Part } from '../../../state/drawings.ts'
import type { CandleChart } from '../candle-chart.ts'
import type { Spot } from './drawn-lines.ts'

export type Ends = { readonly from: Spot; readonly to: Spot }

export type Hit = { readonly id: number; readonly part: Part }

/** Undefined if it has no position on the chart now. */
export function endsOf(chart: CandleChart, drawing: Drawing): Ends | undefined {
  if (drawing.kind === 'LEVEL') {
    const y = chart.heightOf(drawing.price)
    return y === undefined ? undefined : { from: { x: 0, y }, to: { x: chart.width, y } }
  }
  const spot = ({ time, price }: { readonly time: number; readonly price: number }): Spot | undefined => {
    const [x, y] = [chart.xOf(time), chart.heightOf(price)]
    return x === undefined || y === undefined ? undefined : { x, y }
  }
  const [from, to] = [spot(drawing.from), spot(drawing.to)]
  return from === undefined || to === undefined ? undefined : { from, to }
}

/** The drawing at a position, the newest one first; an end of a trend line comes before its middle. */
export function hitAt(
  drawn: readonly { readonly drawing: Drawing; readonly ends: Ends | undefined }[],
  spot: Spot,
  reach: number,
): Hit | undefined {
  for (const { drawing, ends } of drawn.toReversed()) {
    if (ends === undefined) continue
    if (drawing.kind === 'TREND') {
      if (distance(spot, ends.from) <= reach * 1.5) return { id: drawing.id, part: 'from' }
      if (distance(spot, ends.to) <= reach * 1.5) return { id: drawing.id, part: 'to' }
    }
    if (toSegment(spot, ends) <= reach) return { id: drawing.id, part: 'whole' }
  }
  return undefined
}

function distance(one: Spot, other: Spot): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

/** The distance of a position from the line between two others. */
export function toSegment(spot: Spot, { from, to }: Ends): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((spot.x - from.x) * dx + (spot.y - from.y) * dy) / length
  const part = Math.max(0, Math.min(1, along))
  return distance(spot, { x: from.x + part * dx, y: from.y + part * dy })
}
