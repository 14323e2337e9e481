/**
 * Requests that wait for the engine: first in, first out, with a limit. They are in a ring, so the cost of
 * taking some does not depend on the number of requests behind them.
 */
import type { EngineLimits } from '../port/limits.ts'
import { ENGINE_QUERIES } from '../port/queries.ts'
import type { EngineRequest } from '../port/requests.ts'

const FIRST_SLOTS = 64

/**
 * Limit of the total cost of one batch's queries, in commands (`costCommands`), unless one query alone costs
 * more: requests after the batch wait for all of them.
 */
const QUERIES_COST_MAX = 4_096

export class Inbox {
  readonly #limits: EngineLimits
  /** A power of two; slots without a waiting command are undefined. */
  #slots: (EngineRequest | undefined)[] = new Array(FIRST_SLOTS).fill(undefined)
  #oldest = 0
  #count = 0
  #bytes = 0

  constructor(limits: EngineLimits) {
    this.#limits = limits
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Accepts a request; false if there is no room for it. */
  offer(request: EngineRequest): boolean {
    const bytes = sizeOf(request)
    if (this.#count >= this.#limits.inboxRequestsMax) return false
    if (this.#bytes + bytes > this.#limits.inboxBytesMax) return false
    if (this.#count === this.#slots.length) this.#grow()
    this.#slots[this.#slotOf(this.#count)] = request
    this.#count++
    this.#bytes += bytes
    return true
  }

  /** Removes the oldest requests, as many as one batch may have; at least one if any waits. */
  take(): EngineRequest[] {
    const { batchRequestsMax, batchBytesMax } = this.#limits
    let count = 0
    let bytes = 0
    let cost = 0
    while (count < this.#count && count < Math.max(1, batchRequestsMax)) {
      const request = this.#slots[this.#slotOf(count)] as EngineRequest
      const size = sizeOf(request)
      if (count > 0 && bytes + size > batchBytesMax) break
      const more = costOf(request)
      if (cost > 0 && cost + more > QUERIES_COST_MAX) break
      cost += more
      count++
      bytes += size
    }
    this.#bytes -= bytes
    return this.#takeOut(count)
  }

  /** Removes everything. */
  drain(): EngineRequest[] {
    this.#bytes = 0
    return this.#takeOut(this.#count)
  }

  #takeOut(count: number): EngineRequest[] {
    const taken: EngineRequest[] = []
    for (let place = 0; place < count; place++) {
      const slot = this.#slotOf(place)
      taken.push(this.#slots[slot] as EngineRequest)
      this.#slots[slot] = undefined
    }
    this.#oldest = this.#slotOf(count)
    this.#count -= count
    return taken
  }

  /** The index of the request that has `place` requests before it. */
  #slotOf(place: number): number {
    return (this.#oldest + place) & (this.#slots.length - 1)
  }

  #grow(): void {
    const slots = new Array<EngineRequest | undefined>(this.#slots.length * 2).fill(undefined)
    for (let place = 0; place < this.#count; place++) slots[place] = this.#slots[this.#slotOf(place)]
    this.#slots = slots
    this.#oldest = 0
  }
}

function sizeOf(request: EngineRequest): number {
  return request.kind === 'command' ? request.frame.length : 0
}

/** The cost of a query besides the commands, which have limits of their own. */
function costOf(request: EngineRequest): number {
  return request.kind === 'command' ? 0 : ENGINE_QUERIES[request.query.name].costCommands
}
