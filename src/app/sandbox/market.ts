/** The initial content of the sandbox: assets, symbols, accounts and their money. */

export const SANDBOX_ASSETS = [
  { code: 'BTC', name: 'Bitcoin', fraction: 8 },
  { code: 'ETH', name: 'Ethereum', fraction: 8 },
  { code: 'USDT', name: 'Tether', fraction: 8 },
  { code: 'TRY', name: 'Turkish Lira', fraction: 2 },
] as const

export const SANDBOX_SYMBOLS = [
  { base: 'BTC', quote: 'USDT', baseFraction: 8, quoteFraction: 2 },
  { base: 'ETH', quote: 'USDT', baseFraction: 6, quoteFraction: 2 },
  { base: 'ETH', quote: 'BTC', baseFraction: 6, quoteFraction: 6 },
  { base: 'USDT', quote: 'TRY', baseFraction: 2, quoteFraction: 2 },
] as const

/** No account trades with itself, as on other exchanges: the resting order is canceled. */
export const SANDBOX_SELF_TRADE_MODE = 'EXPIRE_MAKER'

/** 0.1 %, for maker and taker alike. */
export const SANDBOX_RATE = '0.001'

export const SANDBOX_OPEN_ORDERS_MAX = 1_000_000
export const SANDBOX_LEVELS_MAX = 1_000_000

export const SANDBOX_ACCOUNTS = ['alice', 'bob'] as const

/** Each account's money at the start. */
export const SANDBOX_FUNDING = [
  { asset: 'BTC', amount: '100' },
  { asset: 'ETH', amount: '1000' },
  { asset: 'USDT', amount: '5000000' },
  { asset: 'TRY', amount: '50000000' },
] as const
