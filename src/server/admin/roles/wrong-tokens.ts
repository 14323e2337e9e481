/**
 * How many wrong tokens the admin server has seen in this minute. A token has 256 random bits and is not guessed; but who
 * tries must not fill the log. Right tokens are never kept waiting.
 */
const MINUTE_MS = 60_000
/** So many are distinguished and logged; more are answered with 429, in silence. */
export const WRONG_TOKENS_MAX = 20

export class WrongTokens {
  #minute = 0
  #count = 0

  /** Counts one; true: too many in this minute. */
  isOneTooMany(nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#count = 0
    }
    this.#count++
    return this.#count > WRONG_TOKENS_MAX
  }
}
