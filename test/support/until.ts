/** Waiting for a fact instead of for a time. */

const PAUSE_MS = 2

/** Less than a test may take, so that one which waits in vain says for what; more than a busy machine needs. */
export const WAIT_MS_MAX = 240_000

/** Resolves once `fact` holds; rejects, saying what was awaited, when it does not within `limitMs`. */
export async function until(what: string, fact: () => boolean, limitMs = WAIT_MS_MAX): Promise<void> {
  const end = performance.now() + limitMs
  while (!fact()) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

/**
 * Makes an attempt that counts on one window of the wall clock, such as a minute of limits: one that fails because the window turned meanwhile is made
 * again. An attempt begins anew: with an address or an account that nothing was counted for, where that matters.
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
