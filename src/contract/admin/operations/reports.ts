/** Reports of a running node: their answers are texts, sent while they are produced. */
import { day, known, moment, oneOf } from './field.ts'
import { type OperationRows, streams } from './row.ts'

export const REPORT_NAMES = ['statements', 'trades', 'fees', 'balances'] as const
export type ReportName = (typeof REPORT_NAMES)[number]

const MOMENT = 'after this command, or at a time such as 2026-01-31T23:59:59Z'

export const REPORT_OPERATIONS = {
  /** Days and moments as in `bourse report`; the default format is `csv`. */
  'report/show': streams({
    title: 'Report',
    summary: 'Make a bookkeeping report, as bourse report does, while the node runs.',
    command: 'report',
    // Reports contain data of accounts and of events.
    rights: ['read.accounts', 'events'],
    words: { report: oneOf(REPORT_NAMES, 'which report') },
    options: {
      from: day('first UTC day, such as 2026-01-31'),
      to: day('last UTC day'),
      at: moment(`balances: ${MOMENT}`),
      account: known('only this account'),
      format: oneOf(['csv', 'json'], 'default csv'),
    },
    examples: [
      'report statements --from 2026-01-01 --to 2026-01-31 --out january.csv',
      'report balances --at 1048576 --format json',
    ],
    told: 'the [report](../reports.md#from-a-running-node) itself, without an envelope',
  }),
  /** The root of the proof of liabilities; with an account, the part for its owner. */
  'liabilities/show': streams({
    title: 'Proof of liabilities',
    summary: 'Show the root of the proof of liabilities, or the proof of one account.',
    command: 'liabilities',
    rights: ['read.accounts'],
    options: { at: moment(MOMENT), account: known('show the proof of this account') },
    examples: [
      'liabilities --at 1048576 --out root.json',
      'liabilities --at 1048576 --account alice --out alice.json',
    ],
    told: '[root.json](../reports.md#rootjson), or the proof of the account, without an envelope',
  }),
} satisfies OperationRows
