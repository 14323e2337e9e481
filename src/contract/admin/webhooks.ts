/** Webhooks for operators (docs/webhooks.md). The secret is shown only once, when it is created. */
import type { EventKind } from '../../units/event-enums.ts'
import type { WebhookPause } from '../../units/operator-enums.ts'

/** Pending events of a webhook are counted up to this number. */
export const WEBHOOK_WAITING_MAX = 100

export type AdminWebhook = {
  readonly name: string
  readonly url: string
  /** Null if it sends every kind. */
  readonly kinds: readonly EventKind[] | null
  /** Null if it sends the events of all accounts. */
  readonly account: string | null
  /** The reason why it sends nothing; null if it is not paused. */
  readonly paused: WebhookPause | null
  /** Everything up to this number was delivered, given up, or not requested. */
  readonly position: number
  /** The name of the journal to which the position belongs. */
  readonly journal: string
  /** Number of pending events at the last attempt; `WEBHOOK_WAITING_MAX` means that many or more. */
  readonly waiting: number
  /** Age of the oldest pending event, in milliseconds; 0 if there is none. */
  readonly lagMs: number
  /** Failed attempts of the oldest pending event. */
  readonly attempts: number
  /** The problem of the last attempt; null if the attempt succeeded, or if there was none since the start. */
  readonly problem: string | null
  /** Number of events that were given up; they stay stored. */
  readonly dead: number
}

/** An event that was given up. */
export type AdminDeadEvent = {
  readonly number: number
  readonly problem: string
  /** The time at which it was given up. */
  readonly time: string
  /** It will be sent again. */
  readonly awaited: boolean
}

/** The result of one attempt. */
export type AdminWebhookTest = {
  readonly delivered: boolean
  /** The status of the answer; null if there was no valid answer. */
  readonly status: number | null
  /** Null if it was delivered. */
  readonly problem: string | null
}
