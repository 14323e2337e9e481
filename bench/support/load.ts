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
}

/** Latencies are from the moment an order was to be sent: in a closed loop, when it was. */
export type Load = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
  readonly maxMs: number
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
  /** Mean length of an answer, head included. */
  readonly answerBytes: number
  /** CPU of the load generator while it ran, signing not included, per order. */
  readonly cpuUs: number
}

/** Parent to child, and back. */
export type LoadOrder = { readonly plan: LoadPlan }
export type LoadReport = { readonly load: Load } | { readonly problem: string }
