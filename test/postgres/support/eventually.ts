/** Waiting for a fact that has to be asked for. */

const PAUSE_MS = 10

/** Resolves once `fact` resolves with true; rejects, saying what was awaited, when it does not within `limitMs`. */
export async function eventually(
  what: string,
  fact: () => Promise<boolean>,
  limitMs = 60_000,
): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await fact())) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
