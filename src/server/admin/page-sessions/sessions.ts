/**
 * The sessions of the operator's page, in memory only: a restart ends them. A session is found by the digest
 * of its cookie's value, so that a reader of the memory cannot use it. This module depends neither on HTTP
 * nor on the rights of the token: the caller looks the token up each time.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { SESSION_IDLE_MS, SESSION_MS_MAX } from '../../../contract/admin/session.ts'

/** Maximum number of sessions of one token: a further one ends the least recently used one. */
export const SESSIONS_PER_TOKEN_MAX = 5
/** Maximum number of sessions of all tokens: a further one is refused. */
export const SESSIONS_MAX = 200

/** Number of random bytes of a cookie's value and of a token against forged requests. */
const SECRET_BYTES = 32

export type OperatorSession = {
  /** Name of the token with which it was started. */
  readonly token: string
  readonly csrf: string
  /** Milliseconds since 1970. */
  readonly begunAt: number
  /** Milliseconds since 1970. */
  readonly usedAt: number
}

type Kept = Omit<OperatorSession, 'usedAt'> & { usedAt: number }

export class OperatorSessions {
  readonly #now: () => number
  readonly #byDigest = new Map<string, Kept>()

  /** `now`: milliseconds since 1970 that only grow. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Number of sessions in memory, including ended ones that have not been requested since. */
  get count(): number {
    return this.#byDigest.size
  }

  /**
   * Starts a session; `secret` is for the cookie and is stored nowhere. Undefined if the maximum number of
   * sessions is reached.
   */
  begin(token: string): { readonly secret: string; readonly session: OperatorSession } | undefined {
    this.#forgetEnded()
    const own = [...this.#byDigest].filter(([, session]) => session.token === token)
    const surplus = own.toSorted(([, one], [, other]) => other.usedAt - one.usedAt)
    for (const [digest] of surplus.slice(SESSIONS_PER_TOKEN_MAX - 1)) this.#byDigest.delete(digest)
    if (this.#byDigest.size >= SESSIONS_MAX) return undefined
    const now = this.#now()
    const secret = randomBytes(SECRET_BYTES).toString('hex')
    const csrf = randomBytes(SECRET_BYTES).toString('hex')
    const session = { token, csrf, begunAt: now, usedAt: now }
    this.#byDigest.set(digestOf(secret), session)
    return { secret, session }
  }

  /**
   * The session of this cookie, used by this call unless `isBackground`; undefined if there is none, or it
   * has ended.
   */
  find(secret: string, isBackground: boolean): OperatorSession | undefined {
    const digest = digestOf(secret)
    const session = this.#byDigest.get(digest)
    if (session === undefined) return undefined
    if (this.#hasEnded(session)) {
      this.#byDigest.delete(digest)
      return undefined
    }
    if (!isBackground) session.usedAt = this.#now()
    return session
  }

  /** Milliseconds until a session ends in any case, and until it ends unused. */
  left({ begunAt, usedAt }: OperatorSession): { readonly endsInMs: number; readonly unusedEndsInMs: number } {
    const now = this.#now()
    const endsInMs = begunAt + SESSION_MS_MAX - now
    return { endsInMs, unusedEndsInMs: Math.min(endsInMs, usedAt + SESSION_IDLE_MS - now) }
  }

  end(secret: string): void {
    this.#byDigest.delete(digestOf(secret))
  }

  #hasEnded({ usedAt, begunAt }: Kept): boolean {
    const now = this.#now()
    return now - usedAt >= SESSION_IDLE_MS || now - begunAt >= SESSION_MS_MAX
  }

  #forgetEnded(): void {
    for (const [digest, session] of this.#byDigest) if (this.#hasEnded(session)) this.#byDigest.delete(digest)
  }
}

/** Whether a request has the session's token; compared in constant time. */
export function isOwnWord({ csrf }: OperatorSession, shown: string | null): boolean {
  const [wanted, found] = [csrf, shown ?? ''].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(wanted as Uint8Array, found as Uint8Array)
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
