/**
 * What the load generator is asked for and what it measured, as it crosses the border of its process.
 */

/** Whose orders, and where to. */
export type Trader = { readonly port: number; readonly apiKey: string; readonly secret: string }

export type LoadPlan = Trader & {
  readonly connections: number
  /** How many orders in all. */
  readonly orders: number
  /** Open loop: one order every 1/rate seconds, whatever the answers do. Undefined: closed loop. */
  readonly ratePerSecond: number | undefined
  /** Orders under way on each connection of the stream; undefined: over HTTP, where there is one. */
  readonly underWay?: number | undefined
  /** Over HTTP: so many orders in each request, of which all are answered together. Undefined: one, at its own endpoint. */
  readonly batch?: number | undefined
  /** Over the stream: where each order's times are noted (`order-trace.ts`). Undefined: nowhere. */
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

/** Latencies are of requests, from the moment one was to be sent: in a closed loop, when it was. */
export type Load = Latencies & {
  readonly perSecond: number
  /**
   * Open loop: how late the generator itself was, after an order was due and a connection free. It is part of the
   * latencies, and none of the server's doing. 0 in a closed loop.
   */
  readonly lateP99Ms: number
  readonly lateMaxMs: number
  /** Answers with 200. */
  readonly accepted: number
  /** All other answers. */
  readonly refused: number
  /** From the moment the order that took was to be sent to its fill in the private feed; undefined: nobody followed. */
  readonly fills: Latencies | undefined
  /** Mean length of an answer, head included. */
  readonly answerBytes: number
  /** CPU of the load generator while it ran, signing not included, per order. */
  readonly cpuUs: number
}

/** What is counted while a load runs. */
export type Tally = {
  readonly plan: LoadPlan
  /** How long each answer took, in milliseconds. */
  readonly times: Float64Array
  /** Open loop: how long each order was due, and could have been sent, before it was. */
  readonly late: Float64Array
  /** How long the fill of each order that took was under way in the private feed; undefined: nobody followed. */
  readonly fills: Float64Array | undefined
  readonly accepted: number
  readonly answerBytes: number
}

/** What a load measured. Sorts the tally's times. */
export function loadOf(tally: Tally, elapsedMs: number, cpuUs: number): Load {
  const { plan, times, late, fills, accepted, answerBytes } = tally
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
    answerBytes: answerBytes / orders,
    cpuUs: cpuUs / orders,
  }
}

function latenciesOf(times: Float64Array): Latencies {
  const at = shareOf(times)
  return { p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999), maxMs: at(1) }
}

/** The figure below which a share of all lies. Sorts them. */
function shareOf(figures: Float64Array): (share: number) => number {
  figures.sort()
  return (share) => figures[Math.min(figures.length - 1, Math.floor(figures.length * share))] ?? 0
}

/** Parent to child, and back. */
export type LoadOrder = { readonly plan: LoadPlan }
export type LoadReport = { readonly load: Load } | { readonly problem: string }
