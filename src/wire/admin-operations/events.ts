/** The numbered feed of events. */

import { EVENT_KINDS, EVENTS_MAX } from '../../units/event-words.ts'
import { type AdminEventPage, EVENT_WAIT_MS_MAX } from '../admin-events.ts'
import { known, listOf, oneOf, whole } from './field.ts'
import { answers, type OperationRows, reads } from './row.ts'

export const EVENT_OPERATIONS = {
  /** The same as `GET /admin/v1/events`. */
  'event/list': reads({
    summary: 'Show what happened, oldest first, from a number on: what programs read.',
    command: 'events',
    rights: ['events'],
    options: {
      after: whole(0, undefined, 'only what has a higher number; 0 without it'),
      limit: whole(1, EVENTS_MAX, 'at most so many, 1 to 1000; 100 without it'),
      kinds: listOf(
        oneOf(EVENT_KINDS, ''),
        1,
        EVENT_KINDS.length,
        'only these kinds, for example CREDIT,DEBIT',
      ),
      account: known('only what concerns this account'),
      journal: known('the journal that the number is of'),
      wait: whole(0, EVENT_WAIT_MS_MAX, 'milliseconds to wait for news, 0 to 25000; 0 without it'),
    },
    examples: ['events --after 1234 --kinds CREDIT,WITHDRAWAL_ASKED'],
    told: '`journal`, `events`, `next`, `end`: the numbered feed of [events](events.md), as `GET /admin/v1/events` answers it',
    answer: answers<AdminEventPage>(),
  }),
} satisfies OperationRows
