/**
 * What is stored of webhooks (docs/webhooks.md): which there are, how far each has come, and what it gave up. It is no projection of the
 * journal, so that it is never made again. Whoever sends does not know how it is stored.
 */
import type { EventKind } from '../../units/event-words.ts'
import type { WebhookPause } from '../../units/operator-words.ts'

/** Most webhooks of a node. */
export const WEBHOOKS_MAX = 16
/** Most events that one webhook has given up: with so many it pauses, so that none is passed over in silence. */
export const DEAD_EVENTS_MAX = 1_000

export type StoredWebhook = {
  /** 1 to `NAME_MAX` characters. */
  readonly name: string
  readonly url: string
  /** Undefined: every kind. */
  readonly kinds: readonly EventKind[] | undefined
  /** Name of the account that alone is sent; undefined: all. */
  readonly account: string | undefined
  /** Names the journal that the position is of. */
  readonly journal: string
  /** Everything up to this number was delivered, given up, or not asked for. */
  readonly position: number
  readonly sealedSecret: Uint8Array
  /** Why nothing is sent; undefined: it is. */
  readonly paused: WebhookPause | undefined
}

/** An event that was given up. */
export type DeadEvent = {
  readonly number: number
  /** What came of the last attempt, for people. */
  readonly problem: string
  /** When it was given up, in milliseconds since 1970. */
  readonly timeMs: number
  /** An operator wants it to be sent again. */
  readonly isAwaited: boolean
}

/** A position may be some seconds older after a power cut, never after a killed process; all else is durable once it has returned. Throws `JournalFault`. */
export interface WebhookStore {
  /** By name. */
  all(): readonly StoredWebhook[]
  add(webhook: StoredWebhook): void
  /** With all that it has given up. */
  remove(name: string): void
  move(name: string, position: number): void
  /** Another journal, and where to go on in it. */
  moveTo(name: string, journal: string, position: number): void
  pause(name: string, paused: WebhookPause | undefined): void
  reseal(name: string, sealedSecret: Uint8Array): void
  /** Gives an event up, and goes on behind it. */
  bury(name: string, event: Omit<DeadEvent, 'isAwaited'>): void
  /** Oldest first. */
  dead(name: string): readonly DeadEvent[]
  deadCount(name: string): number
  /** Those are to be sent again; undefined: all. How many they are. */
  await(name: string, number: number | undefined): number
  /** The one with the lowest number that is to be sent again. */
  nextAwaited(name: string): number | undefined
  /** It was delivered after all. */
  raise(name: string, number: number): void
  /** It failed again. */
  stay(name: string, number: number, problem: string): void
  close(): void
}
