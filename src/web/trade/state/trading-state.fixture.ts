/** A live private half, with a trader that places nothing. */
import { signal } from '@preact/signals'
import type { LoginState } from '../../../client/stream/stream-login.ts'
import { keptStorage } from '../../shared/browser-storage.fixture.ts'
import { KeyHolder } from '../key/key-holder.ts'
import type { ChannelRefusal } from './account-book.ts'
import { kindEntry } from './draft/kind-entry.ts'
import { browserAttempts } from './sending/attempt-store.ts'
import { Consent, consentEntry } from './sending/consent.ts'
import { Dispatch } from './sending/dispatch.ts'
import type { Trader } from './trader.ts'
import { TradingState } from './trading-state.ts'

export const MARKET = {
  name: 'BTC/USDT',
  baseCode: 'BTC',
  quoteCode: 'USDT',
  baseFraction: 8,
  quoteFraction: 2,
}

export function tradingState() {
  const storage = keptStorage().tab()
  const key = { apiKey: 'alice', secret: { algorithm: { name: 'HMAC' } } as CryptoKey }
  const holder = new KeyHolder({
    subtle: undefined,
    store: { read: async () => key, write: async () => {}, clear: async () => {} },
    tabs: { postMessage: () => {}, onmessage: null },
    importSecret: () => Promise.reject(new Error('no secret')),
  })
  const trading = new TradingState({
    holder,
    url: 'http://127.0.0.1:9',
    consent: consentEntry(storage),
    attempts: browserAttempts(storage),
    lastKind: kindEntry(storage),
    onFill: () => {},
  })
  // A key that the holder does not have; with its own key the state would connect.
  Object.assign(trading, { consent: new Consent(consentEntry(storage), signal('alice')) })
  const account = {
    isLive: signal(true),
    refusals: signal<readonly ChannelRefusal[]>([]),
    orders: signal([]),
    balances: signal(new Map([['USDT', { asset: 'USDT', free: '1000' }]])),
  }
  const unknown = signal<string | undefined>(undefined)
  const login = signal<LoginState | undefined>(undefined)
  const never = () => new Promise<never>(() => {})
  const trader = {
    account,
    unknown,
    login,
    commission: never,
    test: never,
    place: never,
    placeList: never,
    requests: { symbolRules: never },
  }
  trading.trader.value = trader as unknown as Trader
  trading.show(MARKET)
  trading.isMarketLive.value = true
  trading.best.value = { bid: '99', ask: '100' }
  const clock = { now: 0 }
  return { trading, dispatch: new Dispatch(trading, () => clock.now), clock, trader, account, unknown }
}
