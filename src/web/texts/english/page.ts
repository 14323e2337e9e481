/** What stands around the panels: the bar at the top, the connection, the phase of trading. */

export const PAGE = {
  skip: 'Skip to the order book',
  symbol: 'Symbol',
  lastPrice: 'Last price',
  bestBid: 'Best bid',
  bestAsk: 'Best ask',
  spread: 'Spread',
  health: { connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting' },
  lost: {
    title: 'The connection to the exchange is lost.',
    advice: 'What you see may be out of date. Trying again on its own.',
    retry: 'Try now',
  },
  demo: {
    start: 'Start demo market',
    stop: 'Stop demo market',
    about: 'Makers and takers of the sandbox trade, so that the market lives',
  },
  nodeAnswered: (status: number) => `The node answered with ${status}.`,
  languageFailed: 'Turkish cannot be loaded. Load the page again.',
} as const

export const PHASES = {
  /** Of the exchange. */
  now: {
    CANCEL_ONLY: 'Trading is stopped in all symbols: orders can be canceled, not placed.',
    CLOSED: 'The exchange is closed: orders can be neither placed nor canceled.',
  },
  /** Of the symbol. */
  symbol: {
    HALTED: 'Trading in this symbol is halted: orders can be canceled, not placed.',
    CANCEL_ONLY: 'This symbol is wound down: orders can be canceled, not placed.',
    DELISTED: 'This symbol is not traded any more.',
  },
  planned: { TRADING: 'trading', CANCEL_ONLY: 'cancelling only', CLOSED: 'closed' },
  step: (phase: string, time: string) => `${phase} from ${time}`,
  plan: (steps: string) => `Planned: ${steps} (UTC).`,
} as const
