/** A page of the numbered feed, joined from facts and trades by whatever store has both; the work is bounded also where few of them are asked for. */
import { EVENTS_MAX } from '../../units/event-words.ts'
import { invariant } from '../../units/invariant.ts'
import type { Seq } from '../../units/quantities.ts'
import {
  EVENTS_LOOKED_AT_MAX,
  type EventQuery,
  type EventsAnswer,
  type PastEventPage,
} from '../port/ports.ts'
import { commandOf, type FeedEvent, lastNumberOf, type NumberedEvent } from './numbered-events.ts'

/** Both oldest first, from the first one after the number asked for; they are read when they are asked for. */
export type EventSources = {
  readonly facts: Iterable<FeedEvent>
  readonly fills: Iterable<FeedEvent>
  /** How many trades there were up to command `upTo`. */
  readonly tradesUpTo: (upTo: Seq) => number
}

/** `sources` is asked only where the number can be that of the journal. */
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
    if (events.length >= limit || lookedAt >= EVENTS_LOOKED_AT_MAX) return { ...page, events, next }
    next = event.number
    lookedAt++
    if (isAsked(event, kinds, accountId)) events.push(event)
  }
  return { ...page, events, next: end }
}

/** A page, newest first. `newestFirst`: those asked for, below the number asked for; no more is taken than one beyond the page. */
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

/** Two lists as one, by number. */
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

/** Whether trades are among what is asked for. */
export function asksForFills({ kinds }: Pick<EventQuery, 'kinds'>): boolean {
  return kinds === undefined || kinds.includes('FILL')
}

/** Whether anything else is. */
export function asksForFacts({ kinds }: Pick<EventQuery, 'kinds'>): boolean {
  return kinds === undefined || kinds.some((kind) => kind !== 'FILL')
}
