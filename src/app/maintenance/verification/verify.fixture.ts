/** Copies of an intact directory, changed by hand, and the findings of `bourse verify`. */
import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import path from 'node:path'
import { audit } from './directory.fixture.ts'

type Report = {
  readonly sound: boolean
  readonly seq: number
  readonly replayedSeq: number
  readonly stateHash: string
  readonly snapshots: readonly number[]
  readonly history: { readonly seq: number; readonly trades: number } | null
  readonly findingsTotal: number
  readonly findings: readonly { readonly check: string; readonly message: string }[]
}

export async function verify(directory: string): Promise<Report & { readonly code: number }> {
  const { code, out, err } = await audit('verify', '--data', directory, '--json')
  expect(err).toBe('')
  return { code, ...(JSON.parse(out) as Report) }
}

/** Changes a database of `directory` by SQL. */
export function change(
  directory: string,
  file: 'journal' | 'history',
  sql: string,
  ...values: (number | Uint8Array | string)[]
): void {
  const db = new Database(path.join(directory, `${file}.sqlite`))
  const { changes } = db.run(sql, values)
  expect(changes).toBeGreaterThan(0)
  db.close(true)
}

export function rows<Row>(directory: string, file: 'journal' | 'history', sql: string): Row[] {
  const db = new Database(path.join(directory, `${file}.sqlite`), { readonly: true })
  using statement = db.prepare<Row, []>(sql)
  const found = statement.all()
  statement.finalize()
  db.close(true)
  return found
}

/** The findings as `CHECK: message`, after checking that they make the command fail. */
export async function findings(directory: string): Promise<string[]> {
  const report = await verify(directory)
  expect(report.code).toBe(report.findingsTotal === 0 ? 0 : 1)
  expect(report.sound).toBe(report.code === 0)
  return report.findings.map(({ check, message }) => `${check}: ${message}`)
}

export type BatchRow = {
  position: number
  first_seq: number
  last_seq: number
  time: number
  previous_hash: Uint8Array
  hash: Uint8Array
  data: Uint8Array
}

export function batchInTheMiddle(directory: string): BatchRow {
  const batches = rows<BatchRow>(directory, 'journal', 'SELECT * FROM batch ORDER BY position')
  return batches[Math.floor(batches.length / 2)] as BatchRow
}
