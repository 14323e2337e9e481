/** The numbered feed of events for programs (docs/reference/events.md). */
import type { EventKind } from '../../units/event-enums.ts'

/** Longest wait for new events, in milliseconds: below the timeouts of proxies in between. */
export const EVENT_WAIT_MS_MAX = 25_000

export type AdminEventValue = string | number | boolean | readonly string[]

/** One side of a trade. */
export type AdminEventParty = {
  readonly account: string
  readonly orderId: string
  readonly total: string
  readonly commission: string
  readonly commissionAsset: string
}

export type AdminEvent = {
  /**
   * The number of the event. Numbers increase from event to event, with gaps; a number never changes, and is
   * the same on every node.
   */
  readonly number: number
  /** The command that caused it. */
  readonly seq: number
  readonly time: string
  readonly kind: EventKind
  /** Null if it concerns no account, or two. */
  readonly account: string | null
  /** The actor of the command, and the reason; null for a trade. */
  readonly actor: string | null
  readonly note: string | null
  readonly fields: Readonly<Record<string, AdminEventValue | AdminEventParty>>
}

export type AdminEventPage = {
  /** The name of the journal to which the numbers belong. */
  readonly journal: string
  /** Oldest first. */
  readonly events: readonly AdminEvent[]
  /** The value of `after` for the next request. */
  readonly next: number
  /** The highest number of any event so far. */
  readonly end: number
}
