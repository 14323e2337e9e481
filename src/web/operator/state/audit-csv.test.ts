import { expect, test } from 'bun:test'
import type { AdminAction } from '../../../contract/admin/records.ts'
import { auditCsv } from './audit-csv.ts'

test('a line of the audit trail is complete in a spreadsheet, and nothing in it is executed', () => {
  const action: AdminAction = {
    ...{ seq: 7, time: '2026-01-31T14:05:09.000Z', kind: 'Credit', actor: 'anna', outcome: 'done' },
    fields: { account: 'alice', amount: '1.5' },
    note: '=1+1, "quoted"',
  }
  expect(auditCsv([action]).split('\r\n')).toEqual([
    'command,time,who,what,outcome,fields,why',
    `7,2026-01-31T14:05:09.000Z,anna,Credit,done,"account alice, amount 1.5","'=1+1, ""quoted"""`,
    '',
  ])
})
