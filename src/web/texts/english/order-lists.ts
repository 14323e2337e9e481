/** Orders that belong together, orders that wait for a price, and orders that meet one of the same account. */

export const LISTS = {
  group: 'Orders that belong together',
  kinds: {
    OCO: 'Take profit or stop loss (OCO)',
    OTO: 'One after another (OTO)',
    OTOCO: 'Entry, then both exits (OTOCO)',
  },
  about: {
    OCO: 'Two orders for the same quantity: when something happens to one of them, the other ends.',
    OTO: 'The second order is placed when the first one is filled.',
    OTOCO:
      'Take profit and stop loss are placed when the entry is filled; when something happens to one of them, the other ends.',
  },
  together: 'They are canceled together.',
  checked: {
    OCO: 'Each order is tested by itself; the two together are checked when they are sent.',
    OTO: 'The second order is checked when the first one is filled: it ends if it would be refused then.',
    OTOCO:
      'Take profit and stop loss are checked when the entry is filled: they end if one would be refused then.',
  },
  legs: { entry: 'Entry', next: 'Then', profit: 'Take profit', loss: 'Stop loss' },
  typed: (leg: string, type: string) => `${leg} (${type})`,
  later: (name: string, side: string) => `${name} · ${side}, once the entry is filled`,
  side: 'Side',
  quantity: 'Quantity (empty: what the entry receives)',
  receives: 'It is for what the entry receives, after commission.',
  spends: 'It spends what the entry brings.',
  crossed: 'Expected take profit on the better side of stop loss.',
} as const

export const TRIGGER = {
  when: {
    UP: 'Triggers when last price ≥ stop.',
    DOWN: 'Triggers when last price ≤ stop.',
  },
  noTrade: 'There was no trade yet.',
  last: (price: string) => `The last trade was at ${price}.`,
  away: (percent: string) => `That is ${percent}% away.`,
  reached: 'That is reached already: the exchange refuses it.',
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
    DECREMENT: 'Reduce both by the smaller one',
  },
} as const
