/** Commands on who may operate, what waits for a second person, which addresses are banned, and what time it is. */
import type { AdminRole } from '../../../units/operator-words.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { Operator } from './operator.ts'

/** Adds a token that the admin server accepts; `name` becomes the actor of all that is done with the token. */
export type AddAdminToken = {
  readonly kind: 'AddAdminToken'
  readonly operator: Operator
  readonly name: string
  readonly role: AdminRole
  /** SHA-256 of the token. */
  readonly digest: Uint8Array
}

/** Ends a token for good; its name stays taken. */
export type RevokeAdminToken = {
  readonly kind: 'RevokeAdminToken'
  readonly operator: Operator
  readonly name: string
}

/** Carries out what waits under this reference; the actor must not be who asked for it. */
export type Approve = { readonly kind: 'Approve'; readonly operator: Operator; readonly reference: string }

/** Forgets what waits under this reference. */
export type Reject = { readonly kind: 'Reject'; readonly operator: Operator; readonly reference: string }

/** Keeps an address from the public server until then, or until the ban is lifted. */
export type BanAddress = {
  readonly kind: 'BanAddress'
  readonly operator: Operator
  /** In its canonical form, 1 to `NAME_MAX`; the border sees to that. */
  readonly address: string
  readonly until: TimeMs
}

/** Lifts a ban, an operator's or one of the limits; without one it only leaves its trace in the journal. */
export type LiftBan = { readonly kind: 'LiftBan'; readonly operator: Operator; readonly address: string }

/**
 * Takes what the clock shows for the time although it has jumped ahead. The engine does so; in the exchange it only leaves
 * its trace, in front of the first command that is dated by it.
 */
export type AcceptClock = {
  readonly kind: 'AcceptClock'
  readonly operator: Operator
  /** What the clock showed when it was accepted. */
  readonly clock: TimeMs
}

/**
 * Leaves the trace of a change that a node made beside the exchange, which no replay makes again: of its webhooks
 * (docs/webhooks.md#what-is-in-the-journal). In the exchange nothing happens.
 */
export type NoteChange = {
  readonly kind: 'NoteChange'
  readonly operator: Operator
  /** What was changed, such as `webhook books`; 1 to `TEXT_MAX`. */
  readonly subject: string
  /** What became of it; 1 to `TEXT_MAX`. */
  readonly change: string
}

export type SafetyCommand =
  | AddAdminToken
  | RevokeAdminToken
  | Approve
  | Reject
  | BanAddress
  | LiftBan
  | AcceptClock
  | NoteChange
