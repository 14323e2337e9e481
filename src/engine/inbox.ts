/**
 * Requests that wait for the engine: first in, first out, and never more than fits.
 */
import type { EngineLimits } from './limits.ts'
import type { EngineRequest } from './requests.ts'

export class Inbox {
  readonly #limits: EngineLimits
  #requests: EngineRequest[] = []
  #bytes = 0

  constructor(limits: EngineLimits) {
    this.#limits = limits
  }

  get isEmpty(): boolean {
    return this.#requests.length === 0
  }

  /** Takes a request in; false when there is no room for it. */
  offer(request: EngineRequest): boolean {
    const bytes = sizeOf(request)
    if (this.#requests.length >= this.#limits.inboxRequestsMax) return false
    if (this.#bytes + bytes > this.#limits.inboxBytesMax) return false
    this.#requests.push(request)
    this.#bytes += bytes
    return true
  }

  /** Takes out the oldest requests, as many as one batch may have; at least one where there is one. */
  take(): EngineRequest[] {
    const { batchRequestsMax, batchBytesMax } = this.#limits
    let count = 0
    let bytes = 0
    for (const request of this.#requests) {
      const size = sizeOf(request)
      if (count > 0 && (count >= batchRequestsMax || bytes + size > batchBytesMax)) break
      count++
      bytes += size
    }
    this.#bytes -= bytes
    if (count < this.#requests.length) return this.#requests.splice(0, count)
    const all = this.#requests
    this.#requests = []
    return all
  }

  /** Takes out everything. */
  drain(): EngineRequest[] {
    const all = this.#requests
    this.#requests = []
    this.#bytes = 0
    return all
  }
}

function sizeOf(request: EngineRequest): number {
  return request.kind === 'command' ? request.frame.length : 0
}
