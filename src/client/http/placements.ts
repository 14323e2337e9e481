/**
 * Placements that no fault carries out twice (docs/reference/client-order-ids.md). Each has a client id. If
 * an attempt may have been carried out, the id is queried until the order exists, or until it is certain that
 * it never will. Only then is the request sent again, with the same id: in the first case to get the original
 * answer, in the second because earlier attempts can no longer have an effect.
 */

import { ENDPOINTS } from '../endpoints.ts'
import { BourseError, RefusedError, usageError } from '../errors.ts'
import type { Order, OrderList } from '../interface/orders.ts'
import type { Platform } from '../platform/ports.ts'
import type { Endpoint } from '../values.ts'
import type { Answer, Fields } from './attempt.ts'
import { isPassing, isTimeRefusal, type RestCaller, type RetriedCall, TIME_REFUSALS_BORNE } from './caller.ts'

/** The request sent under a client id. */
export type Attempted = {
  readonly clientOrderId: string
  /** The latest time at which any of the attempts may have taken effect, by the server's time. */
  readonly deadline: number
  /** The time of the first attempt, by the server's time. */
  readonly firstAttempt: number
}

/**
 * The outcome of a request. `PLACED`: the account has such an order or list. `NEVER`: it has none, and
 * nothing sent by the deadline can create one. `UNKNOWN`: the time limit was reached first.
 */
export type Resolution<Found> =
  | { readonly kind: 'PLACED'; readonly found: Found }
  | { readonly kind: 'NEVER' }
  | { readonly kind: 'UNKNOWN'; readonly error: BourseError }

/**
 * An order or a list of orders: the names of its id in the request that places it, and in the request that
 * queries it.
 */
export type Placeable = {
  readonly idParameter: 'newClientOrderId' | 'listClientOrderId'
  readonly asking: Endpoint
  readonly askedBy: 'origClientOrderId' | 'listClientOrderId'
}

export const AN_ORDER: Placeable = {
  idParameter: 'newClientOrderId',
  asking: ENDPOINTS.order,
  askedBy: 'origClientOrderId',
}

export const A_LIST: Placeable = {
  idParameter: 'listClientOrderId',
  asking: ENDPOINTS.orderList,
  askedBy: 'listClientOrderId',
}

/** Pause between queries: the time at which the answer becomes final may be a second away. */
const ASKED_AGAIN_MS = 250

export type PlacementOptions = {
  /** If false, a request that was certainly never placed is not sent again automatically. */
  readonly isSentAgain: boolean
  /** Called before each attempt is sent. */
  readonly onAttempt?: ((attempted: Attempted) => void) | undefined
  /** Called for every failed attempt. */
  readonly onFailure?: (error: BourseError) => void
}

export class Placements {
  readonly #caller: RestCaller
  readonly #platform: Pick<Platform, 'randomHex'>

  constructor(caller: RestCaller, platform: Pick<Platform, 'randomHex'>) {
    this.#caller = caller
    this.#platform = platform
  }

  /** A client order id that no other order or list has. */
  newId(): string {
    return `b-${this.#platform.randomHex(16)}`
  }

  /**
   * The answer to the only placement under the request's id. `fields` contain the id, and every error has it
   * too.
   */
  async place(
    endpoint: Endpoint,
    fields: Fields,
    thing: Placeable,
    call: RetriedCall,
    { isSentAgain, onAttempt = () => {}, onFailure = () => {} }: PlacementOptions,
  ): Promise<Answer> {
    const clientOrderId = fields[thing.idParameter]
    if (clientOrderId === undefined) throw usageError(`${thing.idParameter}: expected an id`)
    const attempts = new Attempts(clientOrderId)
    let found: Order | OrderList | undefined
    let timeRefusals = 0
    for (let failures = 0; ; failures++) {
      try {
        return await this.#caller.once(endpoint, fields, call, (timestamp) => {
          attempts.add(timestamp, call.recvWindowMs)
          onAttempt(attempts.told())
        })
      } catch (error) {
        if (!(error instanceof BourseError)) throw error
        onFailure(error)
        const told = attempts.tell(error, found)
        if (error.outcome === 'UNKNOWN' && error.kind !== 'ABORTED') {
          const resolution = await this.resolve(attempts.told(), thing, call)
          if (resolution.kind === 'UNKNOWN')
            throw resolution.error.kind === 'ABORTED' ? attempts.tell(resolution.error, found) : told
          found = resolution.kind === 'PLACED' ? resolution.found : undefined
          const settled = attempts.tell(error.with({ outcome: 'NOT_DONE' }), found)
          if (resolution.kind === 'NEVER' && !isSentAgain) throw settled
          await this.#caller.pause(settled, failures, call)
        } else {
          if (isTimeRefusal(error)) timeRefusals++
          const isAgain = isTimeRefusal(error) ? timeRefusals <= TIME_REFUSALS_BORNE : isPassing(error)
          if (!isAgain) throw this.#caller.withSkew(told)
          await this.#caller.pause(told, failures, call)
        }
      }
    }
  }

  /**
   * The outcome of a sent request, found by querying its id until it is certain or the call's time limit is
   * reached.
   */
  async resolve(
    attempted: Attempted,
    thing: Placeable,
    call: RetriedCall,
  ): Promise<Resolution<Order | OrderList>> {
    const fields = {
      [thing.askedBy]: attempted.clientOrderId,
      deadline: String(attempted.deadline),
      firstAttempt: String(attempted.firstAttempt),
    }
    for (let failures = 0; ; failures++) {
      try {
        const { data } = await this.#caller.repeatedly(thing.asking, fields, call)
        return { kind: 'PLACED', found: data as Order | OrderList }
      } catch (error) {
        if (!(error instanceof BourseError)) throw error
        if (!(error instanceof RefusedError) || error.isFinal === undefined) {
          return { kind: 'UNKNOWN', error: error.with({ outcome: 'UNKNOWN' }) }
        }
        if (error.isFinal) return { kind: 'NEVER' }
        const waiting = error.with({ outcome: 'UNKNOWN', retryAfterMs: ASKED_AGAIN_MS })
        try {
          await this.#caller.pause(waiting, failures, call)
        } catch (ended) {
          if (ended instanceof BourseError) return { kind: 'UNKNOWN', error: ended }
          throw ended
        }
      }
    }
  }
}

/** The times at which the same request was sent. */
class Attempts {
  readonly #clientOrderId: string
  #first: number | undefined
  #deadline = 0

  constructor(clientOrderId: string) {
    this.#clientOrderId = clientOrderId
  }

  add(timestamp: number, recvWindowMs: number): void {
    this.#first ??= timestamp
    this.#deadline = Math.max(this.#deadline, timestamp + recvWindowMs)
  }

  /**
   * The error with the id, and with the record found under it: the time of its placement shows whether these
   * attempts placed it.
   */
  tell(error: BourseError, found: Order | OrderList | undefined): BourseError {
    const isOther = error instanceof RefusedError && error.reason === 'DUPLICATE_CLIENT_ORDER_ID'
    if (found === undefined || isOther || found.createdAt < (this.#first ?? 0)) return error.with(this.told())
    return error.with({ ...this.told(), outcome: 'DONE', order: 'orders' in found ? undefined : found })
  }

  told(): Attempted {
    return { clientOrderId: this.#clientOrderId, deadline: this.#deadline, firstAttempt: this.#first ?? 0 }
  }
}
