/**
 * The session of an operator's page with the admin server (docs/reference/admin.md#the-operators-page): how it begins, what a request of it
 * carries, and what an approval is bound to.
 */
import type { AdminRight } from '../units/admin-rights.ts'
import type { AdminError, AdminOperation } from './admin.ts'
import type { AdminApproval } from './admin-records.ts'

/** `POST`: begin one with a named token; `GET`: who has it, which is no use of it; `PUT`: use it; `DELETE`: end it. */
export const SESSION_PATH = '/session'

/** Unused for so long it ends: 15 minutes. What the page reads by itself is no use. */
export const SESSION_IDLE_MS = 15 * 60_000
/** And after so long in any case: 8 hours. */
export const SESSION_MS_MAX = 8 * 3_600_000

/** The session's own word, which no other page can read: every POST and DELETE of a session has it. */
export const CSRF_HEADER = 'x-csrf-token'
/** `1`: the page asks by itself, so that the session is not used by it. */
export const BACKGROUND_HEADER = 'x-background'
/** The token once more, for what takes it again. */
export const CONFIRM_HEADER = 'x-confirm-token'
/** SHA-256 of the text of the approval that was shown, as 64 small hexadecimal digits. */
export const SHOWN_HEADER = 'x-shown-digest'

export type AdminLogin = { readonly token: string }

export type AdminSession = {
  /** Name of the token: the actor of all that is done in it. */
  readonly name: string
  readonly role: string
  /** As they are now. */
  readonly rights: readonly AdminRight[]
  /** Of each operation that it may not ask for, the first right that it lacks; `owner` is that of the node's own token alone. */
  readonly lacking: Readonly<Partial<Record<AdminOperation, AdminRight | 'owner'>>>
  /** Operations that take the token again, in `CONFIRM_HEADER`. */
  readonly confirmed: readonly AdminOperation[]
  /** For `CSRF_HEADER`. */
  readonly csrf: string
  /** It ends then in any case. */
  readonly endsAt: string
  /** Milliseconds until then: the browser's clock may be another. */
  readonly endsInMs: number
  /** Milliseconds until it ends where nobody uses it. */
  readonly unusedEndsInMs: number
}

/** null: there is none. */
export type AdminSessionAnswer =
  | { readonly ok: true; readonly result: AdminSession | null }
  | { readonly ok: false; readonly error: AdminError }

/** What an approval is bound to: all that does not change while it waits, in one text whose digest is compared. */
export function shownApprovalText(
  approval: Pick<
    AdminApproval,
    'reference' | 'kind' | 'account' | 'asset' | 'amount' | 'requestedBy' | 'requestedAt' | 'note'
  >,
): string {
  const { reference, kind, account, asset, amount, requestedBy, requestedAt, note } = approval
  return JSON.stringify([reference, kind, account, asset, amount, requestedBy, requestedAt, note])
}
