/**
 * A trader of the demo market: an ordinary client of the exchange, with the published client
 * (docs/client.md).
 */
import { type BourseClient, createBourseClient } from '../../../client/client.ts'
import type { Platform } from '../../../client/platform/ports.ts'
import type { Credentials } from '../credentials.ts'

/** The operations that the demo market needs. */
export type TraderRequests = Pick<
  BourseClient,
  'openOrders' | 'priceTicker' | 'newOrder' | 'orderBatch' | 'massCancel' | 'countdown'
>

export type DemoTrader = { readonly name: string; readonly client: TraderRequests }

/**
 * Time limits of an attempt, and of a call with all its attempts, in milliseconds. A stop of the market waits
 * as long.
 */
const ATTEMPT_MS_MAX = 5_000
const CALL_MS_MAX = 10_000

export type TraderOptions = {
  /** `http://host:port` */
  readonly baseUrl: string
  readonly credentials: Credentials
  /** Replaces the runtime's `fetch` if the exchange's certificate requires it. */
  readonly fetch?: Platform['fetch'] | undefined
}

export function clientOf({ baseUrl, credentials, fetch }: TraderOptions): BourseClient {
  const { apiKey, secret } = credentials
  const platform = fetch === undefined ? {} : { platform: { fetch } }
  return createBourseClient({
    ...{ url: baseUrl, apiKey, secret, timeoutMs: ATTEMPT_MS_MAX, patienceMs: CALL_MS_MAX },
    ...platform,
  })
}
