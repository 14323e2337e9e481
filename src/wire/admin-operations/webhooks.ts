/** Webhooks, which send the numbered feed of events. */

import { EVENT_KINDS } from '../../units/event-words.ts'
import type { AdminDeadEvent, AdminWebhook, AdminWebhookTest } from '../admin-webhooks.ts'
import { WEBHOOK_URL_MAX } from './bounds.ts'
import { known, line, listOf, named, oneOf, plainName, required, whole } from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

const name = plainName('name of the webhook')

export const WEBHOOK_OPERATIONS = {
  'webhook/list': reads({
    summary: 'List the webhooks, how far each has come, and what it gave up.',
    rights: ['events'],
    examples: ['webhook list'],
    told: 'list of [webhooks](../webhooks.md)',
    answer: answers<readonly AdminWebhook[]>(),
  }),
  'webhook/show': reads({
    summary: 'Show one webhook, and what came of its last attempt.',
    rights: ['events'],
    words: { name },
    examples: ['webhook show books'],
    told: 'the webhook: `name`, `url`, `kinds` (null: all), `account` (null: all), `paused` (null, or [why](../webhooks.md#pauses)), `position` (delivered up to that number), `journal` (that it is of), `waiting` (events that were not taken yet, as found with the last attempt; 100: so many or more), `lagMs` (age of the oldest of them), `attempts` (failed ones of it), `problem` (of the last attempt, or null), `dead` (events given up)',
    answer: answers<AdminWebhook>(),
  }),
  /** Sends what comes after `after`; without it, what happens from now on. */
  'webhook/add': changes('RIGHTS', {
    summary: 'Send events to an address. The secret that signs them is shown now and never again.',
    // They send events to an address, or show what `webhook/show` does: the right to read events is taken too.
    rights: ['events', 'webhooks'],
    words: { name },
    options: {
      url: named('to', required(line(WEBHOOK_URL_MAX, 'where to, for example https://books.example/bourse'))),
      kinds: listOf(
        oneOf(EVENT_KINDS, ''),
        1,
        EVENT_KINDS.length,
        'only these kinds, for example CREDIT,DEBIT; all without it',
      ),
      account: known('only what concerns this account; all without it'),
      after: whole(0, undefined, 'from behind this number on, 0: from the beginning; from now on without it'),
    },
    examples: ['webhook add books --to https://books.example/bourse --kinds CREDIT,DEBIT'],
    told: 'the webhook, `secret`',
    /** The only time that the secret is shown. */
    answer: answers<AdminWebhook & { readonly secret: string }>(),
  }),
  'webhook/pause': changes('RIGHTS', {
    summary: 'Send nothing until it is resumed; nothing is lost meanwhile.',
    rights: ['events', 'webhooks'],
    words: { name },
    examples: ['webhook pause books --note "maintenance"'],
    told: 'the webhook',
    answer: answers<AdminWebhook>(),
  }),
  /** Where it stopped, or with what comes after `after`. */
  'webhook/resume': changes('RIGHTS', {
    summary: 'Go on where it stopped, at once; or behind another number.',
    rights: ['events', 'webhooks'],
    words: { name },
    options: { after: whole(0, undefined, 'go on behind this number; where it stopped without it') },
    examples: ['webhook resume books'],
    told: 'the webhook; `WEBHOOK_CANNOT_RESUME`',
    answer: answers<AdminWebhook>(),
  }),
  'webhook/remove': changes('RIGHTS', {
    summary: 'Forget a webhook, with what it gave up.',
    rights: ['events', 'webhooks'],
    words: { name },
    confirm: 'Forget the webhook {name}, its secret and what it gave up?',
    examples: ['webhook remove books'],
    told: 'the webhook as it was',
    /** As it was. */
    answer: answers<AdminWebhook>(),
  }),
  /** One attempt at once, with something that is no event. */
  'webhook/test': changes('RIGHTS', {
    summary: 'Send a signed test once, and show what came of it.',
    rights: ['events', 'webhooks'],
    words: { name },
    examples: ['webhook test books'],
    told: '`delivered`, `status` (null: none that counts), `problem` (null: delivered)',
    answer: answers<AdminWebhookTest>(),
  }),
  /** What a webhook gave up, the oldest first. */
  'dead-event/list': reads({
    summary: 'List the events that a webhook gave up, the oldest first.',
    command: 'webhook dead',
    rights: ['events'],
    words: { name },
    examples: ['webhook dead books'],
    told: 'what it gave up, oldest first: `number`, `problem`, `time`, `awaited` (it is to be sent again)',
    answer: answers<readonly AdminDeadEvent[]>(),
  }),
  /** One of the events that it gave up, or all. */
  'webhook/retry': changes('RIGHTS', {
    summary: 'Send what a webhook gave up again, before anything else: one event, or all.',
    rights: ['events', 'webhooks'],
    words: { name },
    options: { number: whole(0, undefined, 'only this event; all without it') },
    examples: ['webhook retry books --number 1234'],
    told: '`count`: to be sent again',
    /** How many are to be sent again. */
    answer: answers<{ readonly count: number }>(),
  }),
} satisfies OperationRows
