/** Round numbers for an axis of prices. */

/** Possible first digits of a step. */
const LEADS = [1, 2, 5]

/**
 * Integers from `from` to `to` with a distance of 1, 2 or 5 times a power of ten: as many as fit, at most
 * `countMax`.
 */
export function roundTicks(from: number, to: number, countMax: number): readonly number[] {
  const range = to - from
  if (!(range > 0) || countMax < 1) return []
  const step = stepFor(range / countMax)
  const ticks: number[] = []
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick)
  return ticks
}

/** The smallest round step that is at least `least`, and at least one. */
function stepFor(least: number): number {
  for (let power = 1; ; power *= 10) for (const lead of LEADS) if (lead * power >= least) return lead * power
}
