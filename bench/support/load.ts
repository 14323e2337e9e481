/** The plans and measurements of the load generator, as messages to and from its process. */

/** The owner of the orders, and the port of the server. */
export type Trader = { readonly port: number; readonly apiKey: string; readonly secret: string }

export type LoadPlan = Trader & {
  readonly connections: number
  /** Total number of orders. */
  readonly orders: number
  /** Open loop: one order every 1/rate seconds, independent of the answers. Undefined for a closed loop. */
  readonly ratePerSecond: number | undefined
  /**
   * Number of orders in flight on each connection of the stream; undefined over HTTP, where only one order is
   * in flight.
   */
  readonly underWay?: number | undefined
  /**
   * Over HTTP: number of orders in each request, all answered together. Undefined for one order, at its own
   * endpoint.
   */
  readonly batch?: number | undefined
  /**
   * Over the stream: the directory in which each order's times are recorded (`order-trace.ts`). Undefined if
   * they are not recorded.
   */
  readonly traceDirectory?: string | undefined
  /** Over the stream: whether another connection follows the account's fills. */
  readonly hasFeed?: boolean | undefined
}

/** In milliseconds. */
export type Latencies = {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
  readonly maxMs: number
}

/**
 * Latencies of requests, from the time at which each was due; in a closed loop, from the time at which it was
 * sent.
 */
export type Load = Latencies & {
  readonly perSecond: number
  /**
   * Open loop: the generator's own delay after an order was due and a connection free. It is part of the
   * latencies, but not caused by the server. 0 in a closed loop.
   */
  readonly lateP99Ms: number
  readonly lateMaxMs: number
  /** Number of answers with 200. */
  readonly accepted: number
  /** Number of all other answers. */
  readonly refused: number
  /** Number of other answers with a status of 5xx: the order may have been placed. */
  readonly unknown: number
  /**
   * From the time at which the taking order was due to its fill in the private feed; undefined without a
   * follower.
   */
  readonly fills: Latencies | undefined
  /** Mean length of an answer, including its head. */
  readonly answerBytes: number
  /** CPU time of the load generator per order while it ran, without signing. */
  readonly cpuUs: number
}

/** The figures collected while a load runs. */
export type Tally = {
  readonly plan: LoadPlan
  /** Duration of each answer, in milliseconds. */
  readonly times: Float64Array
  /** Open loop: the delay of each order after it was due and could have been sent. */
  readonly late: Float64Array
  /**
   * The time until the fill of each taking order arrived in the private feed; undefined without a follower.
   */
  readonly fills: Float64Array | undefined
  readonly accepted: number
  readonly unknown: number
  readonly answerBytes: number
}

/** The measurements of a load. Sorts the tally's times. */
export function loadOf(tally: Tally, elapsedMs: number, cpuUs: number): Load {
  const { plan, times, late, fills, accepted, unknown, answerBytes } = tally
  const { orders } = plan
  const lateAt = shareOf(late)
  return {
    perSecond: (orders / elapsedMs) * 1_000,
    ...latenciesOf(times),
    fills: fills && latenciesOf(fills),
    lateP99Ms: lateAt(0.99),
    lateMaxMs: lateAt(1),
    accepted,
    refused: orders - accepted,
    unknown,
    answerBytes: answerBytes / orders,
    cpuUs: cpuUs / orders,
  }
}

function latenciesOf(times: Float64Array): Latencies {
  const at = shareOf(times)
  return { p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999), maxMs: at(1) }
}

/** Returns a function for the figure below which a given share of `figures` lies. Sorts `figures`. */
function shareOf(figures: Float64Array): (share: number) => number {
  figures.sort()
  return (share) => figures[Math.min(figures.length - 1, Math.floor(figures.length * share))] ?? 0
}

/** Messages from parent to child, and back. */
export type LoadOrder = { readonly plan: LoadPlan }
export type LoadReport = { readonly load: Load } | { readonly problem: string }
