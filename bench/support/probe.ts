/** What another client of the server is asked for, and what it measured, as it crosses the border of its process. */
import type { Trader } from './load.ts'

/** From the parent: begin to ask, or stop and report what was found since. */
export type ProbeOrder = { readonly kind: 'begin'; readonly trader: Trader } | { readonly kind: 'report' }

/** Milliseconds from the moment a question was due to its answer; one that has none yet counts with its age. */
export type Probed = {
  readonly questions: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}
