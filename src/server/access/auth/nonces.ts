/**
 * The store of the nonces of strict signatures: each is valid once while its request is acceptable. A port,
 * so that gateways that serve the same keys can share one store.
 */
import type { AccountId } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'

/** A nonce about to be used, by a request whose signature is valid and whose time window is open. */
export type NonceUse = {
  readonly apiKey: string
  /** The account of the key. */
  readonly accountId: AccountId
  readonly nonce: string
  /**
   * The endpoint that the nonce opens, if the nonce is a signature that names no endpoint: it is accepted
   * again for the same endpoint, and for no other. If absent, the nonce is accepted once.
   */
  readonly opens?: string | undefined
  /** The timestamp of the request. */
  readonly timestamp: number
  /** The last time at which the request is acceptable. */
  readonly acceptableUntil: number
  readonly now: TimeMs
}

/** The result; every kind except `FRESH` means that the request must be refused. */
export type NonceVerdict =
  | { readonly kind: 'FRESH' | 'REPEATED' | 'FULL' }
  /** The request's window is over: nonces of its time are forgotten. */
  | { readonly kind: 'EXPIRED'; readonly serverTime: number }
  /** The store has no nonces from before it started: a timestamp must be later than `after`. */
  | { readonly kind: 'UNKNOWABLE'; readonly after: number }

export interface NonceStore {
  /**
   * Uses the nonce unless it was used before. Checking and using are one step, so that only one of two equal
   * requests is `FRESH`, even on different gateways. A shared store may take time, and the caller waits.
   */
  take(use: NonceUse): NonceVerdict | Promise<NonceVerdict>
}
