/**
 * Positions on the chart's time axis: candles are side by side, whatever the time between them. Before the
 * first candle and after the last one, the axis continues with the distance of the nearest two.
 */

/** The distance between candles if it cannot be derived. */
const USUAL_APART = 60_000

/**
 * The position of a time among the times of candles, oldest first: 0 is the first one, a fraction is between
 * two. Undefined if there are none.
 */
export function placeOf(times: readonly number[], time: number): number | undefined {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return undefined
  if (time <= first) return (time - first) / apartOf(times)
  if (time >= last) return times.length - 1 + (time - last) / apartOf(times)
  let [low, high] = [0, times.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) <= time) low = middle
    else high = middle
  }
  const [from = 0, to = 0] = [times[low], times[high]]
  return low + (time - from) / (to - from)
}

/** The time of a position; undefined if there are no candles. */
export function timeOf(times: readonly number[], place: number): number | undefined {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return undefined
  if (place <= 0) return first + place * apartOf(times)
  if (place >= times.length - 1) return last + (place - times.length + 1) * apartOf(times)
  const low = Math.floor(place)
  const [from = 0, to = from] = [times[low], times[low + 1]]
  return from + (to - from) * (place - low)
}

function apartOf(times: readonly number[]): number {
  const [before, last] = [times.at(-2), times.at(-1)]
  return before === undefined || last === undefined ? USUAL_APART : last - before
}
