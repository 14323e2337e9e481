/**
 * Counts the wrong tokens that the admin server has received in this minute. A token has 256 random bits and
 * cannot be guessed, but attempts must not fill the log. Valid tokens are never delayed.
 */
const MINUTE_MS = 60_000
/** This many wrong tokens are distinguished and logged; more get 429 without a log line. */
export const WRONG_TOKENS_MAX = 20

export class WrongTokens {
  #minute = 0
  #count = 0

  /** Counts a wrong token. Returns true if there are too many in this minute. */
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
