/** Texts around the panels: the bar at the top, the connection, the phase of trading. */

export const PAGE = {
  skip: 'Skip to the order book',
  symbol: 'Market',
  lastPrice: 'Last price',
  bestBid: 'Best bid',
  bestAsk: 'Best ask',
  spread: 'Spread',
  health: { connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting', offline: 'Offline' },
  lost: {
    title: 'Connection to the exchange lost.',
    advice: 'What you see may be out of date. Reconnecting automatically.',
    retry: 'Try now',
  },
  /** The browser reports that it is offline. */
  offline: {
    title: 'You are offline.',
    advice:
      'What you see is out of date, and no order can be sent. Reconnecting as soon as the network is back.',
  },
  demo: {
    start: 'Start demo market',
    stop: 'Stop demo market',
    about: 'Simulated traders of the sandbox keep the market moving',
  },
  nodeAnswered: (status: number) => `The node answered with ${status}.`,
  languageFailed: 'Turkish cannot be loaded. Load the page again.',
} as const

export const PHASES = {
  /** The phase of the exchange. */
  now: {
    CANCEL_ONLY: 'Trading is stopped in all markets: orders can be canceled, but not placed.',
    CLOSED: 'The exchange is closed: orders can be neither placed nor canceled.',
  },
  /** The state of the symbol. */
  symbol: {
    HALTED: 'This market is halted: orders can be canceled, but not placed.',
    CANCEL_ONLY: 'This market is closing: orders can be canceled, but not placed.',
    DELISTED: 'This market is no longer traded.',
  },
  planned: { TRADING: 'trading', CANCEL_ONLY: 'canceling only', CLOSED: 'closed' },
  step: (phase: string, time: string) => `${phase} from ${time}`,
  plan: (steps: string, zone: string) => `Planned: ${steps} (${zone}).`,
} as const
