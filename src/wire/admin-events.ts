/** The numbered feed of events as programs read it (docs/reference/events.md). */
import type { EventKind } from '../units/event-words.ts'

/** Longest wait for news, in milliseconds: below what any proxy in between waits. */
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
  /** Rises from event to event, with gaps; the same for ever, whoever is asked. */
  readonly number: number
  /** The command that caused it. */
  readonly seq: number
  readonly time: string
  readonly kind: EventKind
  /** Null where it concerns none, or two. */
  readonly account: string | null
  /** Who gave the command, and why; null where a trade did it. */
  readonly actor: string | null
  readonly note: string | null
  readonly fields: Readonly<Record<string, AdminEventValue | AdminEventParty>>
}

export type AdminEventPage = {
  /** Names the journal that the numbers are of. */
  readonly journal: string
  /** Oldest first. */
  readonly events: readonly AdminEvent[]
  /** What to ask after next. */
  readonly next: number
  /** No event that there was has a higher number. */
  readonly end: number
}
