/** The operator's command for the numbered feed of events. */

import type { AdminEvent, AdminEventPage } from '../../../contract/admin/events.ts'
import type { EVENT_OPERATIONS } from '../../../contract/admin/operations/events.ts'
import { table } from '../../table.ts'
import type { Shown } from '../command.ts'

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
  const shown = table(headings, rows, 'No events after that number.')
  return next < end ? `${shown}\nThere may be more: --after ${next}` : shown
}

function fieldsText({ fields }: AdminEvent): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' ')
}

export const EVENT_ANSWERS: Shown<typeof EVENT_OPERATIONS> = {
  'event/list': eventTable,
}
