/**
 * A page of the numbered feed, joined from facts and trades by any store that has both; the work is limited
 * even if few of them match the query.
 */
import { EVENTS_MAX } from '../../units/event-enums.ts'
import { invariant } from '../../units/invariant.ts'
import type { Seq } from '../../units/quantities.ts'
import { EVENTS_READ_MAX, type EventQuery, type EventsAnswer, type PastEventPage } from '../port/ports.ts'
import { commandOf, type FeedEvent, lastNumberOf, type NumberedEvent } from './numbered-events.ts'

/**
 * Facts and trades, each oldest first from the first one after the requested number; both are read on demand.
 */
export type EventSources = {
  readonly facts: Iterable<FeedEvent>
  readonly fills: Iterable<FeedEvent>
  /** Number of trades up to command `upTo`. */
  readonly tradesUpTo: (upTo: Seq) => number
}

/** `sources` is called only if the number can belong to the journal. */
export function eventPage(query: EventQuery, sources: EventSources): EventsAnswer {
  const { after, limit, upTo, kinds, accountId } = query
  assertEventLimit(limit)
  const end = lastNumberOf(upTo, sources.tradesUpTo(upTo))
  if (after > end) return { kind: 'TOO_NEW', end }
  const page = { kind: 'PAGE', end } as const
  const events: FeedEvent[] = []
  let lookedAt = 0
  let next = after
  for (const event of inOrder(sources.facts, sources.fills)) {
    if (commandOf(event) > upTo) break
    if (events.length >= limit || lookedAt >= EVENTS_READ_MAX) return { ...page, events, next }
    next = event.number
    lookedAt++
    if (isAsked(event, kinds, accountId)) events.push(event)
  }
  return { ...page, events, next: end }
}

/**
 * A page, newest first. `newestFirst`: the requested events below the requested number; at most one more
 * event than the page has is read.
 */
export function pastEventPage(newestFirst: Iterable<NumberedEvent>, limit: number): PastEventPage {
  assertEventLimit(limit)
  const events: NumberedEvent[] = []
  for (const event of newestFirst) {
    if (events.length === limit) return { events, next: events.at(-1)?.number }
    events.push(event)
  }
  return { events, next: undefined }
}

function assertEventLimit(limit: number): void {
  invariant(
    Number.isSafeInteger(limit) && limit >= 1 && limit <= EVENTS_MAX,
    () => `limit must be 1 to ${EVENTS_MAX}, found ${limit}`,
  )
}

function isAsked(event: FeedEvent, kinds: EventQuery['kinds'], accountId: EventQuery['accountId']): boolean {
  if (kinds !== undefined && !kinds.includes(event.kind)) return false
  if (accountId === undefined) return true
  if (event.kind !== 'FILL') return event.accountId === accountId
  const { maker, taker } = event.trade
  return maker.accountId === accountId || taker.accountId === accountId
}

/** Merges two lists by number. */
function* inOrder(a: Iterable<FeedEvent>, b: Iterable<FeedEvent>): Generator<FeedEvent, void> {
  const [as, bs] = [a[Symbol.iterator](), b[Symbol.iterator]()]
  let [fromA, fromB] = [as.next(), bs.next()]
  while (fromA.done !== true || fromB.done !== true) {
    if (fromB.done === true || (fromA.done !== true && fromA.value.number < fromB.value.number)) {
      if (fromA.done === true) return
      yield fromA.value
      fromA = as.next()
    } else {
      yield fromB.value
      fromB = bs.next()
    }
  }
}

/** Whether trades are requested. */
export function asksForFills({ kinds }: Pick<EventQuery, 'kinds'>): boolean {
  return kinds === undefined || kinds.includes('FILL')
}

/** Whether anything besides trades is requested. */
export function asksForFacts({ kinds }: Pick<EventQuery, 'kinds'>): boolean {
  return kinds === undefined || kinds.some((kind) => kind !== 'FILL')
}
