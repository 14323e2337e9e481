/** Webhooks, which send the numbered feed of events. */

import { EVENT_KINDS } from '../../../units/event-enums.ts'
import type { AdminDeadEvent, AdminWebhook, AdminWebhookTest } from '../webhooks.ts'
import { WEBHOOK_URL_MAX } from './bounds.ts'
import { known, line, listOf, named, oneOf, plainName, required, whole } from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

const name = plainName('name of the webhook')

export const WEBHOOK_OPERATIONS = {
  'webhook/list': reads({
    title: 'Webhooks',
    summary: 'List the webhooks with their positions and undelivered events.',
    rights: ['events'],
    examples: ['webhook list'],
    told: 'list of [webhooks](../webhooks.md)',
    answer: answers<readonly AdminWebhook[]>(),
  }),
  'webhook/show': reads({
    title: 'Webhook',
    summary: 'Show one webhook and the result of its last attempt.',
    rights: ['events'],
    words: { name },
    examples: ['webhook show books'],
    told: 'the webhook: `name`, `url`, `kinds` (null: all), `account` (null: all), `paused` (null, or [why](../webhooks.md#pauses)), `position` (delivered up to this number), `journal` (the journal of that number), `waiting` (events not delivered yet, at the last attempt; 100 means 100 or more), `lagMs` (age of the oldest of them), `attempts` (failed attempts to send it), `problem` (of the last attempt, or null), `dead` (number of events given up)',
    answer: answers<AdminWebhook>(),
  }),
  /** Sends the events after `after`; without it, those from now on. */
  'webhook/add': changes('RIGHTS', {
    title: 'Add webhook',
    summary: 'Send events to a URL. The secret that signs them is shown only once.',
    // A webhook sends events to an address, and the answer is that of `webhook/show`: the right to read
    // events is needed too.
    rights: ['events', 'webhooks'],
    words: { name },
    options: {
      url: named(
        'to',
        required(line(WEBHOOK_URL_MAX, 'URL of the receiver, for example https://books.example/bourse')),
      ),
      kinds: listOf(
        oneOf(EVENT_KINDS, ''),
        1,
        EVENT_KINDS.length,
        'only these kinds, for example CREDIT,DEBIT; default: all',
      ),
      account: known('only events that concern this account; default: all'),
      after: whole(
        0,
        undefined,
        'only events after this number, 0 for all from the beginning; default: from now on',
      ),
    },
    examples: ['webhook add books --to https://books.example/bourse --kinds CREDIT,DEBIT'],
    told: 'the webhook, `secret`',
    /** The only time that the secret is shown. */
    answer: answers<AdminWebhook & { readonly secret: string }>(),
  }),
  'webhook/pause': changes('RIGHTS', {
    title: 'Pause webhook',
    summary: 'Pause a webhook until it is resumed; no events are lost.',
    rights: ['events', 'webhooks'],
    words: { name },
    examples: ['webhook pause books --note "maintenance"'],
    told: 'the webhook',
    answer: answers<AdminWebhook>(),
  }),
  /** Resumes after the event `after`, or where the webhook stopped. */
  'webhook/resume': changes('RIGHTS', {
    title: 'Resume webhook',
    summary: 'Resume a webhook at once, where it stopped or after a given number.',
    rights: ['events', 'webhooks'],
    words: { name },
    options: { after: whole(0, undefined, 'continue after this number; default: where it stopped') },
    examples: ['webhook resume books'],
    told: 'the webhook; `WEBHOOK_CANNOT_RESUME`',
    answer: answers<AdminWebhook>(),
  }),
  'webhook/remove': changes('RIGHTS', {
    title: 'Remove webhook',
    summary: 'Remove a webhook and its undelivered events.',
    rights: ['events', 'webhooks'],
    words: { name },
    confirm: 'Remove the webhook {name}, its secret and its undelivered events?',
    examples: ['webhook remove books'],
    told: 'the webhook as it was',
    /** The webhook before its removal. */
    answer: answers<AdminWebhook>(),
  }),
  /** Makes one attempt immediately, with content that is not an event. */
  'webhook/test': changes('RIGHTS', {
    title: 'Send test',
    summary: 'Send one signed test message, and show the result.',
    rights: ['events', 'webhooks'],
    words: { name },
    examples: ['webhook test books'],
    told: '`delivered`, `status` (null: no HTTP answer), `problem` (null: delivered)',
    answer: answers<AdminWebhookTest>(),
  }),
  /** Undelivered events of a webhook, oldest first. */
  'dead-event/list': reads({
    title: 'Undelivered events',
    summary: 'List the events that a webhook could not deliver, oldest first.',
    command: 'webhook dead',
    rights: ['events'],
    words: { name },
    examples: ['webhook dead books'],
    told: 'undelivered events, oldest first: `number`, `problem`, `time`, `awaited` (true: will be sent again)',
    answer: answers<readonly AdminDeadEvent[]>(),
  }),
  /** Sends again one of the events that were given up, or all. */
  'webhook/retry': changes('RIGHTS', {
    title: 'Send again',
    summary: 'Send undelivered events of a webhook again, before any others: one event, or all.',
    rights: ['events', 'webhooks'],
    words: { name },
    options: { number: whole(0, undefined, 'only this event; default: all') },
    examples: ['webhook retry books --number 1234'],
    told: '`count`: number of events that will be sent again',
    /** The number of events to be sent again. */
    answer: answers<{ readonly count: number }>(),
  }),
} satisfies OperationRows
