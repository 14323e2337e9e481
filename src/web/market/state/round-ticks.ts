/** Round numbers of an axis: the prices that a person counts in. */

/** What a step may begin with. */
const LEADS = [1, 2, 5]

/** Whole numbers from `from` to `to`, evenly apart by 1, 2 or 5 and zeros: as many as fit, `countMax` at most. */
export function roundTicks(from: number, to: number, countMax: number): readonly number[] {
  const range = to - from
  if (!(range > 0) || countMax < 1) return []
  const step = stepFor(range / countMax)
  const ticks: number[] = []
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick)
  return ticks
}

/** The least round step of at least so much, and of one. */
function stepFor(least: number): number {
  for (let power = 1; ; power *= 10) for (const lead of LEADS) if (lead * power >= least) return lead * power
}
