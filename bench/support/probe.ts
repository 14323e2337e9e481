/**
 * The requests to another client of the server, and its measurements, as messages to and from its process.
 */
import type { Trader } from './load.ts'

/** From the parent: begin to send requests, or stop and report. */
export type ProbeOrder = { readonly kind: 'begin'; readonly trader: Trader } | { readonly kind: 'report' }

/**
 * Milliseconds from the time at which a request was due to its answer; an unanswered request counts with its
 * age.
 */
export type Probed = {
  readonly questions: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}
