/** The operator's commands on webhooks. */
import { EVENT_KINDS } from '../../../units/event-words.ts'
import {
  type AdminDeadEvent,
  type AdminWebhook,
  type AdminWebhookTest,
  WEBHOOK_WAITING_MAX,
} from '../../../wire/admin-webhooks.ts'
import { facts, table } from '../../table.ts'
import { type AdminCommand, command } from '../command.ts'

function webhookTable(webhooks: readonly AdminWebhook[]): string {
  const headings = ['NAME', 'STATE', 'URL', 'KINDS', 'ACCOUNT', 'AFTER', 'WAITING', 'GAVE UP']
  const rows = webhooks.map((one) => [
    one.name,
    stateOf(one),
    one.url,
    one.kinds?.join(',') ?? 'all',
    one.account ?? 'all',
    String(one.position),
    waitingOf(one),
    String(one.dead),
  ])
  return table(headings, rows, 'No webhook yet.')
}

function webhookText(one: AdminWebhook): string {
  return facts([
    ['name', one.name],
    ['state', stateOf(one)],
    ['url', one.url],
    ['kinds', one.kinds?.join(', ') ?? 'all'],
    ['account', one.account ?? 'all'],
    ['delivered up to', String(one.position)],
    ['of journal', one.journal],
    ['events that wait', waitingOf(one)],
    ['oldest of them', `${one.lagMs / 1_000} s`],
    ['failed attempts of it', String(one.attempts)],
    ['last problem', one.problem ?? ''],
    ['events given up', String(one.dead)],
  ])
}

function waitingOf({ waiting }: AdminWebhook): string {
  return waiting < WEBHOOK_WAITING_MAX ? String(waiting) : `${waiting} or more`
}

function stateOf({ paused }: AdminWebhook): string {
  return paused === null ? 'sends' : `paused: ${paused}`
}

function deadTable(events: readonly AdminDeadEvent[]): string {
  const headings = ['NUMBER', 'GIVEN UP', 'AGAIN', 'PROBLEM']
  const rows = events.map(({ number, time, awaited, problem }) => [
    String(number),
    time,
    awaited ? 'is to be sent' : '',
    problem,
  ])
  return table(headings, rows, 'It has given up nothing.')
}

function testText({ delivered, status, problem }: AdminWebhookTest): string {
  return delivered ? `Delivered: status ${status}.` : `Not delivered: ${problem}.`
}

const name = { field: 'name', kind: 'text', help: 'name of the webhook' } as const
const after = {
  field: 'after',
  kind: 'integer',
} as const

export const WEBHOOK_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'webhook list',
    operation: 'webhook/list',
    summary: 'List the webhooks, how far each has come, and what it gave up.',
    examples: ['bourse admin --data data/main webhook list'],
    show: webhookTable,
  }),
  command({
    name: 'webhook show',
    operation: 'webhook/show',
    summary: 'Show one webhook, and what came of its last attempt.',
    positionals: [name],
    examples: ['bourse admin --data data/main webhook show books'],
    show: webhookText,
  }),
  command({
    name: 'webhook add',
    operation: 'webhook/add',
    summary: 'Send events to an address. The secret that signs them is shown now and never again.',
    positionals: [name],
    options: {
      to: {
        field: 'url',
        kind: 'text',
        required: true,
        help: 'where to, for example https://books.example/bourse',
      },
      kinds: {
        field: 'kinds',
        kind: 'list',
        help: 'only these kinds, for example CREDIT,DEBIT; all without it',
        values: EVENT_KINDS,
      },
      account: { field: 'account', kind: 'text', help: 'only what concerns this account; all without it' },
      after: { ...after, help: 'from behind this number on, 0: from the beginning; from now on without it' },
    },
    examples: [
      'bourse admin --data data/main webhook add books --to https://books.example/bourse --kinds CREDIT,DEBIT',
    ],
    show: (webhook) =>
      `${webhookText(webhook)}\n${facts([['secret', webhook.secret]])}\nIt is not shown again: give it to the receiver now.`,
  }),
  command({
    name: 'webhook pause',
    operation: 'webhook/pause',
    summary: 'Send nothing until it is resumed; nothing is lost meanwhile.',
    positionals: [name],
    examples: ['bourse admin --data data/main webhook pause books --note "maintenance"'],
    show: webhookText,
  }),
  command({
    name: 'webhook resume',
    operation: 'webhook/resume',
    summary: 'Go on where it stopped, at once; or behind another number.',
    positionals: [name],
    options: { after: { ...after, help: 'go on behind this number; where it stopped without it' } },
    examples: ['bourse admin --data data/main webhook resume books'],
    show: webhookText,
  }),
  command({
    name: 'webhook remove',
    operation: 'webhook/remove',
    summary: 'Forget a webhook, with what it gave up.',
    positionals: [name],
    examples: ['bourse admin --data data/main webhook remove books'],
    confirm: (request) => `Forget the webhook ${request.name}, its secret and what it gave up?`,
    show: webhookText,
  }),
  command({
    name: 'webhook test',
    operation: 'webhook/test',
    summary: 'Send a signed test once, and show what came of it.',
    positionals: [name],
    examples: ['bourse admin --data data/main webhook test books'],
    show: testText,
  }),
  command({
    name: 'webhook dead',
    operation: 'dead-event/list',
    summary: 'List the events that a webhook gave up, the oldest first.',
    positionals: [name],
    examples: ['bourse admin --data data/main webhook dead books'],
    show: deadTable,
  }),
  command({
    name: 'webhook retry',
    operation: 'webhook/retry',
    summary: 'Send what a webhook gave up again, before anything else: one event, or all.',
    positionals: [name],
    options: { number: { field: 'number', kind: 'integer', help: 'only this event; all without it' } },
    examples: ['bourse admin --data data/main webhook retry books --number 1234'],
    show: ({ count }) => `${count} to be sent again: "webhook dead" shows what is left.`,
  }),
]
