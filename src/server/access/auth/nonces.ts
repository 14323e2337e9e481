/**
 * Where the nonces of strict signatures are counted: each is good once while its request is acceptable. A port, so that
 * gateways that serve the same keys can share one store.
 */
import type { AccountId } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'

/** A nonce about to be used, by a request whose signature is valid and whose time window is open. */
export type NonceUse = {
  readonly apiKey: string
  /** Whose key it is. */
  readonly accountId: AccountId
  readonly nonce: string
  /** That of the request. */
  readonly timestamp: number
  /** The last moment at which the request is acceptable. */
  readonly acceptableUntil: number
  readonly now: TimeMs
}

/** What became of it; every kind but `FRESH` means that the request must be refused. */
export type NonceVerdict =
  | { readonly kind: 'FRESH' | 'REPEATED' | 'FULL' }
  /** The request's window is over: nonces of its time are forgotten. */
  | { readonly kind: 'EXPIRED'; readonly serverTime: number }
  /** The store does not know what was used before it began: a timestamp must be later than `after`. */
  | { readonly kind: 'UNKNOWABLE'; readonly after: number }

export interface NonceStore {
  /**
   * Takes the nonce, unless it was taken before: checking and taking are one step, so that of two equal requests, wherever they
   * come, one is `FRESH`. A store that is shared may take its time; whoever asks waits.
   */
  take(use: NonceUse): NonceVerdict | Promise<NonceVerdict>
}
