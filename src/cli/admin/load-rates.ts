/** How fast a node was, from what it had counted at its looks. */
import type { AdminLoad } from '../../wire/admin-records.ts'

export type LoadRate = {
  /** Milliseconds since 1970: the look at its end. */
  readonly atMs: number
  readonly commandsPerSecond: number
  readonly requestsPerSecond: number
  readonly tradesPerSecond: number
  /** Of a commit on average; undefined: there was none. */
  readonly commitMs: number | undefined
  /** Of one processor. */
  readonly cpu: number
}

/** One for each two looks that follow each other, oldest first. Looks of a clock that was set back are passed over. */
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
