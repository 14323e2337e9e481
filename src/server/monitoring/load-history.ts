/**
 * Load of the node in the last hour: its counters, read every few seconds. Each entry costs a few numbers and
 * no message. A longer history belongs to the system that collects the metrics.
 */

import type { AdminLoad } from '../../contract/admin/records.ts'
import type { EngineMeter } from '../../engine/writer/meters.ts'
import type { TrafficReading } from './traffic.ts'

export const LOAD_EVERY_MS = 10_000
/** The number of samples in an hour. */
export const LOADS_MAX = 360

export type LoadSource = {
  readonly engineMeter: Pick<EngineMeter, 'batchCommands' | 'commitSeconds'>
  readonly traffic: Pick<TrafficReading, 'requests'>
  /** Matches since the start, in all symbols. */
  readonly trades: () => number
  /** Processor time of all threads. */
  readonly cpuSeconds: () => number
}

export class LoadHistory {
  readonly #source: LoadSource
  readonly #looks: AdminLoad[] = []

  constructor(source: LoadSource) {
    this.#source = source
  }

  /** `nowMs`: milliseconds since 1970. */
  look(nowMs: number): void {
    const { engineMeter, traffic, trades, cpuSeconds } = this.#source
    this.#looks.push({
      atMs: nowMs,
      commands: engineMeter.batchCommands.sum,
      commits: engineMeter.commitSeconds.cumulative().at(-1) ?? 0,
      commitSeconds: engineMeter.commitSeconds.sum,
      requests: traffic.requests,
      trades: trades(),
      cpuSeconds: cpuSeconds(),
    })
    if (this.#looks.length > LOADS_MAX) this.#looks.shift()
  }

  /** Oldest first; only samples later than `afterMs`. */
  after(afterMs: number): readonly AdminLoad[] {
    return this.#looks.filter(({ atMs }) => atMs > afterMs)
  }
}
