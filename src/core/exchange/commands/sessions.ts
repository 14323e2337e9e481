/**
 * Commands on sessions: orders placed over a connection that end when it does, unless their owner comes back in time
 * (docs/reference/order-entry.md#cancel-on-disconnect).
 */
import type { AccountId, SessionNumber } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'

/** A session as its owner names it: by number and time, which its UUID has. */
export type SessionName = { readonly sessionNumber: SessionNumber; readonly sessionTime: TimeMs }

/** A connection opens a session of its account and key, or goes on with one. */
export type OpenSession = {
  readonly kind: 'OpenSession'
  readonly accountId: AccountId
  readonly apiKey: string
  /** How long its orders outlive the end of the connection: 0 to `SESSION_GRACE_MAX_MS`. */
  readonly graceMs: number
  /** The one to go on with, whether its connection has ended or not; undefined: a new one. */
  readonly resumes: SessionName | undefined
}

/** The connection of a session has ended. Without an effect once another one goes on with it. */
export type DisconnectSession = {
  readonly kind: 'DisconnectSession'
  readonly sessionNumber: SessionNumber
  /** How many connections the session had had with this one. */
  readonly attachment: number
}

/** The service has returned, and no connection is left: the engine's own command, in front of all others of its run. */
export type DisconnectSessions = {
  readonly kind: 'DisconnectSessions'
  readonly orderNumber?: undefined
}

/** Ends orders of a session whose time is over, or the session itself where it has none left: the engine's own command. */
export type EndSession = {
  readonly kind: 'EndSession'
  readonly sessionNumber: SessionNumber
  readonly orderNumber?: undefined
}

export type SessionCommand = OpenSession | DisconnectSession
