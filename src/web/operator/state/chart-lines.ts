/** Lines through measured values over time, with a gap where there are none. */

export type Point = {
  /** Milliseconds since 1970. */
  readonly atMs: number
  /** Undefined if nothing was measured. */
  readonly value: number | undefined
}

/** If the next sample is later than this, one was missed: the node, or its machine, was blocked. */
const GAP_MS = 25_000
/** Margin so that the line is not cut off at the edge of its box. */
const EDGE = 1

/** The points of each line, oldest first, in SVG syntax. `max`: the value at the top. */
export function chartLines(
  points: readonly Point[],
  max: number,
  { width, height }: { readonly width: number; readonly height: number },
): readonly string[] {
  const begin = points[0]?.atMs ?? 0
  const spanMs = Math.max(1, (points.at(-1)?.atMs ?? 0) - begin)
  const lines: string[][] = [[]]
  for (const [index, { atMs, value }] of points.entries()) {
    // A rate over a gap does not apply to any time within it.
    if (value === undefined || isAfterGap(points, index)) {
      lines.push([])
      continue
    }
    const x = ((atMs - begin) / spanMs) * width
    const y = height - EDGE - (max === 0 ? 0 : value / max) * (height - 2 * EDGE)
    lines.at(-1)?.push(`${x.toFixed(1)},${y.toFixed(1)}`)
  }
  // A single point is a dot: it is drawn as a line to itself.
  return lines
    .filter((line) => line.length > 0)
    .map((line) => (line.length === 1 ? [...line, ...line] : line).join(' '))
}

/** Whether samples are missing between the first and the last. */
export function hasGap(points: readonly Pick<Point, 'atMs'>[]): boolean {
  return points.some((_, index) => isAfterGap(points, index))
}

function isAfterGap(points: readonly Pick<Point, 'atMs'>[], index: number): boolean {
  const [before, now] = [points[index - 1], points[index]]
  return before !== undefined && now !== undefined && now.atMs - before.atMs > GAP_MS
}
