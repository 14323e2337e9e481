/**
 * The storage of webhooks (docs/webhooks.md): the webhooks, their positions, and their undelivered events. It
 * is not a projection of the journal and cannot be rebuilt. The sender does not depend on how it is stored.
 */
import type { EventKind } from '../../units/event-enums.ts'
import type { WebhookPause } from '../../units/operator-enums.ts'

/** Maximum number of webhooks of a node. */
export const WEBHOOKS_MAX = 16
/**
 * Maximum number of undelivered events of one webhook. A webhook that reaches it pauses, so that no event is
 * skipped silently.
 */
export const DEAD_EVENTS_MAX = 1_000

export type StoredWebhook = {
  /** 1 to `NAME_MAX` characters. */
  readonly name: string
  readonly url: string
  /** Undefined for every kind. */
  readonly kinds: readonly EventKind[] | undefined
  /** Name of the only account whose events are sent; undefined for all. */
  readonly account: string | undefined
  /** The journal to which the position belongs. */
  readonly journal: string
  /** Everything up to this number was delivered, given up, or not requested. */
  readonly position: number
  readonly sealedSecret: Uint8Array
  /** The reason why nothing is sent; undefined if the webhook is not paused. */
  readonly paused: WebhookPause | undefined
}

/** An event that was given up. */
export type DeadEvent = {
  readonly number: number
  /** The result of the last attempt, for people. */
  readonly problem: string
  /** The time at which it was given up, in milliseconds since 1970. */
  readonly timeMs: number
  /** Whether an operator has requested that the event be sent again. */
  readonly isAwaited: boolean
}

/**
 * After a power cut, a position may be some seconds older, but never after a killed process; every other
 * change is durable once the call returns. Throws `JournalFault`.
 */
export interface WebhookStore {
  /** By name. */
  all(): readonly StoredWebhook[]
  add(webhook: StoredWebhook): void
  /** Removes a webhook, with all events that it has given up. */
  remove(name: string): void
  move(name: string, position: number): void
  /** Switches to another journal, and to a position in it. */
  moveTo(name: string, journal: string, position: number): void
  pause(name: string, paused: WebhookPause | undefined): void
  reseal(name: string, sealedSecret: Uint8Array): void
  /** Gives an event up, and continues after it. */
  bury(name: string, event: Omit<DeadEvent, 'isAwaited'>): void
  /** Oldest first. */
  dead(name: string): readonly DeadEvent[]
  deadCount(name: string): number
  /**
   * Marks one event to be sent again, or all events if `number` is undefined. Returns how many were marked.
   */
  await(name: string, number: number | undefined): number
  /** The lowest number of an event that is to be sent again. */
  nextAwaited(name: string): number | undefined
  /** Called when the event was delivered after all. */
  raise(name: string, number: number): void
  /** Called when the event failed again. */
  stay(name: string, number: number, problem: string): void
  close(): void
}
