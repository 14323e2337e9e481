/**
 * Passwords are hashed one at a time, since each hash takes memory and a core; a limited number waits, and
 * further ones are refused. An address without an account waits in the same queue for the same work. Browsers
 * that have signed in before wait in a queue of their own, which is served first: strangers' guesses delay an
 * owner by one hash at most.
 */
import type { PasswordHash } from '../ports.ts'

/** Maximum number of hashes that wait behind the running one, in each queue. */
export const WAITING_MAX = 32

/** The answer if too many hashes are waiting. */
export const BUSY = 'BUSY'

export class Passwords {
  readonly #hash: PasswordHash
  /** A hash that matches no password, computed once, when it is first needed. */
  #nobodys: Promise<string> | undefined
  readonly #newSecret: () => string
  /** The queue of people who are signed in, and of browsers that have signed in before. */
  readonly #known: (() => void)[] = []
  readonly #strangers: (() => void)[] = []
  #isRunning = false

  /** `newSecret` returns a different value each time. */
  constructor(hash: PasswordHash, newSecret: () => string) {
    this.#hash = hash
    this.#newSecret = newSecret
  }

  /** For a person who sets a password. */
  hash(password: string): Promise<string | typeof BUSY> {
    return this.#inTurn(this.#known, () => this.#hash.hash(normal(password)))
  }

  /**
   * With `hash` undefined, the check takes the same time and returns false. `isKnown`: the browser has signed
   * in to this account before.
   */
  verify(password: string, hash: string | undefined, isKnown: boolean): Promise<boolean | typeof BUSY> {
    return this.#inTurn(isKnown ? this.#known : this.#strangers, async () => {
      this.#nobodys ??= this.#hash.hash(this.#newSecret())
      const against = hash ?? (await this.#nobodys)
      const isRight = await this.#hash.verify(normal(password), against)
      return isRight && hash !== undefined
    })
  }

  async #inTurn<Result>(waiting: (() => void)[], work: () => Promise<Result>): Promise<Result | typeof BUSY> {
    if (waiting.length >= WAITING_MAX) return BUSY
    if (this.#isRunning) await new Promise<void>((resolve) => waiting.push(resolve))
    this.#isRunning = true
    try {
      return await work()
    } finally {
      const next = this.#known.shift() ?? this.#strangers.shift()
      // `#isRunning` stays true until no hash is waiting, so that no other one can begin in between.
      if (next === undefined) this.#isRunning = false
      else next()
    }
  }
}

/** Keyboards encode the same letters with different code points (NIST SP 800-63B-4, 3.1.1.2). */
function normal(password: string): string {
  return password.normalize('NFKC')
}
