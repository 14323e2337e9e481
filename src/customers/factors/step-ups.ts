/**
 * Pending step-ups (docs/reference/account.md#step-up): the requested and the granted operation of each
 * session. A session has one of each at a time, in memory: if the process ends, the person starts again.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { READING_STEP_UP_MS, STEP_UP_MS } from '../../contract/customers/step-up.ts'
import { Expiring } from '../expiring.ts'
import { digestOf, newToken } from '../names.ts'
import type { World } from '../ports.ts'

/** An operation with its values: a step-up is valid for exactly this. */
export type StepUpAction = {
  readonly operation: string
  /** The values as in the body of the operation. */
  readonly values: Readonly<Record<string, unknown>>
  readonly isReading: boolean
}

type Asked = { readonly action: StepUpAction; readonly challenge: string }
type Allowed = { readonly actionDigest: string; readonly tokenDigest: Uint8Array }

export class StepUps {
  readonly #world: Pick<World, 'monotonicMs' | 'randomBytes'>
  /** By the id of the session. */
  readonly #asked: Expiring<Asked>
  readonly #allowed: Expiring<Allowed>
  readonly #reading: Expiring<true>

  constructor(world: Pick<World, 'monotonicMs' | 'randomBytes'>) {
    this.#world = world
    this.#asked = new Expiring(world)
    this.#allowed = new Expiring(world)
    this.#reading = new Expiring(world)
  }

  /** `challenge`: in base64url. */
  ask(session: string, action: StepUpAction, challenge: string): void {
    this.#asked.set(session, { action, challenge }, STEP_UP_MS)
  }

  /** The last request, which is used up; undefined if there was none or it has expired. */
  takeAsked(session: string): Asked | undefined {
    const asked = this.#asked.get(session)
    this.#asked.delete(session)
    return asked
  }

  /**
   * Called when the person has confirmed the requested operation. The token is undefined for an operation
   * that only reads.
   */
  allow(
    session: string,
    action: StepUpAction,
  ): { readonly token: string | undefined; readonly lastsMs: number } {
    if (action.isReading) {
      this.allowReading(session)
      return { token: undefined, lastsMs: READING_STEP_UP_MS }
    }
    const token = newToken(this.#world.randomBytes)
    this.#allowed.set(
      session,
      { actionDigest: digestOfAction(action), tokenDigest: digestOf(token) },
      STEP_UP_MS,
    )
    return { token, lastsMs: STEP_UP_MS }
  }

  /** Allows operations that only read, for five minutes. */
  allowReading(session: string): void {
    this.#reading.set(session, true, READING_STEP_UP_MS)
  }

  /** Whether the session may do this now. Any operation other than reading is allowed only once. */
  take(session: string, action: StepUpAction, token: string | null): boolean {
    if (action.isReading) return this.#reading.get(session) === true
    const allowed = this.#allowed.get(session)
    if (allowed === undefined || token === null) return false
    if (!timingSafeEqual(digestOf(token), allowed.tokenDigest)) return false
    // A token is used up by any use: one that was sent with another operation cannot be tried again.
    this.#allowed.delete(session)
    return allowed.actionDigest === digestOfAction(action)
  }
}

function digestOfAction({ operation, values }: StepUpAction): string {
  return createHash('sha256')
    .update(`${operation}\n${canonical(values)}`)
    .digest('base64url')
}

/** JSON with the members sorted by name: equal bodies have equal texts. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
