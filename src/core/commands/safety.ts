/** Commands on operators' access, pending approvals, banned addresses, and the time. */
import { ADMIN_ROLES } from '../../units/operator-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { byteString, text, uint, word } from '../../units/shapes/shape.ts'
import { ADDRESS_BAN } from '../registry/records.ts'
import { type CommandIn, operatorRows } from './row.ts'

export const SAFETY_ROWS = operatorRows({
  AddAdminToken: {
    code: 30,
    fields: {
      name: text(),
      role: word(ADMIN_ROLES),
      /** SHA-256 of the token. */
      digest: byteString(),
    },
  },
  RevokeAdminToken: { code: 31, fields: { name: text() } },
  Approve: { code: 32, fields: { reference: text() } },
  Reject: { code: 33, fields: { reference: text() } },
  BanAddress: { code: 34, fields: ADDRESS_BAN },
  LiftBan: { code: 35, fields: { address: text() } },
  AcceptClock: {
    code: 38,
    fields: {
      /** The clock's time when an operator accepted it. */
      clock: uint<TimeMs>(),
    },
  },
  NoteChange: {
    code: 79,
    fields: {
      /** The changed thing, such as `webhook books`; 1 to `TEXT_MAX`. */
      subject: text(),
      /** The result; 1 to `TEXT_MAX`. */
      change: text(),
    },
  },
})

type In<Kind extends keyof typeof SAFETY_ROWS> = CommandIn<typeof SAFETY_ROWS, Kind>

/**
 * Adds a token that the admin server accepts; `name` becomes the actor of everything done with the token.
 */
export interface AddAdminToken extends In<'AddAdminToken'> {}

/** Revokes a token permanently; its name is not available again. */
export interface RevokeAdminToken extends In<'RevokeAdminToken'> {}

/** Carries out the pending request with this reference; the actor must not be the requester. */
export interface Approve extends In<'Approve'> {}

/** Rejects the pending request with this reference. */
export interface Reject extends In<'Reject'> {}

/** Bans an address from the public server until a given time, or until the ban is lifted. */
export interface BanAddress extends In<'BanAddress'> {}

/** Lifts a ban by an operator or by the limits; without a ban, it only leaves its record in the journal. */
export interface LiftBan extends In<'LiftBan'> {}

/**
 * Accepts the time of a clock that has jumped ahead. The engine applies it; in the exchange it is only a
 * record, before the first command with the accepted time.
 */
export interface AcceptClock extends In<'AcceptClock'> {}

/**
 * Records a change that a node made outside the exchange, which no replay repeats: of its webhooks
 * (docs/webhooks.md#what-is-in-the-journal). It has no effect in the exchange.
 */
export interface NoteChange extends In<'NoteChange'> {}

export type SafetyCommand = CommandIn<typeof SAFETY_ROWS>
