/**
 * The exchange as a class for npm `ccxt`, registered from outside: `createBourse(ccxt.Exchange, ccxt)`. It
 * imports nothing from ccxt, so that it works with the program's own copy. docs/ccxt.md lists the differences
 * from other exchanges.
 */
import { withAccount } from './src/account.js'
import { withMarkets } from './src/markets.js'
import { withOrderRequests } from './src/order-requests.js'
import { withOrders } from './src/orders.js'
import { withRequests } from './src/requests.js'
import { withStream } from './src/stream.js'
import { withAccountStream } from './src/stream-account.js'
import { withMarketStream } from './src/stream-markets.js'
import { withUnifiedValues } from './src/unified-values.js'

/** From the base class outwards: each layer may use those before it. */
const LAYERS = [
  ...[withRequests, withMarkets, withOrderRequests, withOrders, withAccount],
  ...[withStream, withMarketStream, withAccountStream, withUnifiedValues],
]

/**
 * The class of the exchange on ccxt's base class `Exchange`, with ccxt's classes of errors: `ccxt` itself, or its
 * `errors`.
 */
export function createBourse(Exchange, errors) {
  const Base = LAYERS.reduce((Layer, layer) => layer(Layer, errors), Exchange)
  return class bourse extends Base {}
}

/** Adds `ccxt.bourse` and `ccxt.pro.bourse`, adds the exchange's name to `ccxt.exchanges`, and returns the class. */
export function registerBourse(ccxt) {
  if (!Object.isExtensible(ccxt)) {
    throw new TypeError("registerBourse expects ccxt's default export: import ccxt from 'ccxt'")
  }
  const bourse = createBourse(ccxt.Exchange, ccxt.errors ?? ccxt)
  ccxt.bourse = bourse
  ccxt.pro.bourse = bourse
  if (!ccxt.exchanges.includes('bourse')) ccxt.exchanges.push('bourse')
  return bourse
}

export default createBourse
