/**
 * The storage of webhooks (docs/webhooks.md): the webhooks, their positions, and their undelivered events. It
 * is not a projection of the journal and cannot be rebuilt. The sender does not know how it is stored.
 */
import type { EventKind } from '../../units/event-enums.ts'
import type { WebhookPause } from '../../units/operator-enums.ts'

/** Maximum number of webhooks of a node. */
export const WEBHOOKS_MAX = 16
/**
 * Limit of undelivered events of one webhook: when it is reached the webhook pauses, so that none is skipped
 * silently.
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
  /** Names the journal that the position is of. */
  readonly journal: string
  /** Everything up to this number was delivered, given up, or not requested. */
  readonly position: number
  readonly sealedSecret: Uint8Array
  /** The reason why nothing is sent; undefined if it is. */
  readonly paused: WebhookPause | undefined
}

/** An event that was given up. */
export type DeadEvent = {
  readonly number: number
  /** The result of the last attempt, for people. */
  readonly problem: string
  /** The time at which it was given up, in milliseconds since 1970. */
  readonly timeMs: number
  /** An operator has requested that it be sent again. */
  readonly isAwaited: boolean
}

/**
 * A position may be some seconds older after a power cut, never after a killed process; every other change is
 * durable once the call has returned. Throws `JournalFault`.
 */
export interface WebhookStore {
  /** By name. */
  all(): readonly StoredWebhook[]
  add(webhook: StoredWebhook): void
  /** Including all events that it has given up. */
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
  /** Marks one event, or all with undefined, to be sent again. Returns their number. */
  await(name: string, number: number | undefined): number
  /** The event with the lowest number that is to be sent again. */
  nextAwaited(name: string): number | undefined
  /** It was delivered after all. */
  raise(name: string, number: number): void
  /** It failed again. */
  stay(name: string, number: number, problem: string): void
  close(): void
}
