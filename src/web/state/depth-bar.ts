/**
 * The bar behind a level of the book: as much of the row as its sum is of the largest sum shown, so that bars of both
 * sides can be compared.
 */

/** Both sides' rows, best first, with the quantity at each price and every better one. */
type Sums = readonly { readonly cumulative: bigint }[]

/** The sum that fills a row: the larger one of the two sides' last rows. */
export function largestSum(sell: Sums, buy: Sums): bigint {
  const [one, other] = [sell.at(-1)?.cumulative ?? 0n, buy.at(-1)?.cumulative ?? 0n]
  return one > other ? one : other
}

/** How much of its row a level's bar takes, in thousandths rounded down, as a CSS length. */
export function barLength(cumulative: bigint, largest: bigint): string {
  return `${Number((cumulative * 1000n) / largest) / 10}%`
}
