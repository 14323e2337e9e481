/** The operator's command on the numbered feed of events. */
import { EVENT_KINDS } from '../../../units/event-words.ts'
import type { AdminEvent, AdminEventPage } from '../../../wire/admin-events.ts'
import { table } from '../../table.ts'
import { type AdminCommand, command } from '../command.ts'

function eventTable({ events, next, end }: AdminEventPage): string {
  const headings = ['NUMBER', 'TIME', 'KIND', 'ACCOUNT', 'FIELDS', 'WHO', 'WHY']
  const rows = events.map((event) => [
    String(event.number),
    event.time,
    event.kind,
    event.account ?? '',
    fieldsText(event),
    event.actor ?? '',
    event.note ?? '',
  ])
  const shown = table(headings, rows, 'Nothing happened after that number.')
  return next < end ? `${shown}\nThere may be more: --after ${next}` : shown
}

function fieldsText({ fields }: AdminEvent): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' ')
}

export const EVENT_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'events',
    operation: 'event/list',
    summary: 'Show what happened, oldest first, from a number on: what programs read.',
    options: {
      after: { field: 'after', kind: 'integer', help: 'only what has a higher number; 0 without it' },
      limit: { field: 'limit', kind: 'integer', help: 'at most so many, 1 to 1000; 100 without it' },
      kinds: {
        field: 'kinds',
        kind: 'list',
        help: 'only these kinds, for example CREDIT,DEBIT',
        values: EVENT_KINDS,
      },
      account: { field: 'account', kind: 'text', help: 'only what concerns this account' },
      journal: { field: 'journal', kind: 'text', help: 'the journal that the number is of' },
      wait: {
        field: 'wait',
        kind: 'integer',
        help: 'milliseconds to wait for news, 0 to 25000; 0 without it',
      },
    },
    examples: ['bourse admin --data data/main events --after 1234 --kinds CREDIT,WITHDRAWAL_ASKED'],
    show: eventTable,
  }),
]
