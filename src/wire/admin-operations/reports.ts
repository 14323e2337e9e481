/** Reports that a running node makes: their answers are texts, sent as they are made. */
import { day, known, moment, oneOf } from './field.ts'
import { type OperationRows, streams } from './row.ts'

export const REPORT_NAMES = ['statements', 'trades', 'fees', 'balances'] as const
export type ReportName = (typeof REPORT_NAMES)[number]

const MOMENT = 'after this command, or at this time like 2026-01-31T23:59:59Z'

export const REPORT_OPERATIONS = {
  /** Days and moments as `bourse report` takes them; `csv` without a format. */
  'report/show': streams({
    summary: 'Make a report for the books, as bourse report does, while the node runs.',
    command: 'report',
    // They have what is read of accounts and of what happened to them.
    rights: ['read.accounts', 'events'],
    words: { report: oneOf(REPORT_NAMES, 'which report') },
    options: {
      from: day('first UTC day, like 2026-01-31'),
      to: day('last UTC day'),
      at: moment(`balances: ${MOMENT}`),
      account: known('only this account'),
      format: oneOf(['csv', 'json'], 'csv without it'),
    },
    examples: [
      'report statements --from 2026-01-01 --to 2026-01-31 --out january.csv',
      'report balances --at 1048576 --format json',
    ],
    told: 'no object: the [report](../reports.md#from-a-running-node) itself',
  }),
  /** The root of the proof of liabilities, or with an account what is given to its owner. */
  'liabilities/show': streams({
    summary: 'Show the root of the proof of liabilities, or the file of one account in it.',
    command: 'liabilities',
    rights: ['read.accounts'],
    options: { at: moment(MOMENT), account: known('the file of this account') },
    examples: [
      'liabilities --at 1048576 --out root.json',
      'liabilities --at 1048576 --account alice --out alice.json',
    ],
    told: 'no envelope: [root.json](../reports.md#rootjson), or the file of the account',
  }),
} satisfies OperationRows
