import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { audit, newRoot, writeDirectory } from '../verification/directory.fixture.ts'
import { LAST_BACKUP_FILE, readLastBackup } from './last-backup.ts'

const root = newRoot()
const data = path.join(root, 'data')

beforeAll(() => writeDirectory(data))
afterAll(() => rmSync(root, { recursive: true }))

test('a backup is noted in the directory that it was made from, for its owner alone, and a failed one keeps the previous note', async () => {
  expect(readLastBackup(data)).toEqual({ newest: null, failed: null })
  const to = path.join(root, 'first')
  const { out } = await audit('backup', '--data', data, '--to', to, '--json')
  const made = JSON.parse(out) as { seq: number; time: string; createdAt: string; noted: boolean }
  expect(made.noted).toBe(true)
  const { seq, time, createdAt } = made
  const { newest, failed } = readLastBackup(data)
  expect([newest, failed]).toEqual([{ directory: to, createdAt, seq, time, bytes: expect.any(Number) }, null])
  const file = (name: string) => statSync(path.join(to, name)).size
  expect(newest?.bytes).toBeGreaterThanOrEqual(file('journal.sqlite') + file('backup.json'))
  expect(statSync(path.join(data, LAST_BACKUP_FILE)).mode & 0o777).toBe(0o600)

  // The stored data is damaged.
  const journal = path.join(data, 'journal.sqlite')
  const sound = readFileSync(journal)
  writeFileSync(
    journal,
    sound.map((byte, index) => (index < sound.length / 2 ? byte : byte ^ 1)),
  )
  expect((await audit('backup', '--data', data, '--to', path.join(root, 'second'))).code).not.toBe(0)
  const after = readLastBackup(data)
  expect(after.newest).toEqual(newest)
  expect(after.failed).toEqual({ at: expect.any(String), problem: expect.stringMatching(/./) })

  writeFileSync(journal, sound)
  expect((await audit('backup', '--data', data, '--to', path.join(root, 'third'))).code).toBe(0)
  expect(readLastBackup(data)).toMatchObject({
    newest: { directory: path.join(root, 'third') },
    failed: null,
  })
  expect(existsSync(path.join(root, 'third', LAST_BACKUP_FILE))).toBe(false)
})

test('an unreadable note counts as none, and an absent directory is not created', async () => {
  const other = path.join(root, 'other')
  mkdirSync(other)
  for (const text of ['', '{', '{"format":2}', '{"format":1,"newest":{"seq":"7"},"failed":null}']) {
    writeFileSync(path.join(other, LAST_BACKUP_FILE), text)
    expect(readLastBackup(other)).toEqual({ newest: null, failed: null })
  }
  const absent = path.join(root, 'absent')
  expect((await audit('backup', '--data', absent, '--to', path.join(root, 'none'))).code).toBe(2)
  expect(existsSync(absent)).toBe(false)
})
