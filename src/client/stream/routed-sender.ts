/**
 * Sends requests of order entry over the stream while it is logged in, and all others over HTTP. An answer that is lost on one way is asked for
 * on the other: what knows about attempts again stands above both.
 */
import { BourseError, RefusedError } from '../errors.ts'
import type { Answer, AttemptOptions, Sender } from '../http/attempt.ts'
import { ENDPOINTS } from '../interface/endpoints.ts'
import type { Endpoint } from '../values.ts'
import type { StreamOrders } from './stream-orders.ts'

export type Route = {
  readonly orders: StreamOrders
  /** What is placed is to end with the connection: it goes over the stream or not at all. */
  readonly isOnlyWay: boolean
}

/** Certainly not done on the stream, and HTTP may be open. */
const ELSEWHERE: readonly string[] = ['LOGIN_REQUIRED', 'REQUESTS_UNDER_WAY']
const PLACING: readonly Endpoint[] = [ENDPOINTS.newOrder, ENDPOINTS.replaceOrder, ENDPOINTS.orderBatch]
/** How soon an attempt that has to wait for the stream is made again. */
const ASKED_AGAIN_MS = 250

export class RoutedSender implements Sender {
  readonly #http: Sender
  #route: Route | undefined

  constructor(http: Sender) {
    this.#http = http
  }

  /** Undefined: HTTP is the only way. */
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
  const said = `${request}: the stream is not ready, and an order that is to end with its connection is placed over it alone`
  const again = orders.isHopeless ? {} : { retryAfterMs: ASKED_AGAIN_MS }
  return new BourseError('NO_ANSWER', said, { outcome: 'NOT_DONE', request, ...again })
}
