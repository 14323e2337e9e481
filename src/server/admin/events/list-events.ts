/**
 * A page of the numbered feed, or its next events. All listed events are durable, and as recent as the state
 * that the node shows elsewhere.
 */

import type { AdminEventRequest } from '../../../contract/admin/admin.ts'
import type { AdminEventPage } from '../../../contract/admin/events.ts'
import type { AccountId } from '../../../units/ids.ts'
import { type AdminContext, AdminRequestError, knownAccount } from '../context.ts'
import { adminEvent } from './event-presentation.ts'

const LIMIT = 100

/** The context of a reader of the feed: a token or a webhook. */
export type EventsContext = Omit<AdminContext, 'asker' | 'reports'>

/** The signal of a client that is not observed: it is never aborted. */
const NEVER = new AbortController().signal

/**
 * Answers at once if there are events; otherwise as soon as there are, at the latest after `wait`
 * milliseconds. `signal` aborts when the caller has disconnected. Throws `AdminRequestError`.
 */
export async function listEvents(
  context: EventsContext,
  request: AdminEventRequest,
  signal: AbortSignal = NEVER,
): Promise<AdminEventPage> {
  const { news } = context
  const untilMs = news.nowMs() + (request.wait ?? 0)
  const accountId = accountOf(context, request)
  requireOwnJournal(context, request)
  for (let after = request.after ?? 0; ; ) {
    const shown = context.seq()
    const page = await pageAfter(context, { ...request, after }, accountId)
    const isOver = news.isClosed || signal.aborted || news.nowMs() >= untilMs
    if (page.events.length > 0 || isOver) return page
    after = page.next
    if (page.next === page.end) await news.after(shown, untilMs, signal, context.caller.token)
  }
}

export async function pageAfter(
  context: EventsContext,
  { after = 0, limit = LIMIT, kinds }: AdminEventRequest,
  accountId: AccountId | undefined,
): Promise<AdminEventPage> {
  const { history, seq, registry, journal } = context
  const answer = await history.events({ after, limit, kinds, accountId, upTo: seq() })
  if (answer.kind === 'TOO_NEW') {
    const message = `after: expected at most ${answer.end}, the end of this node's journal, found ${after}`
    throw new AdminRequestError('OTHER_JOURNAL', { field: 'after', message })
  }
  const { events, next, end } = answer
  return { journal, events: events.map((event) => adminEvent(event, registry)), next, end }
}

/** The id of the requested account; undefined means the events of all accounts. */
export function accountOf(context: EventsContext, { account }: AdminEventRequest): AccountId | undefined {
  return account === undefined ? undefined : knownAccount(context, 'account', account).id
}

export function requireOwnJournal({ journal }: EventsContext, request: AdminEventRequest): void {
  if (request.journal === undefined || request.journal === journal) return
  const message = `journal: this node has ${journal}, found ${request.journal}`
  throw new AdminRequestError('OTHER_JOURNAL', { field: 'journal', message })
}
