/** Lines drawn on the chart, actions at a price on it, and price alerts. */

export const DRAWINGS = {
  title: 'Draw',
  tools: { TREND: 'Trend line', LEVEL: 'Horizontal line' },
  atPrice: 'At a price …',
  price: 'Price',
  badPrice: 'Price: digits and at most one point, above zero',
  onlyForm: 'This fills in the order form; nothing is sent.',
  needsKey: 'Orders need an API key.',
  at: {
    BUY: (price: string) => `Buy limit at ${price}`,
    SELL: (price: string) => `Sell limit at ${price}`,
    ALERT: (price: string) => `Alert at ${price}`,
    LEVEL: (price: string) => `Horizontal line at ${price}`,
  },
  stop: {
    BUY: (price: string) => `Buy stop at ${price}`,
    SELL: (price: string) => `Sell stop at ${price}`,
  },
  drawn: 'Drawn in this market',
  alerts: 'Price alerts',
  level: (price: string) => `Horizontal line at ${price}`,
  trend: (from: string, to: string) => `Trend line from ${from} to ${to}`,
  alert: (market: string, price: string) => `${market} at ${price}`,
  select: (name: string) => `Select: ${name}`,
  remove: (name: string) => `Remove: ${name}`,
  place: {
    TREND: 'Press where the line begins; Enter draws one in the middle, Escape cancels',
    LEVEL: 'Press at the price; Enter draws one in the middle, Escape cancels',
  },
  placeEnd: 'Press where the line ends',
  selected: {
    whole:
      'Drag it, or use the arrow keys; Enter selects an end, Delete removes the line, Escape deselects it',
    from: 'First end: drag it, or use the arrow keys; Enter selects the other end',
    to: 'Second end: drag it, or use the arrow keys; Enter selects the whole line',
  },
  full: (most: string) => `At most ${most} drawings in a market: remove one first`,
  noAlert: {
    MANY: (most: string) => `At most ${most} alerts: remove one first`,
    MANY_MARKETS: (most: string) => `Alerts in at most ${most} markets: remove one first`,
  },
  alertThere: 'There is already an alert at this price',
  alertSet: (price: string) => `Alert at ${price}, while this page is open`,
  reached: {
    BELOW: (market: string, price: string) => `${market} has risen to ${price}`,
    ABOVE: (market: string, price: string) => `${market} has fallen to ${price}`,
  },
} as const
