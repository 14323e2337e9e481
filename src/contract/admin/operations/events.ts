/** The numbered feed of events. */

import { EVENT_KINDS, EVENTS_MAX } from '../../../units/event-enums.ts'
import { type AdminEventPage, EVENT_WAIT_MS_MAX } from '../events.ts'
import { known, listOf, oneOf, whole } from './field.ts'
import { answers, type OperationRows, reads } from './row.ts'

export const EVENT_OPERATIONS = {
  /** The operation behind `GET /admin/v1/events`. */
  'event/list': reads({
    title: 'Events',
    summary: 'Show the numbered feed of events for programs, oldest first.',
    command: 'events',
    rights: ['events'],
    options: {
      after: whole(0, undefined, 'only events after this number; default 0'),
      limit: whole(1, EVENTS_MAX, 'at most this many, {range}; default 100'),
      kinds: listOf(
        oneOf(EVENT_KINDS, ''),
        1,
        EVENT_KINDS.length,
        'only these kinds, for example CREDIT,DEBIT',
      ),
      account: known('only events that concern this account'),
      journal: known('journal to which the number belongs'),
      wait: whole(0, EVENT_WAIT_MS_MAX, 'milliseconds to wait for new events, {range}; default 0'),
    },
    examples: ['events --after 1234 --kinds CREDIT,WITHDRAWAL_ASKED'],
    told: '`journal`, `events`, `next`, `end`: the numbered feed of [events](events.md), as `GET /admin/v1/events` answers it',
    answer: answers<AdminEventPage>(),
  }),
} satisfies OperationRows
