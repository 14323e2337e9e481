/** Waiting for a fact instead of for a time. */

const PAUSE_MS = 2

/** Resolves once `fact` holds; rejects, saying what was awaited, when it does not within `limitMs`. */
export async function until(what: string, fact: () => boolean, limitMs = 10_000): Promise<void> {
  const end = performance.now() + limitMs
  while (!fact()) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
