/** Lines through what was measured, by when it was: where nothing was, there is no line. */

export type Point = {
  /** Milliseconds since 1970. */
  readonly atMs: number
  /** Undefined: there was nothing to measure. */
  readonly value: number | undefined
}

/** A look that is so late was missed: the node, or its machine, stood still. */
const GAP_MS = 25_000
/** The line is not cut off at the edge of its box. */
const EDGE = 1

/** The points of each line, oldest first, as an SVG has them. `max`: the value at the top. */
export function chartLines(
  points: readonly Point[],
  max: number,
  { width, height }: { readonly width: number; readonly height: number },
): readonly string[] {
  const begin = points[0]?.atMs ?? 0
  const spanMs = Math.max(1, (points.at(-1)?.atMs ?? 0) - begin)
  const lines: string[][] = [[]]
  for (const [index, { atMs, value }] of points.entries()) {
    // A rate over a gap is none of any moment in it.
    if (value === undefined || isAfterGap(points, index)) {
      lines.push([])
      continue
    }
    const x = ((atMs - begin) / spanMs) * width
    const y = height - EDGE - (max === 0 ? 0 : value / max) * (height - 2 * EDGE)
    lines.at(-1)?.push(`${x.toFixed(1)},${y.toFixed(1)}`)
  }
  // One point alone is a dot: a line to itself.
  return lines
    .filter((line) => line.length > 0)
    .map((line) => (line.length === 1 ? [...line, ...line] : line).join(' '))
}

/** Whether looks are missing between the first and the last. */
export function hasGap(points: readonly Pick<Point, 'atMs'>[]): boolean {
  return points.some((_, index) => isAfterGap(points, index))
}

function isAfterGap(points: readonly Pick<Point, 'atMs'>[], index: number): boolean {
  const [before, now] = [points[index - 1], points[index]]
  return before !== undefined && now !== undefined && now.atMs - before.atMs > GAP_MS
}
