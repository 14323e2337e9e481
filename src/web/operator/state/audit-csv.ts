/**
 * The audit trail as CSV for spreadsheets and auditors: one line per command, with its fields in one cell.
 */
import type { AdminAction } from '../../../contract/admin/records.ts'
import { CSV_LINE_END, csvField } from '../../../contract/csv.ts'
import { fieldsText } from './notation.ts'

const COLUMNS = ['command', 'time', 'who', 'what', 'outcome', 'fields', 'why'] as const

/** The first line has the names of the columns. */
export function auditCsv(actions: readonly AdminAction[]): string {
  const rows = actions.map(({ seq, time, actor, kind, outcome, fields, note }) =>
    [seq, time, actor, kind, outcome, fieldsText(fields), note].map((cell) => csvField(cell)).join(),
  )
  return [COLUMNS.join(), ...rows].map((line) => line + CSV_LINE_END).join('')
}
