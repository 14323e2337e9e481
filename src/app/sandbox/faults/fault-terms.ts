/** What a fault that has struck says. */
import type { Fault } from './fault-table.ts'

const RETRY_SECONDS = 5

/** What it adds to an answer, drawn; milliseconds. */
export function latencyMs({ wish: { latencyMs: least = 0, spreadMs = 0 }, random }: Fault): number {
  return least + random.between(0, spreadMs)
}

/** For how long it asks for patience. */
export function retrySeconds({ wish: { retryAfterSeconds = RETRY_SECONDS } }: Fault): number {
  return retryAfterSeconds
}
