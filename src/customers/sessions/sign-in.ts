/** Starts and ends sessions with their keys: stored first, then announced to the exchange. */
import type { AccountBody, AccountData } from '../../contract/customers/endpoints.ts'
import { SESSION_KEY_EXPECTED } from '../../contract/customers/field.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import { isAway } from '../away.ts'
import type { CustomersContext } from '../customers-context.ts'
import { newSessionKeyName } from '../names.ts'
import { journalChanges } from '../people/journal-marks.ts'
import type { Person } from '../store/people.ts'
import type { CustomerRequest } from './customer-request.ts'

/** Maximum number of sessions of a person; the oldest one ends. */
export const SESSIONS_MAX = 20
/** Permissions of a session's key: never WITHDRAW. */
export const SESSION_PERMISSIONS = ['TRADE', 'WALLET', 'USER_DATA'] as const

export type SignedIn = AccountData<'login/passkey/finish'>

export type Proved = {
  readonly sessionKey: string
  /** In the transaction that stores the session: the credential may have been removed since it was shown. */
  readonly isStillProved: () => boolean
}

/**
 * Begins a session for a person who has been authenticated. Rejects with `ExchangeFault`; then there is no
 * session.
 */
export async function openSession(
  context: CustomersContext,
  request: CustomerRequest,
  { owner, account }: Person,
  { sessionKey, isStillProved }: Proved,
): Promise<SignedIn | AccountRefusal> {
  const { store, world, config, exchange, announcer } = context
  const sealingKey = store.keys.keyOf(owner)
  if (sealingKey === undefined) return refused('CREDENTIALS_WRONG', {})
  const publicKey = new Uint8Array(Buffer.from(sessionKey, 'base64url'))
  const key = { name: newSessionKeyName(world.randomBytes), publicKey }
  const terms = { owner, level: 'SESSION', lastsMs: config.sessionLastsMs, key } as const
  const next = request.next(terms, sealingKey)
  const isBegun = store.atOnce(() => {
    if (store.people.byOwner(owner) === undefined || !isStillProved()) return false
    for (const oldest of store.sessions.of(owner).slice(SESSIONS_MAX - 1)) store.sessions.end(oldest)
    next.store()
    return true
  })
  if (!isBegun) return refused('CREDENTIALS_WRONG', {})
  const session = next.take()
  try {
    const opened = await exchange.openSession({ ...key, account, lastsMs: config.sessionLastsMs })
    if (opened === 'RESTRICTED') {
      request.end()
      return refused('ACCOUNT_FROZEN', {})
    }
    if (opened === 'NO_KEY') {
      request.end()
      return refused('INVALID_PARAMETER', { name: 'sessionKey', expected: SESSION_KEY_EXPECTED })
    }
  } catch (cause) {
    request.end()
    throw cause
  } finally {
    await announcer.announceEnded().catch(isFault)
  }
  // Another request, possibly to another process, has ended it in the meantime: its key is removed.
  if (session === undefined || !request.isSessionRunning) {
    request.end()
    await exchange.endSessions([key.name])
    return refused('CREDENTIALS_WRONG', {})
  }
  context.stepUps.allowReading(session.id)
  request.rememberDevice(owner)
  store.records.note(owner, 'SIGNED_IN', request.origin, world.now())
  return {
    account,
    sessionKeyName: key.name,
    permissions: SESSION_PERMISSIONS,
    idleMs: config.sessionIdleMs,
    endsAt: session.ends_ms,
    csrfToken: request.csrfToken,
  }
}

/**
 * Ends the current session. Rejects with `ExchangeFault`; the session has then ended here, and ends at the
 * exchange later.
 */
export async function logOut(context: CustomersContext, request: CustomerRequest): Promise<undefined> {
  const { store, world, announcer } = context
  const { person } = request
  request.end()
  if (person !== undefined) store.records.note(person.owner, 'SIGNED_OUT', request.origin, world.now())
  await announcer.announceEnded()
  return undefined
}

/** Ends one session, or all others. A session that does not exist counts as ended. Rejects like `logOut`. */
export async function endSessions(
  context: CustomersContext,
  request: CustomerRequest,
  { id }: AccountBody<'session/end'>,
): Promise<undefined | AccountRefusal> {
  const { store, world, announcer } = context
  const { person, session } = request
  if (person === undefined || session === undefined) return refused('SESSION_NEEDED', {})
  const chosen = store.atOnce(() => {
    if (!request.isSessionRunning) return undefined
    const chosen = store.sessions
      .of(person.owner)
      .filter((each) => (id === undefined ? each.id !== session.id : each.id === id))
    for (const each of chosen) {
      store.sessions.end(each)
      store.records.note(person.owner, 'SESSION_ENDED', request.origin, world.now())
    }
    if (chosen.length > 0) store.marks.want(person.owner)
    return chosen
  })
  if (chosen === undefined) return refused('SESSION_NEEDED', {})
  if (chosen.some((each) => each.id === session.id)) request.end()
  await journalChanges(context, person.owner)
  await announcer.announceEnded()
  return undefined
}

function isFault(cause: unknown): void {
  // The end is stored, and is announced again at intervals.
  if (!isAway(cause)) throw cause
}
