/** The auditor's commands on directories that their user may read but not write to, as on read-only media. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { JournalReader } from '../../../storage/sqlite/journal-reader.ts'
import { openStorage } from '../../../storage/sqlite/storage.ts'
import type { Seq } from '../../../units/quantities.ts'
import { audit, soundDirectories, writeDirectory } from './directory.fixture.ts'

/** The user that root switches to, so that permissions apply. */
const NOBODY = 65_534
const { root, sound: SOUND, fresh, copy } = soundDirectories()
let stateHash: string

beforeAll(async () => {
  await writeDirectory(SOUND)
  stateHash = JSON.parse((await audit('verify', '--data', SOUND, '--json')).out).stateHash
})
afterAll(() => rmSync(root, { recursive: true }))

/**
 * Runs `work` with a directory that accepts no new files. Root ignores permissions, so root becomes another
 * user in the meantime.
 */
async function readOnly<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const isRoot = process.getuid?.() === 0
  chmodSync(root, 0o755)
  for (const name of names) chmodSync(path.join(directory, name), name === 'snapshots' ? 0o555 : 0o444)
  chmodSync(directory, 0o555)
  if (isRoot) process.seteuid?.(NOBODY)
  try {
    return await work()
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(directory, 0o755)
  }
}

test('a backup in a read-only directory is verified, read and restored, and a stopped exchange too', async () => {
  const backup = fresh()
  expect((await audit('backup', '--data', copy(), '--to', backup)).code).toBe(0)
  for (const directory of [backup, copy()]) {
    const before = readdirSync(directory).toSorted()
    await readOnly(directory, async () => {
      expect(() => writeFileSync(path.join(directory, 'new'), '')).toThrow('EACCES')
      const verified = await audit('verify', '--data', directory, '--json')
      expect([verified.code, verified.err]).toEqual([0, ''])
      expect(JSON.parse(verified.out)).toMatchObject({ sound: true, stateHash })
      expect((await audit('replay', '--data', directory)).out).toContain(stateHash)
      expect((await audit('journal', '--data', directory)).out.split('\n').length).toBeGreaterThan(100)
    })
    expect(readdirSync(directory).toSorted()).toEqual(before)
  }
  const into = fresh()
  mkdirSync(into, { mode: 0o777 })
  chmodSync(into, 0o777)
  await readOnly(backup, async () => {
    const { code, err } = await audit('restore', '--from', backup, '--data', into)
    expect([code, err]).toEqual([0, ''])
  })
  expect((await audit('verify', '--data', into)).code).toBe(0)
})

test('a read-only directory with a log, of a node that runs or was killed, is refused and never read without it', async () => {
  const running = copy()
  const { journal } = openStorage({ directory: running })
  await readOnly(running, async () => {
    const { code, err } = await audit('verify', '--data', running)
    expect([code, err]).toEqual([2, expect.stringContaining('a process uses')])
  })
  const killed = copy()
  for (const suffix of ['', '-wal'])
    cpSync(path.join(running, `journal.sqlite${suffix}`), path.join(killed, `journal.sqlite${suffix}`))
  await readOnly(killed, async () => {
    const { code, err } = await audit('verify', '--data', killed)
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('journal.sqlite-wal exists: a node is using the database'),
    ])
  })
  await journal.close()
})

test('a node that starts on a directory that is read without a lock ends the reading', async () => {
  const directory = copy()
  const reader = await readOnly(directory, async () => JournalReader.open(directory))
  expect((await reader.read(0 as Seq, 1)).length).toBe(1)
  const { journal } = openStorage({ directory })
  await expect(reader.read(1 as Seq, 1)).rejects.toThrow('journal.sqlite-wal exists')
  await reader.close()
  await journal.close()
})
