/** What this process takes of the machine. */
import type { ProcessUse } from '../../gateway/monitoring/metrics.ts'

const SECOND_US = 1_000_000
/** Read once: computed at every scrape it would tremble, and look like a restart each time. */
const STARTED_MS = Math.round(performance.timeOrigin)

export function processUse(): ProcessUse {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return {
    startedMs: STARTED_MS,
    cpuSeconds: (user + system) / SECOND_US,
    residentBytes: rss,
    heapBytes: heapUsed,
  }
}
