/**
 * Counters of the public server: plain numbers read for the metrics. Counting a request costs some tens of
 * nanoseconds and no memory.
 */

import { REASON_NAMES, type Reason } from '../../contract/reasons/catalogue.ts'
import { Histogram } from '../../engine/writer/histogram.ts'

/** Seconds from a request's arrival to its answer. */
export const SECONDS_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Counters of one gateway or of several. */
export type TrafficReading = {
  /** All received requests, including stream connections. */
  readonly requests: number
  /** Requests to endpoints that are not answered yet. */
  readonly underWay: number
  /** Every existing reason, including those that were never given. */
  readonly refusals: ReadonlyMap<Reason, number>
  /** How long the answers of each endpoint took, by `<method> <path>` as the documentation writes it. */
  seconds(): Iterable<readonly [string, Histogram]>
}

export class Traffic implements TrafficReading {
  /** All received requests, including stream connections. */
  requests = 0
  /** Requests to endpoints that are not answered yet. */
  underWay = 0
  readonly #secondsByEndpoint = new Map<string, Histogram>()
  readonly #refusals = new Map<Reason, number>(REASON_NAMES.map((reason) => [reason, 0]))

  started(): void {
    this.underWay++
  }

  /** `endpoint`: its name. */
  answered(endpoint: string, tookMs: number): void {
    this.underWay--
    let seconds = this.#secondsByEndpoint.get(endpoint)
    if (seconds === undefined) {
      seconds = new Histogram(SECONDS_BOUNDS)
      this.#secondsByEndpoint.set(endpoint, seconds)
    }
    seconds.add(tookMs / 1_000)
  }

  refused(reason: Reason): void {
    this.#refusals.set(reason, (this.#refusals.get(reason) ?? 0) + 1)
  }

  /** Every existing reason, including those that were never given. */
  get refusals(): ReadonlyMap<Reason, number> {
    return this.#refusals
  }

  /** How long the answers of each endpoint took, by `<method> <path>` as the documentation writes it. */
  seconds(): Iterable<readonly [string, Histogram]> {
    return this.#secondsByEndpoint
  }
}
