/** Random numbers for tests and benchmarks, the same for the same seed. */
import { randomNumbers as drawn } from '../../tools/lib/random-numbers.mjs'

/** From 0 inclusive to 1 exclusive. */
export function randomNumbers(seed: number): () => number {
  return drawn(seed)
}
