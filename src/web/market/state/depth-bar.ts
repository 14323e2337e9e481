/**
 * The bars behind the levels of the book: the width of each is its sum divided by the largest displayed sum,
 * so that bars of both sides can be compared. All bars of a side are one shape: if a style changed in each
 * row, the browser would process each row.
 */

/** The rows of one side, best first, with the quantity at each price and every better one. */
type Sums = readonly { readonly cumulative: bigint }[]

/** The sum that fills a row: the larger one of the two sides' last rows. */
export function largestSum(sell: Sums, buy: Sums): bigint {
  const [one, other] = [sell.at(-1)?.cumulative ?? 0n, buy.at(-1)?.cumulative ?? 0n]
  return one > other ? one : other
}

/** The width of a level's bar in percent of its row, rounded down to a tenth. */
export function barPercent(cumulative: bigint, largest: bigint): number {
  return Number((cumulative * 1000n) / largest) / 10
}

/** Pixels between two bars. */
const GAP = 1

/**
 * The outline of a side's bars as a CSS shape: they start at the right. `percents`: from the top row to the
 * bottom one; `rowHeight`: in pixels.
 */
export function barsOutline(percents: readonly number[], rowHeight: number): string {
  const corners = percents.flatMap((percent, row) => {
    const [left, top, bottom] = [`${100 - percent}%`, row * rowHeight, (row + 1) * rowHeight - GAP]
    return [`100% ${top}px`, `${left} ${top}px`, `${left} ${bottom}px`, `100% ${bottom}px`]
  })
  return `polygon(${corners.join(',')})`
}
