/** The effects of a fault that affects a request. */
import type { Fault } from './fault-table.ts'

const RETRY_SECONDS = 5

/** The random delay added to an answer, in milliseconds. */
export function latencyMs({ request: { latencyMs: least = 0, spreadMs = 0 }, random }: Fault): number {
  return least + random.between(0, spreadMs)
}

/** The number of seconds in the Retry-After header. */
export function retrySeconds({ request: { retryAfterSeconds = RETRY_SECONDS } }: Fault): number {
  return retryAfterSeconds
}
