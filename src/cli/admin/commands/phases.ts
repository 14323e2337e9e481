/** The operator's commands for the phase of the whole exchange. */
import type { PHASE_OPERATIONS } from '../../../contract/admin/operations/phases.ts'
import type { AdminExchange } from '../../../contract/admin/records.ts'
import { facts, table } from '../../table.ts'
import type { Shown } from '../command.ts'

function exchangeText({ phase, since, by, note, planned }: AdminExchange): string {
  const now = facts([
    ['phase', phase],
    ['since', since ?? 'the beginning'],
    ['by', by === '' ? '-' : by],
    ['note', note === '' ? '-' : note],
  ])
  const rows = planned.map((step) => [step.phase, step.at, step.by, step.note])
  return `${now}\n\n${table(['PLANNED PHASE', 'FROM', 'BY', 'NOTE'], rows, 'Nothing is planned.')}`
}

export const PHASE_ANSWERS: Shown<typeof PHASE_OPERATIONS> = {
  'exchange/show': exchangeText,
  'exchange/halt': exchangeText,
  'exchange/close': exchangeText,
  'exchange/open': exchangeText,
  'exchange/plan': exchangeText,
  'exchange/unplan': exchangeText,
}
