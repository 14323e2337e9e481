/** The audit trail for spreadsheets and auditors: a line for each command, its fields in one cell. */
import type { AdminAction } from '../../../wire/admin-records.ts'
import { CSV_LINE_END, csvField } from '../../../wire/csv.ts'
import { fieldsText } from './words.ts'

const COLUMNS = ['command', 'time', 'who', 'what', 'outcome', 'fields', 'why'] as const

/** The first line names the columns. */
export function auditCsv(actions: readonly AdminAction[]): string {
  const rows = actions.map(({ seq, time, actor, kind, outcome, fields, note }) =>
    [seq, time, actor, kind, outcome, fieldsText(fields), note].map((cell) => csvField(cell)).join(),
  )
  return [COLUMNS.join(), ...rows].map((line) => line + CSV_LINE_END).join('')
}
