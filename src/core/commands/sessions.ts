/**
 * Commands on sessions: orders placed over a connection that end when it does, unless their owner comes back
 * in time (docs/reference/order-entry.md#cancel-on-disconnect).
 */
import type { AccountId, SessionNumber } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { type ObjectOf, object, orUndefined, text, uint } from '../../units/shapes/shape.ts'
import { type CommandIn, commandRows } from './row.ts'

const SESSION_NAME = { sessionNumber: uint<SessionNumber>(), sessionTime: uint<TimeMs>() }

/** A session as its owner names it: by number and time, which are in its UUID. */
export interface SessionName extends ObjectOf<typeof SESSION_NAME> {}

export const SESSION_ROWS = commandRows({
  OpenSession: {
    code: 51,
    fields: {
      accountId: uint<AccountId>(),
      apiKey: text(),
      /** Grace period of its orders after the end of the connection: 0 to `SESSION_GRACE_MAX_MS`. */
      graceMs: uint(),
      /** The session to be resumed, whether its connection has ended or not; undefined for a new one. */
      resumes: orUndefined(object(SESSION_NAME)),
    },
  },
  DisconnectSession: {
    code: 52,
    fields: {
      sessionNumber: uint<SessionNumber>(),
      /** Number of connections of the session so far, including this one. */
      attachment: uint(),
    },
  },
})

export const SESSION_ENGINE_ROWS = commandRows({
  EndSession: { code: 53, fields: { sessionNumber: uint<SessionNumber>() } },
  DisconnectSessions: { code: 58 },
})

type In<Kind extends keyof typeof SESSION_ROWS> = CommandIn<typeof SESSION_ROWS, Kind>
type EngineIn<Kind extends keyof typeof SESSION_ENGINE_ROWS> = CommandIn<typeof SESSION_ENGINE_ROWS, Kind>

/** A connection opens a session of its account and key, or resumes one. */
export interface OpenSession extends In<'OpenSession'> {}

/**
 * The connection of a session was closed. The command has no effect once another connection has resumed the
 * session.
 */
export interface DisconnectSession extends In<'DisconnectSession'> {}

/**
 * The engine has started again, so that no connection is left: the engine's own command, before all others of
 * its run.
 */
export interface DisconnectSessions extends EngineIn<'DisconnectSessions'> {
  readonly orderNumber?: undefined
}

/**
 * Ends orders of a session that has expired, or the session itself if it has none left: the engine's own
 * command.
 */
export interface EndSession extends EngineIn<'EndSession'> {
  readonly orderNumber?: undefined
}

export type SessionCommand = CommandIn<typeof SESSION_ROWS>
