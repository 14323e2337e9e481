/**
 * The bars behind the levels of the book: each takes as much of its row as its sum is of the largest sum shown, so that bars of both sides can be compared. All bars
 * of a side are one shape: where a style changes in each row, the browser looks at each row.
 */

/** Both sides' rows, best first, with the quantity at each price and every better one. */
type Sums = readonly { readonly cumulative: bigint }[]

/** The sum that fills a row: the larger one of the two sides' last rows. */
export function largestSum(sell: Sums, buy: Sums): bigint {
  const [one, other] = [sell.at(-1)?.cumulative ?? 0n, buy.at(-1)?.cumulative ?? 0n]
  return one > other ? one : other
}

/** How much of its row a level's bar takes, in percent, rounded down to a tenth. */
export function barPercent(cumulative: bigint, largest: bigint): number {
  return Number((cumulative * 1000n) / largest) / 10
}

/** Pixels between two bars. */
const GAP = 1

/** The outline of a side's bars as a CSS shape: they begin at the right. `percents`: from the top row to the bottom one; `rowHeight`: in pixels. */
export function barsOutline(percents: readonly number[], rowHeight: number): string {
  const corners = percents.flatMap((percent, row) => {
    const [left, top, bottom] = [`${100 - percent}%`, row * rowHeight, (row + 1) * rowHeight - GAP]
    return [`100% ${top}px`, `${left} ${top}px`, `${left} ${bottom}px`, `100% ${bottom}px`]
  })
  return `polygon(${corners.join(',')})`
}
