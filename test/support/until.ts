/** Waits for a fact instead of a time. */

/**
 * Interval of the checks: short at first, then a tenth of the time waited so far, so that the checks cost a
 * busy machine little.
 */
const PAUSE_MS = { least: 2, most: 50, share: 0.1 }

/**
 * Less than the limit of a test, so that a failed wait reports what it waited for; more than a busy machine
 * needs.
 */
export const WAIT_MS_MAX = 240_000

/**
 * Resolves once `fact` returns true; rejects with `what` in the message if that takes longer than `limitMs`.
 */
export async function until(what: string, fact: () => boolean, limitMs = WAIT_MS_MAX): Promise<void> {
  const started = performance.now()
  while (!fact()) {
    const waitedMs = performance.now() - started
    if (waitedMs > limitMs) throw new Error(`not within ${limitMs} ms: ${what}`)
    const pauseMs = Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, waitedMs * PAUSE_MS.share))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/**
 * Makes an attempt that must fit into one window of the wall clock, such as a minute of limits: it is
 * repeated if it failed because the window ended. Each attempt must start fresh: where it matters, with an
 * address or an account without earlier requests.
 */
export async function inOneWindow<Result>(windowMs: number, attempt: () => Promise<Result>): Promise<Result> {
  const window = (): number => Math.floor(Date.now() / windowMs)
  for (;;) {
    const begun = window()
    try {
      return await attempt()
    } catch (cause) {
      if (window() === begun) throw cause
    }
  }
}
