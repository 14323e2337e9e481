/** The effect of a fault that has struck. */
import type { Fault } from './fault-table.ts'

const RETRY_SECONDS = 5

/** The random delay added to an answer, in milliseconds. */
export function latencyMs({ wish: { latencyMs: least = 0, spreadMs = 0 }, random }: Fault): number {
  return least + random.between(0, spreadMs)
}

/** The number of seconds in its Retry-After. */
export function retrySeconds({ wish: { retryAfterSeconds = RETRY_SECONDS } }: Fault): number {
  return retryAfterSeconds
}
