/** The rates of a node, computed from its counters at successive samples. */
import type { AdminLoad } from '../../contract/admin/records.ts'

export type LoadRate = {
  /** The time of the sample at the end of the interval, in milliseconds since 1970. */
  readonly atMs: number
  readonly commandsPerSecond: number
  readonly requestsPerSecond: number
  readonly tradesPerSecond: number
  /** Average duration of a commit; undefined if there was none. */
  readonly commitMs: number | undefined
  /** As a fraction of one processor. */
  readonly cpu: number
}

/**
 * One rate for each two successive samples, oldest first. Samples from a clock that was set back are skipped.
 */
export function loadRates(looks: readonly AdminLoad[]): LoadRate[] {
  return looks.flatMap((now, index) => {
    const before = looks[index - 1]
    if (before === undefined || now.atMs <= before.atMs) return []
    const seconds = (now.atMs - before.atMs) / 1_000
    const grown = (name: Exclude<keyof AdminLoad, 'atMs'>) => Math.max(0, now[name] - before[name])
    const commits = grown('commits')
    return [
      {
        atMs: now.atMs,
        commandsPerSecond: grown('commands') / seconds,
        requestsPerSecond: grown('requests') / seconds,
        tradesPerSecond: grown('trades') / seconds,
        commitMs: commits === 0 ? undefined : (grown('commitSeconds') / commits) * 1_000,
        cpu: grown('cpuSeconds') / seconds,
      },
    ]
  })
}
