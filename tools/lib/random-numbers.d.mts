/** Types of `random-numbers.mjs` for tests and benchmarks. */
export function randomNumbers(seed: number): () => number
