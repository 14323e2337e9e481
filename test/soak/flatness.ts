/**
 * Decides from samples whether a node that does the same work for hours needs the same memory and time for
 * it. Pure, and robust: medians of windows, and a slope on which a few odd windows have no effect.
 */
import { median } from '../support/median.ts'

/** The measurements of one window of the run; all windows have the same length. */
export type Window = {
  /** Median resident memory of the process. */
  readonly rssBytes: number
  /** Medians over the window's slices, measured from the time at which each order was due to be sent. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly accepted: number
  readonly refused: number
  /** Size of all files of the data directory, at the end of the window. */
  readonly diskBytes: number
}

/** Over the second half, memory may grow by this amount, or by this share: garbage collectors are lazy. */
const MEMORY_GROWTH_BYTES_MAX = 32 * 1024 * 1024
const MEMORY_GROWTH_SHARE_MAX = 0.08
/**
 * SQLite's page caches of history (64 MiB) and journal (16 MiB): until they are full they grow with the
 * files.
 */
const PAGE_CACHES_BYTES = 80 * 1024 * 1024
/**
 * A shared machine makes latency noisy: the best quarter of the windows is compared, which shows the node's
 * capability, and only large factors count.
 */
const LATENCY_BEST_SHARE = 0.25
const LATENCY_RATIO_MAX = 5
const LATENCY_GROWTH_MS_MIN = 200
/** Bytes on the disk per order may grow by this factor, in addition to the logs before they are copied. */
const DISK_RATIO_MAX = 2
const LOG_BYTES = 16 * 1024 * 1024
const ACCEPTED_SHARE_MIN = 0.5
const WINDOWS_MIN = 6

/**
 * The measurements that are not flat, as texts; empty if all are. The first half is the warm-up, the second
 * is judged.
 */
export function unevenness(windows: readonly Window[]): string[] {
  if (windows.length < WINDOWS_MIN)
    return [`expected ${WINDOWS_MIN} windows or more, found ${windows.length}`]
  const middle = Math.floor(windows.length / 2)
  const [before, after] = [windows.slice(0, middle), windows.slice(middle)]
  return [
    memoryProblem(after),
    latencyProblem(before, after),
    diskProblem(before, after),
    workProblem(windows),
  ].filter((problem) => problem !== undefined)
}

/** Growth over these windows, from the median of the slopes between all pairs of windows (Theil and Sen). */
export function growth(values: readonly number[]): number {
  const slopes: number[] = []
  for (const [i, from] of values.entries()) {
    for (const [j, to] of values.entries()) if (j > i) slopes.push((to - from) / (j - i))
  }
  return median(slopes) * (values.length - 1)
}

function memoryProblem(windows: readonly Window[]): string | undefined {
  const rss = windows.map(({ rssBytes }) => rssBytes)
  const grown = growth(rss)
  const written = (windows.at(-1)?.diskBytes ?? 0) - (windows[0]?.diskBytes ?? 0)
  const lazy = Math.max(MEMORY_GROWTH_BYTES_MAX, median(rss) * MEMORY_GROWTH_SHARE_MAX)
  const allowed = lazy + Math.max(0, Math.min(PAGE_CACHES_BYTES, written))
  if (grown <= allowed) return undefined
  return `memory grew by ${mib(grown)} MiB in the second half, allowed are ${mib(allowed)}`
}

function latencyProblem(before: readonly Window[], after: readonly Window[]): string | undefined {
  const best = (windows: readonly Window[]): number => {
    const sorted = windows.map(({ p50Ms }) => p50Ms).sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length * LATENCY_BEST_SHARE)] ?? 0
  }
  const [was, is] = [best(before), best(after)]
  if (is <= was * LATENCY_RATIO_MAX || is - was <= LATENCY_GROWTH_MS_MIN) return undefined
  return `the median latency at the best of times went from ${was.toFixed(1)} ms to ${is.toFixed(1)} ms`
}

function diskProblem(before: readonly Window[], after: readonly Window[]): string | undefined {
  const [first, middle, last] = [before[0], before.at(-1), after.at(-1)] as [Window, Window, Window]
  const ordersOf = (windows: readonly Window[]) => windows.reduce((sum, { accepted }) => sum + accepted, 0)
  const was = (middle.diskBytes - first.diskBytes) / ordersOf(before.slice(1))
  const is = (last.diskBytes - middle.diskBytes - LOG_BYTES) / ordersOf(after)
  if (is <= was * DISK_RATIO_MAX) return undefined
  return `an order took ${was.toFixed(0)} bytes on the disk in the first half and ${is.toFixed(0)} in the second`
}

function workProblem(windows: readonly Window[]): string | undefined {
  const accepted = windows.reduce((sum, window) => sum + window.accepted, 0)
  const refused = windows.reduce((sum, window) => sum + window.refused, 0)
  if (accepted >= (accepted + refused) * ACCEPTED_SHARE_MIN) return undefined
  return `only ${accepted} of ${accepted + refused} orders were accepted: this was no soak`
}

export function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1)
}
