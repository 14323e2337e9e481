/**
 * A downgrade to an older version: data that a newer version wrote is refused with an explanation, and left
 * unchanged.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { endOf, following, sealed } from '../src/engine/port/journal.ts'
import { sha256 } from '../src/storage/sha256.ts'
import { openStorage } from '../src/storage/sqlite/storage.ts'
import { ByteWriter } from '../src/units/bytes.ts'
import type { TimeMs } from '../src/units/quantities.ts'
import { BourseProcess, dataDirectory, sandbox } from './support/bourse-process.ts'

const data = dataDirectory()
const journal = path.join(data.path, 'journal.sqlite')

beforeAll(async () => {
  const node = await sandbox(data.path)
  expect(await node.end('SIGTERM')).toBe(0)
})
afterAll(() => data.remove())

const digest = () => createHash('sha256').update(readFileSync(journal)).digest('hex')

/** A start of the current version: its exit code and its last output. */
async function start(): Promise<[number, string]> {
  const node = new BourseProcess(['serve', '--data', data.path, '--port', '0', '--log-level', 'silent'])
  return [await node.exited(), node.err]
}

/** One frame of one byte: a command with a code that is not assigned yet. */
function unknownCommand(): Uint8Array {
  const writer = new ByteWriter()
  writer.u32(1)
  writer.u8(251)
  return writer.take()
}

const WAY_ON =
  'another version of the program wrote it. Nothing was changed: start that version, or a newer one'

test('a journal of a newer format is refused with both versions and the way on, and not touched', async () => {
  const setFormat = (version: number) => {
    using db = new Database(journal)
    db.run(`PRAGMA user_version = ${version}`)
  }
  setFormat(4)
  const before = digest()
  expect(await start()).toEqual([
    1,
    `bourse: ${journal} has format 4, this version reads 2 and 3: ${WAY_ON}\n`,
  ])
  expect(digest()).toBe(before)
  setFormat(2)
})

test('a command that only a newer version knows is refused by its number, never skipped', async () => {
  const storage = openStorage({ directory: data.path })
  const { tail } = storage.journal
  const batch = sealed(sha256, {
    ...following(tail),
    kind: 'COMMANDS',
    count: 1,
    time: (tail.time + 1) as TimeMs,
    data: unknownCommand(),
  })
  await storage.journal.append(batch)
  storage.witness.record(endOf(batch))
  storage.witness.close()
  await storage.journal.close()
  const before = digest()
  const problem = `command ${batch.firstSeq} is intact, but of a kind that this version cannot read: ${WAY_ON}`
  expect(await start()).toEqual([1, `bourse: ${problem}\n`])
  expect(digest()).toBe(before)
})
