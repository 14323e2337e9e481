/** The operator's commands on the phase of the whole exchange. */
import type { AdminExchange } from '../../../wire/admin-records.ts'
import { facts, table } from '../../table.ts'
import { type AdminCommand, command } from '../command.ts'

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

export const PHASE_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'exchange show',
    operation: 'exchange/show',
    summary: 'Show the phase of the whole exchange, and what is planned.',
    examples: ['bourse admin --data data/main exchange show'],
    show: exchangeText,
  }),
  command({
    name: 'exchange halt',
    operation: 'exchange/halt',
    summary: 'Stop trading in all symbols at once (CANCEL_ONLY); cancelling goes on. Ends what is planned.',
    examples: ['bourse admin --data data/main exchange halt --note "prices are wrong"'],
    show: exchangeText,
  }),
  command({
    name: 'exchange close',
    operation: 'exchange/close',
    summary:
      'Close the exchange at once (CLOSED): no order is taken, none is canceled. Ends what is planned.',
    examples: ['bourse admin --data data/main exchange close --note "maintenance"'],
    show: exchangeText,
  }),
  command({
    name: 'exchange open',
    operation: 'exchange/open',
    summary:
      'Trade again at once (TRADING), after a halt. A closed exchange is halted first, so that traders can cancel.',
    examples: ['bourse admin --data data/main exchange open --note "prices are right again"'],
    show: exchangeText,
  }),
  command({
    name: 'exchange plan',
    operation: 'exchange/plan',
    summary: 'Plan up to four phases, in place of those planned before.',
    positionals: [
      {
        field: 'steps',
        kind: 'list',
        help: 'CANCEL_ONLY, CLOSED or TRADING, each with its moment: CLOSED@2026-12-01T02:00:00Z or CLOSED@+30m, with commas between',
      },
    ],
    examples: [
      'bourse admin --data data/main exchange plan CANCEL_ONLY@+30m,CLOSED@+40m,CANCEL_ONLY@+70m,TRADING@+80m --note "upgrade"',
    ],
    show: exchangeText,
  }),
  command({
    name: 'exchange unplan',
    operation: 'exchange/unplan',
    summary: 'Plan nothing any more; the phase in force stays.',
    examples: ['bourse admin --data data/main exchange unplan --note "put off to Sunday"'],
    show: exchangeText,
  }),
]
