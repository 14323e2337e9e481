/** The operator's commands on what a running node makes for the books (docs/reports.md#from-a-running-node). */
import { REPORT_NAMES } from '../../../wire/admin-operations/reports.ts'
import { type AdminCommand, command } from '../command.ts'

const AT = 'after this command, or at this time like 2026-01-31T23:59:59Z'

export const REPORT_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'report',
    operation: 'report/show',
    summary: 'Make a report for the books, as bourse report does, while the node runs.',
    positionals: [
      { field: 'report', kind: 'text', help: 'which report', values: REPORT_NAMES, required: true },
    ],
    options: {
      from: { field: 'from', kind: 'text', help: 'first UTC day, like 2026-01-31' },
      to: { field: 'to', kind: 'text', help: 'last UTC day' },
      at: { field: 'at', kind: 'text', help: `balances: ${AT}` },
      account: { field: 'account', kind: 'text', help: 'only this account' },
      format: { field: 'format', kind: 'text', help: 'csv without it', values: ['csv', 'json'] },
    },
    examples: [
      'bourse admin --data data/main report statements --from 2026-01-01 --to 2026-01-31 --out january.csv',
      'bourse admin --data data/main report balances --at 1048576 --format json',
    ],
    isText: true,
  }),
  command({
    name: 'liabilities',
    operation: 'liabilities/show',
    summary: 'Show the root of the proof of liabilities, or the file of one account in it.',
    options: {
      at: { field: 'at', kind: 'text', help: AT },
      account: { field: 'account', kind: 'text', help: 'the file of this account' },
    },
    examples: [
      'bourse admin --data data/main liabilities --at 1048576 --out root.json',
      'bourse admin --data data/main liabilities --at 1048576 --account alice --out alice.json',
    ],
    isText: true,
  }),
]
