/**
 * The session of an operator's page with the admin server (docs/reference/operators-page.md): its beginning,
 * the headers of its requests, and the text to which an approval is bound.
 */
import type { AdminRight } from '../../units/admin-rights.ts'
import type { AdminError, AdminOperation } from './admin.ts'
import type { TakenRight } from './operations/row.ts'
import type { AdminApproval } from './records.ts'

/**
 * `POST` begins a session with a named token; `GET` returns its owner and does not count as use; `PUT` counts
 * as use; `DELETE` ends it.
 */
export const SESSION_PATH = '/session'

/** An unused session ends after this time: 15 minutes. Automatic requests of the page do not count as use. */
export const SESSION_IDLE_MS = 15 * 60_000
/** Every session ends after this time: 8 hours. */
export const SESSION_MS_MAX = 8 * 3_600_000

/**
 * The session's CSRF token, which no other page can read: every POST and DELETE of a session must have it.
 */
export const CSRF_HEADER = 'x-csrf-token'
/** `1`: an automatic request of the page, which does not count as use of the session. */
export const BACKGROUND_HEADER = 'x-background'
/** The operator's token, entered again, for operations that need it. */
export const CONFIRM_HEADER = 'x-confirm-token'
/** SHA-256 of the text of the displayed approval, as 64 lower-case hexadecimal digits. */
export const SHOWN_HEADER = 'x-shown-digest'

export type AdminLogin = { readonly token: string }

export type AdminSession = {
  /** Name of the token: the actor of all actions in the session. */
  readonly name: string
  readonly role: string
  /** The current rights. */
  readonly rights: readonly AdminRight[]
  /**
   * For each operation that it may not use, the first missing right; only the node's own token has `owner`,
   * only the customers process has `customers`.
   */
  readonly lacking: Readonly<Partial<Record<AdminOperation, TakenRight>>>
  /** Operations that need the token again, in the header `CONFIRM_HEADER`. */
  readonly confirmed: readonly AdminOperation[]
  /** The value for `CSRF_HEADER`. */
  readonly csrf: string
  /** The time at which it ends in any case. */
  readonly endsAt: string
  /** Milliseconds until `endsAt`: the browser's clock may differ. */
  readonly endsInMs: number
  /** Milliseconds until the session ends if it is not used. */
  readonly unusedEndsInMs: number
}

/** Null if there is no session. */
export type AdminSessionAnswer =
  | { readonly ok: true; readonly result: AdminSession | null }
  | { readonly ok: false; readonly error: AdminError }

/**
 * The text to which an approval is bound: everything that cannot change while the request waits; its digest
 * is compared.
 */
export function shownApprovalText(
  approval: Pick<
    AdminApproval,
    'reference' | 'kind' | 'account' | 'asset' | 'amount' | 'requestedBy' | 'requestedAt' | 'note'
  >,
): string {
  const { reference, kind, account, asset, amount, requestedBy, requestedAt, note } = approval
  return JSON.stringify([reference, kind, account, asset, amount, requestedBy, requestedAt, note])
}
