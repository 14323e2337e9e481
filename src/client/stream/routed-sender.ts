/**
 * Sends requests of order entry over the stream while it is logged in, and all others over HTTP. After a lost
 * answer on one transport, the outcome is queried on the other: the layer above both handles retries.
 */

import { ENDPOINTS } from '../endpoints.ts'
import { BourseError, RefusedError } from '../errors.ts'
import type { Answer, AttemptOptions, Sender } from '../http/attempt.ts'
import type { Endpoint } from '../values.ts'
import type { StreamOrders } from './stream-orders.ts'

export type Route = {
  readonly orders: StreamOrders
  /** Whether orders must end with the connection, so that they are sent over the stream or not at all. */
  readonly isOnlyWay: boolean
}

/** Certainly not carried out over the stream; HTTP may be available. */
const ELSEWHERE: readonly string[] = ['LOGIN_REQUIRED', 'REQUESTS_UNDER_WAY']
const PLACING: readonly Endpoint[] = [ENDPOINTS.newOrder, ENDPOINTS.replaceOrder, ENDPOINTS.orderBatch]
/** Pause before an attempt that waits for the stream is repeated. */
const ASKED_AGAIN_MS = 250

export class RoutedSender implements Sender {
  readonly #http: Sender
  #route: Route | undefined

  constructor(http: Sender) {
    this.#http = http
  }

  /** Undefined if HTTP is the only transport. */
  set route(route: Route | undefined) {
    this.#route = route
  }

  get route(): Route | undefined {
    return this.#route
  }

  send(attempt: AttemptOptions): Promise<Answer> {
    const route = this.#route
    return route === undefined ? this.#http.send(attempt) : this.#send(attempt, route)
  }

  async #send(attempt: AttemptOptions, route: Route): Promise<Answer> {
    const { endpoint } = attempt
    const isOnlyWay = route.isOnlyWay && PLACING.includes(endpoint)
    if (route.orders.takes(endpoint)) {
      try {
        return await route.orders.send(attempt)
      } catch (error) {
        if (!(error instanceof RefusedError) || !ELSEWHERE.includes(error.reason)) throw error
        if (isOnlyWay) throw error.with({ retryAfterMs: ASKED_AGAIN_MS })
      }
    } else if (isOnlyWay) throw notYet(endpoint, route)
    return this.#http.send(attempt)
  }
}

function notYet({ method, path }: Endpoint, { orders }: Route): BourseError {
  const request = `${method} ${path}`
  const said = `${request}: the stream is not ready, and orders that end with it are placed only over it`
  const again = orders.isHopeless ? {} : { retryAfterMs: ASKED_AGAIN_MS }
  return new BourseError('NO_ANSWER', said, { outcome: 'NOT_DONE', request, ...again })
}
