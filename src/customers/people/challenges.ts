/**
 * Challenges of passkeys: each valid once, for five minutes, in the browser that requested it. They are in
 * memory: if the process ends in between, the person starts again.
 */
import { Expiring } from '../expiring.ts'
import type { World } from '../ports.ts'

export const CHALLENGE_MS = 5 * 60_000

export type Purpose = 'REGISTER' | 'LOGIN'

export class Challenges {
  /** By the digest of the cookie: a browser has one challenge at a time. */
  readonly #byCookie: Expiring<{ readonly challenge: string; readonly purpose: Purpose }>

  constructor(world: Pick<World, 'monotonicMs'>) {
    this.#byCookie = new Expiring(world)
  }

  begin(cookie: string, purpose: Purpose, challenge: string): void {
    this.#byCookie.set(cookie, { challenge, purpose }, CHALLENGE_MS)
  }

  /** The challenge, which is used up; undefined if there is none or it has expired. */
  take(cookie: string, purpose: Purpose): string | undefined {
    const known = this.#byCookie.get(cookie)
    if (known === undefined || known.purpose !== purpose) return undefined
    this.#byCookie.delete(cookie)
    return known.challenge
  }
}
