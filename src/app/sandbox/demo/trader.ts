/** Who trades on the demo market: an ordinary client of the exchange, the one that everybody is given (docs/client.md). */
import { type BourseClient, createBourseClient } from '../../../client/client.ts'
import type { Platform } from '../../../client/platform/ports.ts'
import type { Credentials } from '../credentials.ts'

/** What the demo market asks for. */
export type TraderRequests = Pick<
  BourseClient,
  'openOrders' | 'priceTicker' | 'newOrder' | 'orderBatch' | 'massCancel' | 'countdown'
>

export type DemoTrader = { readonly name: string; readonly client: TraderRequests }

/** What an attempt, and a call with all its attempts, may take; milliseconds. A stop of the market waits for as much. */
const ATTEMPT_MS_MAX = 5_000
const CALL_MS_MAX = 10_000

export type TraderOptions = {
  /** `http://host:port` */
  readonly baseUrl: string
  readonly credentials: Credentials
  /** In place of the runtime's, for what it needs for the exchange's certificate. */
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
