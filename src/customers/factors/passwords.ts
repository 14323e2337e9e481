/**
 * Passwords are hashed one at a time, since each hash takes memory and a core; a limited number waits, and
 * further ones are refused. An address without an account waits in the same queue for the same work.
 */
import type { PasswordHash } from '../ports.ts'

/** Maximum number that wait behind the running one. */
export const WAITING_MAX = 32

/** Too many are waiting. */
export const BUSY = 'BUSY'

export class Passwords {
  readonly #hash: PasswordHash
  /** A hash that matches no password: made once, when it is first needed. */
  #nobodys: Promise<string> | undefined
  readonly #newSecret: () => string
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** `newSecret`: unlike any before. */
  constructor(hash: PasswordHash, newSecret: () => string) {
    this.#hash = hash
    this.#newSecret = newSecret
  }

  hash(password: string): Promise<string | typeof BUSY> {
    return this.#inTurn(() => this.#hash.hash(normal(password)))
  }

  /** With `hash` undefined, the check takes as long and is false. */
  verify(password: string, hash: string | undefined): Promise<boolean | typeof BUSY> {
    return this.#inTurn(async () => {
      this.#nobodys ??= this.#hash.hash(this.#newSecret())
      const against = hash ?? (await this.#nobodys)
      const isRight = await this.#hash.verify(normal(password), against)
      return isRight && hash !== undefined
    })
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result | typeof BUSY> {
    if (this.#waiting > WAITING_MAX) return BUSY
    this.#waiting++
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      this.#waiting--
    }
  }
}

/** Keyboards encode the same letters by different code points (NIST SP 800-63B-4, 3.1.1.2). */
function normal(password: string): string {
  return password.normalize('NFKC')
}
