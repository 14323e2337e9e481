/** The chosen market: book, tape, chart; and the list of markets. */

export const BOOK = {
  title: 'Order book',
  groupBy: 'Group by',
  caption: 'Asks above, best at the bottom; bids below, best at the top.',
  price: 'Price',
  quantity: 'Quantity',
  sum: 'Sum',
  asks: 'Asks',
  bids: 'Bids',
  mid: 'Mid',
  noSymbols: 'No markets yet',
  noSymbolsAdvice: 'The operator lists markets with “npx bourse admin”. They appear here automatically.',
  noOrders: 'No orders yet',
  noOrdersAdvice: 'The first limit order appears here.',
  demoAdvice: 'Or start the demo market: its traders fill the book.',
} as const

export const TAPE = {
  title: 'Recent trades',
  time: 'Time',
  none: 'No trades yet',
  noneAdvice: 'When a buy and a sell order match, the trade appears here.',
} as const

export const MARKETS = {
  title: 'Markets',
  button: (symbol: string) => `Market: ${symbol}`,
  noButton: 'No markets',
  search: 'Search',
  searchLabel: 'Search markets',
  none: 'No market has this name.',
  noFavorites: 'No favorites yet. The star next to a market adds it.',
  notLoaded: 'The 24h figures cannot be loaded at the moment. Trying again.',
  tabs: 'Markets by quote asset',
  all: 'All',
  favorites: 'Favorites',
  favorite: 'favorite',
  addFavorite: (symbol: string) => `Add ${symbol} to favorites`,
  removeFavorite: (symbol: string) => `Remove ${symbol} from favorites`,
  sortBy: 'Sort by',
  heads: {
    name: 'Market',
    last: 'Last price',
    change: '24h change',
    high: '24h high',
    low: '24h low',
    volume: '24h volume',
  },
  ascending: (head: string) => `${head}, ascending`,
  descending: (head: string) => `${head}, descending`,
  states: { HALTED: 'Halted', CANCEL_ONLY: 'Cancel only', CLOSED: 'Closed' },
  count: (shown: number, all: number) => (shown === all ? `${all} markets` : `${shown} of ${all} markets`),
  keys: '↑ ↓ choose · Enter opens · * favorite',
} as const

export const CHART = {
  title: 'Chart',
  loading: 'Loading the chart',
  failed: 'The chart cannot be loaded. Load the page again.',
  views: { candles: 'Candles', depth: 'Depth' },
  intervals: 'Interval',
  moreIntervals: 'Other intervals',
  more: 'More',
  newest: 'Newest',
  older: {
    loading: 'Loading older candles …',
    end: 'This is where the market begins',
    full: 'No older candles are stored',
    refused: 'The exchange has no older candles for this market',
    failed: 'Older candles could not be loaded: trying again',
  },
  madeUp: 'Pale candles are made up for the demo',
  madeUpCandle: 'made up',
  candles: (symbol: string, interval: string) =>
    `Candles of ${symbol}, ${interval}: arrow keys move, + and - zoom, Home shows the oldest, End the newest`,
  waiting: 'Waiting for the candles',
  live: (interval: string) => `Live, ${interval}, times in UTC`,
  stale: 'Connection lost: these candles may be out of date',
  none: 'The exchange has no candles for this market',
  figures: (open: string, high: string, low: string, close: string, volume: string) =>
    `O ${open}  H ${high}  L ${low}  C ${close}  Vol ${volume}`,
} as const
