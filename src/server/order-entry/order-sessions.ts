/**
 * Sessions of logins that cancel on disconnect: their connections, and the messages to the engine when one
 * ends (docs/reference/order-entry.md#cancel-on-disconnect).
 */

import { SESSION_ID } from '../../contract/expectations.ts'
import type { LoginSession } from '../../contract/stream/login.ts'
import type { DisconnectSession, OpenSession } from '../../core/commands/sessions.ts'
import type { SessionOpened } from '../../core/questions/reply.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import { parseSessionUuid, type SessionNumber, uuidOf } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { SESSION_GRACE_MAX_MS } from '../../units/limits.ts'
import type { Parameters } from '../common/parameters.ts'
import { readOptional, readWholeNumber, readWord } from '../common/read.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import type { Call } from '../trading/call.ts'
import type { Services } from '../trading/services.ts'

/** The parameters of a login for a session. */
export const SESSION_NAMES = ['cancelOnDisconnect', 'graceMs', 'session'] as const

/** The terms of the session that a login requests. */
export type SessionTerms = Pick<OpenSession, 'graceMs' | 'resumes'>

/** Undefined if orders of the login stay open when its connection ends. */
export function readSessionTerms(parameters: Parameters): SessionTerms | undefined | Refusal {
  const cancels = readWord(parameters, 'cancelOnDisconnect', ['true', 'false'])
  if (cancels instanceof Refusal) return cancels
  if (cancels !== 'true') {
    const idle = (['graceMs', 'session'] as const).find((name) => parameters.has(name))
    return idle && refuse('MISSING_PARAMETER', { name: 'cancelOnDisconnect' })
  }
  const bounds = { min: 0, max: SESSION_GRACE_MAX_MS, fallback: 0 }
  const graceMs = readWholeNumber(parameters, 'graceMs', bounds)
  if (graceMs instanceof Refusal) return graceMs
  const id = readOptional(parameters, 'session')
  if (id === undefined) return { graceMs, resumes: undefined }
  if (id instanceof Refusal) return id
  const name = parseSessionUuid(id)
  if (name === undefined) return refuse('INVALID_PARAMETER', { name: 'session', expected: SESSION_ID })
  return { graceMs, resumes: { sessionNumber: name.number, sessionTime: name.time } }
}

/** The fields of a login as text: a boolean may be sent as a JSON boolean. */
export function withWords(fields: object): object {
  const { cancelOnDisconnect }: { readonly cancelOnDisconnect?: unknown } = fields
  return typeof cancelOnDisconnect === 'boolean'
    ? { ...fields, cancelOnDisconnect: String(cancelOnDisconnect) }
    : fields
}

/** A session that belongs to a connection. */
export type HeldSession = SessionOpened & { readonly graceMs: number; readonly isResumed: boolean }

/** The session as reported in the answer to its login. */
export function shownSession({ sessionNumber, time, graceMs, isResumed }: HeldSession): LoginSession {
  return { session: uuidOf('session', sessionNumber, time), graceMs, resumed: isResumed }
}

/** `late` receives a session whose opening had an unknown outcome. */
async function openSession(
  call: Call,
  apiKey: string,
  { graceMs, resumes }: SessionTerms,
  late: (session: HeldSession) => void,
): Promise<HeldSession | Refusal> {
  const { accountId } = call
  let opened: HeldSession | undefined
  const command: OpenSession = { kind: 'OpenSession', accountId, apiKey, graceMs, resumes }
  const heldOf = (reply: SessionOpened): HeldSession => ({
    ...reply,
    graceMs,
    isResumed: resumes !== undefined,
  })
  const answer = await call.submit(
    command,
    (reply) => {
      invariant(reply.kind === 'SessionOpened', () => `expected SessionOpened, found ${reply.kind}`)
      opened = heldOf(reply)
    },
    (reply) => {
      if (reply.kind === 'SessionOpened') late(heldOf(reply))
    },
  )
  if (answer instanceof Refusal) return answer
  invariant(opened !== undefined, 'a session that was not refused is open')
  return opened
}

/** The connection that has a session. */
export interface SessionHolder {
  /** Called when another connection takes over the session. */
  loseSession(): void
}

export class OrderSessions {
  readonly #services: () => Services | Refusal
  readonly #holderBySession = new Map<SessionNumber, { holder: SessionHolder; session: HeldSession }>()
  /** Disconnects that the engine could not accept. */
  readonly #unsent = new Map<SessionNumber, DisconnectSession>()

  constructor(services: () => Services | Refusal) {
    this.#services = services
  }

  /** Number of connections that have a session. */
  get count(): number {
    return this.#holderBySession.size
  }

  /** Opens a session for the caller, or resumes one; it is not yet assigned to a connection. */
  open(call: Call, apiKey: string, terms: SessionTerms): Promise<HeldSession | Refusal> {
    return openSession(call, apiKey, terms, (late) => this.end(late))
  }

  /**
   * Assigns the session to `holder`; the previous holder loses it. Returns false if a later login already has
   * the session.
   */
  hold(session: HeldSession, holder: SessionHolder): boolean {
    const { sessionNumber, attachment } = session
    const before = this.#holderBySession.get(sessionNumber)
    if (before !== undefined && before.session.attachment > attachment) return false
    this.#holderBySession.set(sessionNumber, { holder, session })
    before?.holder.loseSession()
    return true
  }

  /**
   * Called when the connection of a session ends. If it had resumed the session without being logged in, the
   * session is no longer its previous holder's either.
   */
  end({ sessionNumber, attachment }: HeldSession): void {
    this.#disconnect({ kind: 'DisconnectSession', sessionNumber, attachment })
    const held = this.#holderBySession.get(sessionNumber)
    if (held === undefined || held.session.attachment > attachment) return
    this.#holderBySession.delete(sessionNumber)
    if (held.session.attachment < attachment) held.holder.loseSession()
  }

  /** Sends disconnects again that the engine could not accept. */
  retry(): void {
    const commands = [...this.#unsent.values()]
    this.#unsent.clear()
    for (const command of commands) this.#disconnect(command)
  }

  /**
   * If the service does not run, or the engine cannot be reached, the next start reports the disconnect for
   * all sessions.
   */
  #disconnect(command: DisconnectSession): void {
    const services = this.#services()
    if (services instanceof Refusal) return
    hand(services.engine, command, () => {
      // Only the end of a session's last connection has an effect.
      const other = this.#unsent.get(command.sessionNumber)
      if (other === undefined || other.attachment < command.attachment)
        this.#unsent.set(command.sessionNumber, command)
    })
  }
}

function hand(engine: EnginePort, command: DisconnectSession, hasNoRoom: () => void): void {
  engine.hand(command, {
    replied: () => {},
    failed: (fault) => {
      const isFull =
        fault instanceof EngineFault && (fault.kind === 'OVERLOADED' || fault.kind === 'STORAGE_FULL')
      if (isFull) hasNoRoom()
    },
  })
}
