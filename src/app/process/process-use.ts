/** Resources of the machine used by this process. */

import type { ProcessUse } from '../../server/monitoring/metrics.ts'
import { isOutOfDescriptors } from '../../storage/files/directory.ts'

const SECOND_US = 1_000_000
/** Read once: computed at every scrape, it would vary slightly, and look like a restart each time. */
const STARTED_MS = Math.round(performance.timeOrigin)

type Memory = { readonly residentBytes: number; readonly heapBytes: number }

export function processUse(): ProcessUse {
  return { startedMs: STARTED_MS, cpuSeconds: cpuSeconds(), ...memory() }
}

/** The use of all threads, since the process began. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / SECOND_US
}

export const memory = memoryReader(() => {
  const { rss, heapUsed } = process.memoryUsage()
  return { residentBytes: rss, heapBytes: heapUsed }
})

/**
 * The runtime opens a file to read it: if no descriptor is free, the last value read remains, at first none.
 */
export function memoryReader(read: () => Memory): () => Memory {
  let last: Memory = { residentBytes: 0, heapBytes: 0 }
  return () => {
    try {
      last = read()
    } catch (cause) {
      if (!isOutOfDescriptors(cause)) throw cause
    }
    return last
  }
}
