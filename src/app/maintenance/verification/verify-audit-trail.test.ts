import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { audit, newRoot, writeDirectory } from './directory.fixture.ts'

const root = newRoot()
afterAll(() => rmSync(root, { recursive: true }))

type Row = Record<string, string | number | Uint8Array>

const directory = path.join(root, 'data')

function changeHistory(work: (db: Database) => void): void {
  const db = new Database(path.join(directory, 'history.sqlite'), { strict: true })
  work(db)
  db.close()
}

/** Changes a row of the audit trail like an attacker who knows how rows are checked. */
function forge(db: Database, row: Row, column: string, value: string | number): void {
  const { seq, time_ms, actor, kind, account, reference, ...rest } = { ...row, [column]: value } as Row
  const { command, reply } = rest
  const check = Bun.hash.crc32([seq, time_ms, actor, kind, account, reference, command, reply].join())
  db.run(`UPDATE action SET ${column} = ?, row_check = ? WHERE seq = ?`, [value, check, seq as number])
}

async function findings(): Promise<string[]> {
  const { out } = await audit('verify', '--data', directory, '--json')
  const report = JSON.parse(out) as { findings: { check: string; message: string }[] }
  return report.findings.map(({ check, message }) => `${check}: ${message}`)
}

test('a changed, a missing and an invented row of the audit trail are named, and a rebuild corrects it', async () => {
  await writeDirectory(directory)
  let seqs: unknown[] = []
  changeHistory((db) => {
    const rows = db.query<Row, []>('SELECT * FROM action ORDER BY seq LIMIT 6').all()
    seqs = rows.map(({ seq }) => seq)
    forge(db, rows[0] as Row, 'time_ms', 1)
    forge(db, rows[1] as Row, 'actor', 'somebody else')
    forge(db, rows[4] as Row, 'account', 7)
    forge(db, rows[5] as Row, 'reference', 'another')
    db.run(`UPDATE action SET reply = x'00' WHERE seq = ${seqs[2]}`)
    db.run(`DELETE FROM action WHERE seq = ${seqs[3]}`)
    db.run(
      `INSERT INTO action SELECT 9999, time_ms, actor, kind, account, reference, command, reply, row_check FROM action LIMIT 1`,
    )
  })
  const [time, actor, reply, missing, account, reference, invented, ...others] = await findings()
  expect(account).toMatch(new RegExp(`has a different account for \\w+ by \\w+ \\(command ${seqs[4]}\\)$`))
  expect(reference).toMatch(
    new RegExp(`\\(command ${seqs[5]}\\): a row of .* is stored with reference another$`),
  )
  expect(time).toMatch(
    new RegExp(`^HISTORY: the audit trail has a different time for \\w+ by \\w+ \\(command ${seqs[0]}\\)$`),
  )
  expect(actor).toMatch(
    new RegExp(`\\(command ${seqs[1]}\\): a row of .* is stored as \\d+ by somebody else$`),
  )
  expect(reply).toMatch(new RegExp(`\\(command ${seqs[2]}\\): a row has check`))
  expect(missing).toMatch(new RegExp(`\\(command ${seqs[3]}\\) is missing from the audit trail$`))
  expect(invented).toBe(
    "HISTORY: the audit trail has command 9999, which is not an operator's command in the journal",
  )
  expect(others).toEqual([])
  expect((await audit('rebuild', '--data', directory)).code).toBe(0)
  expect(await findings()).toEqual([])
})
