/**
 * Linked orders, orders that wait for a price, and orders that would trade with an order of the same account.
 */

export const LISTS = {
  group: 'Linked orders',
  kinds: {
    OCO: 'Take profit or stop loss (OCO)',
    OTO: 'One after another (OTO)',
    OTOCO: 'Entry, then both exits (OTOCO)',
  },
  about: {
    OCO: 'Two orders for the same quantity: when one is filled, triggered or canceled, the other is canceled.',
    OTO: 'The second order is placed once the first one is filled.',
    OTOCO:
      'Take profit and stop loss are placed once the entry is filled; when one is filled, triggered or canceled, the other is canceled.',
  },
  together: 'They are canceled together.',
  checked: {
    OCO: 'Each order is checked on its own, and both together when they are sent.',
    OTO: 'The second order is checked once the first one is filled, and canceled if it would be refused then.',
    OTOCO:
      'Take profit and stop loss are checked once the entry is filled, and canceled if one would be refused then.',
  },
  legs: { entry: 'Entry', next: 'Then', profit: 'Take profit', loss: 'Stop loss' },
  typed: (leg: string, type: string) => `${leg} (${type})`,
  later: (name: string, side: string) => `${name} · ${side}, once the entry is filled`,
  side: 'Side',
  quantity: 'Quantity (empty: what the entry receives)',
  receives: 'For what the entry receives, after commission.',
  spends: 'It spends what the entry brings in.',
  crossed: 'Take profit must be at a better price than stop loss.',
} as const

export const TRIGGER = {
  when: {
    UP: 'Triggers when last price ≥ stop.',
    DOWN: 'Triggers when last price ≤ stop.',
  },
  noTrade: 'No trades yet.',
  last: (price: string) => `Last price: ${price}.`,
  away: (percent: string) => `${percent}% away.`,
  reached: 'Already reached: the exchange refuses the order.',
  reachedLater:
    'Already reached: if this is still true when the entry is filled, the order triggers at once.',
} as const

export const SELF_TRADE = {
  title: 'Iceberg and self-trade prevention',
  label: 'Self-trade prevention',
  usual: 'Market default',
  modes: {
    NONE: 'Allow',
    EXPIRE_TAKER: 'Cancel the new order',
    EXPIRE_MAKER: 'Cancel the order in the book',
    EXPIRE_BOTH: 'Cancel both',
    DECREMENT: 'Reduce both by the smaller quantity',
  },
} as const

/** Orders that follow the price. `percent`: without a sign. */
export const TRAILING = {
  distance: 'Trailing distance',
  from: 'Activation price',
  since: 'Trailing since',
  follows: (percent: string) => `trails by ${percent}%`,
  followsSince: (percent: string, since: string) => `trails by ${percent}% since ${since}`,
  followsFrom: (percent: string, price: string) => `trails by ${percent}% from ${price}`,
  range: (least: string, most: string) => `Must be from ${least}% to ${most}%.`,
  when: {
    BUY: (percent: string) => `Buys when the price rises ${percent}% above its lowest.`,
    SELL: (percent: string) => `Sells when the price falls ${percent}% below its highest.`,
  },
  begins: {
    atOnce: 'It follows the price from the next trade on.',
    UP: 'It follows the price once a trade is at the activation price or above.',
    DOWN: 'It follows the price once a trade is at the activation price or below.',
  },
  afterEntry: 'It waits for the entry first.',
  anew: 'It starts following the price afresh: earlier prices no longer count.',
} as const
