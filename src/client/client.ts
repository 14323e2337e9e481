/**
 * The client of an exchange: `createBourseClient`. It opens no connection by itself, and has nothing that
 * would keep a program running.
 */
import type { ClockMeasure } from './access/server-clock.ts'
import { type ClientOptions, clientParts } from './parts.ts'
import type { Helpers, Requests } from './requests.ts'
import { requests } from './rest.ts'
import { BourseStream, type StreamOptions } from './stream/bourse-stream.ts'

export type BourseClient = Requests &
  Helpers & {
    /** The current server time in milliseconds, measured if necessary. */
    readonly serverNow: () => Promise<number>
    /** The error of the machine's clock; undefined before the first measurement. */
    readonly clockMeasure: () => ClockMeasure | undefined
    /**
     * One connection to the stream: markets, the account, and orders. It opens with the first subscription,
     * or with `connect`.
     */
    readonly stream: (options?: StreamOptions) => BourseStream
    /** The address, and whether there is a key: never the key or its secret. */
    readonly toString: () => string
  }

export function createBourseClient(options: ClientOptions): BourseClient {
  const parts = clientParts(options)
  const { url, apiKey, caller } = parts
  const shown = `BourseClient(${url}${apiKey === undefined ? '' : ', with a key'})`
  return Object.freeze({
    ...requests(parts),
    serverNow: () => caller.clock.time(),
    clockMeasure: () => caller.clock.measure,
    stream: (given?: StreamOptions) => new BourseStream(parts, given),
    toString: () => shown,
    toJSON: () => shown,
  })
}
