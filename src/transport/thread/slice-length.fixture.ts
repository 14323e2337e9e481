/** The length of the calling thread's slices, from Linux's /proc. */
import { existsSync, readFileSync } from 'node:fs'

const FILE = '/proc/thread-self/sched'

/** In nanoseconds; undefined if the system does not report it. */
export function sliceNs(): number | undefined {
  if (!existsSync(FILE)) return undefined
  const found = /^se\.slice\s*:\s*(\d+)/m.exec(readFileSync(FILE, 'latin1'))?.[1]
  return found === undefined ? undefined : Number(found)
}
