/** The chart's second view, and own orders and fills on the chart. */

export const DEPTH = {
  of: (symbol: string) => `Depth of the book of ${symbol}`,
  keys: (symbol: string) =>
    `Depth of ${symbol}: arrow keys go from price to price, + and - zoom, Escape leaves the price`,
  zoom: 'Zoom',
  nearer: 'Nearer',
  farther: 'Farther',
  live: 'Live, the book of this moment',
  stale: 'Connection lost: this book may be out of date',
  summary: (bid: string, ask: string, spread: string, bids: string, asks: string) =>
    `Bid ${bid}  Ask ${ask}  Spread ${spread}  Within 1 %: bids ${bids}, asks ${asks}`,
  cross: {
    bids: (price: string, quantity: string, cost: string) =>
      `${price}: to sell down to it fills ${quantity} for ${cost}`,
    asks: (price: string, quantity: string, cost: string) =>
      `${price}: to buy up to it fills ${quantity} for ${cost}`,
  },
  inSpread: (price: string) => `${price}: between the best prices, nothing is there`,
} as const
