/**
 * Statements, trades, fees, balances, and proofs of an account's liabilities, created while the node runs
 * (docs/reports.md#from-a-running-node).
 */
import type { AdminRequests } from '../../../contract/admin/admin.ts'
import { type AdminContext, invalid } from '../context.ts'
import type { StreamedText } from '../streamed-text.ts'

const CSV = 'text/csv; charset=utf-8'
/** One object per line. */
const JSON_LINES = 'application/x-ndjson'

export async function showReport(
  context: AdminContext,
  { report, from, to, at, account, format = 'csv' }: AdminRequests['report/show'],
): Promise<StreamedText> {
  const isOfMoment = report === 'balances'
  if (isOfMoment && from !== undefined) throw invalid('from', 'balances need a moment: to or at')
  if (!isOfMoment && at !== undefined) throw invalid('at', `only for balances; ${report} takes from and to`)
  if (at !== undefined && to !== undefined) throw invalid('at', 'expected at or to, found both')
  if (from !== undefined && to !== undefined && to < from)
    throw invalid('to', `expected ${from} or later, found ${to}`)
  const request = { kind: 'REPORT', report, from, to, at, account, format } as const
  return context.reports.make(request, format === 'csv' ? CSV : JSON_LINES, context)
}

export async function showLiabilities(
  context: AdminContext,
  { at, account }: AdminRequests['liabilities/show'],
): Promise<StreamedText> {
  return context.reports.make({ kind: 'LIABILITIES', at, account }, 'application/json', context)
}
