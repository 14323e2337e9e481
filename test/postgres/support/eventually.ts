/** Waits for a fact that needs requests. */
import { WAIT_MS_MAX } from '../../support/until.ts'

const PAUSE_MS = 10

/**
 * Resolves once `fact` resolves with true; rejects with `what` in the message if that takes longer than
 * `limitMs`.
 */
export async function eventually(
  what: string,
  fact: () => Promise<boolean>,
  limitMs = WAIT_MS_MAX,
): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await fact())) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
