/** Webhooks as operators see them (docs/webhooks.md). Never the secret, but for the one time that it is shown. */
import type { EventKind } from '../units/event-words.ts'
import type { WebhookPause } from '../units/operator-words.ts'

/** Most events of one webhook that are counted as waiting. */
export const WEBHOOK_WAITING_MAX = 100

export type AdminWebhook = {
  readonly name: string
  readonly url: string
  /** Null: every kind. */
  readonly kinds: readonly EventKind[] | null
  /** Null: all accounts. */
  readonly account: string | null
  /** Why it sends nothing; null: it does. */
  readonly paused: WebhookPause | null
  /** Everything up to this number was delivered, given up, or not asked for. */
  readonly position: number
  /** Names the journal that the position is of. */
  readonly journal: string
  /** Events that wait, as found with the last attempt; `WEBHOOK_WAITING_MAX`: so many or more. */
  readonly waiting: number
  /** Age of the oldest that waits, in milliseconds; 0: none does. */
  readonly lagMs: number
  /** Failed attempts of the oldest that waits. */
  readonly attempts: number
  /** What came of the last attempt; null: it was taken, or there was none since the start. */
  readonly problem: string | null
  /** Events given up, which are kept. */
  readonly dead: number
}

/** An event that was given up. */
export type AdminDeadEvent = {
  readonly number: number
  readonly problem: string
  /** When it was given up. */
  readonly time: string
  /** It is to be sent again. */
  readonly awaited: boolean
}

/** What came of one attempt. */
export type AdminWebhookTest = {
  readonly delivered: boolean
  /** Of the answer; null: there was none that counts. */
  readonly status: number | null
  /** Null: it was delivered. */
  readonly problem: string | null
}
