/** The chart's second view, and own orders and fills on the chart. */

export const DEPTH = {
  of: (symbol: string) => `Depth of the ${symbol} book`,
  keys: (symbol: string) =>
    `Depth of ${symbol}: arrow keys move from price to price, + and - zoom, Escape deselects the price`,
  zoom: 'Zoom',
  nearer: 'Zoom in',
  farther: 'Zoom out',
  live: 'Live, the current book',
  stale: 'Connection lost: this book may be out of date',
  summary: (bid: string, ask: string, spread: string, bids: string, asks: string) =>
    `Bid ${bid}  Ask ${ask}  Spread ${spread}  Within 1%: bids ${bids}, asks ${asks}`,
  cross: {
    bids: (price: string, quantity: string, cost: string) =>
      `${price}: selling down to it fills ${quantity} for ${cost}`,
    asks: (price: string, quantity: string, cost: string) =>
      `${price}: buying up to it fills ${quantity} for ${cost}`,
  },
  inSpread: (price: string) => `${price}: between the best prices, no orders`,
} as const

export const MOVES = {
  orders: 'Your orders on the chart',
  line: (side: string, left: string, type: string) => `${side} ${left} ${type}`,
  stopLine: (side: string, left: string, type: string) => `Stop price: ${side} ${left} ${type}`,
  chip: (line: string, price: string) => `${line} at ${price}`,
  begin: (line: string) => `Move ${line}`,
  newPrice: (line: string) =>
    `New price of ${line}: arrow keys change it, with Shift by ten steps; Enter moves the order, Escape cancels`,
  ghost: (price: string, effect: string) => `At ${price} it would ${effect}`,
  confirm: 'Move',
  leave: 'Do not move',
  title: (side: string, symbol: string) => `Move order: ${side} ${symbol}`,
  left: 'Remaining',
  effect: 'Now it would',
  filled: 'Filled before',
  filledNote: (quantity: string) => `${quantity}; fills before the move are added`,
  effects: {
    RESTS: 'stay in the book',
    REFUSED: 'be refused: post only, and it would trade at once',
    WAITS: 'wait for its stop price',
    REACHED: 'be refused: the last trade has reached this stop price',
    TAKES: (quantity: string, cost: string) => `trade ${quantity} at once for ${cost}`,
  },
  whyNot: {
    LIST: 'An order in a list cannot be moved: that would end the list. Cancel the list and place a new one.',
  },
  gone: 'The order is no longer open: nothing was moved.',
  marks: (bought: string, sold: string) => `Your fills: bought ${bought}, sold ${sold}`,
  cut: (count: number) => `Only your newest ${count} fills of this period are marked`,
} as const
