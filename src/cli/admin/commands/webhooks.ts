/** The operator's commands for webhooks. */
import type { WEBHOOK_OPERATIONS } from '../../../contract/admin/operations/webhooks.ts'
import {
  type AdminDeadEvent,
  type AdminWebhook,
  type AdminWebhookTest,
  WEBHOOK_WAITING_MAX,
} from '../../../contract/admin/webhooks.ts'
import { facts, table } from '../../table.ts'
import type { Shown } from '../command.ts'

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
  return table(headings, rows, 'There are no webhooks yet.')
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
    ['waiting events', waitingOf(one)],
    ['age of the oldest', `${one.lagMs / 1_000} s`],
    ['failed attempts', String(one.attempts)],
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
    awaited ? 'will be sent' : '',
    problem,
  ])
  return table(headings, rows, 'No undelivered events.')
}

function testText({ delivered, status, problem }: AdminWebhookTest): string {
  return delivered ? `Delivered: status ${status}.` : `Not delivered: ${problem}.`
}

export const WEBHOOK_ANSWERS: Shown<typeof WEBHOOK_OPERATIONS> = {
  'webhook/list': webhookTable,
  'webhook/show': webhookText,
  'webhook/add': (webhook) =>
    `${webhookText(webhook)}\n${facts([['secret', webhook.secret]])}\nThe secret is shown only once: give it to the receiver now.`,
  'webhook/pause': webhookText,
  'webhook/resume': webhookText,
  'webhook/remove': webhookText,
  'webhook/test': testText,
  'dead-event/list': deadTable,
  'webhook/retry': ({ count }) => `${count} will be sent again: "webhook dead" lists the rest.`,
}
