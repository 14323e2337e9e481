/** A golden journal of which a part was moved to an archive, on the day when archives came: read for ever as the journal that it was. */
import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { audit } from '../../src/app/audit/directory.fixture.ts'
import { recoveredHash, replayJournal } from './digest.ts'

const ARCHIVED = path.join(import.meta.dir, 'archived-2026-11-sections')
const WHOLE = path.join(import.meta.dir, 'journal-2026-11-sections')
const root = mkdtempSync(path.join(tmpdir(), 'bourse-golden-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A data directory of its own: opening a journal may write to it. */
function copyOf(source: string, name: string): string {
  const directory = path.join(root, name)
  cpSync(source, directory, { recursive: true })
  return directory
}

test('a journal of format 3 with its archive is, to every reader, the journal of format 2 that it was', async () => {
  const whole = await replayJournal(copyOf(WHOLE, 'whole'))
  expect(await replayJournal(copyOf(ARCHIVED, 'archived'))).toEqual(whole)
  expect((await recoveredHash(copyOf(ARCHIVED, 'started'))).stateHash).toBe(whole.stateHash)
  const { seq, journalHash } = JSON.parse(readFileSync(path.join(WHOLE, 'expected.json'), 'utf8'))
  expect({ seq: whole.seq, journalHash: whole.journalHash }).toEqual({ seq, journalHash })
})

test('the file of an archive is checked by itself, with the command in it that is passed over', async () => {
  const archive = path.join(ARCHIVED, 'archive')
  const { code, out } = await audit('verify', '--archive', archive, '--json')
  expect([code, JSON.parse(out)]).toEqual([
    0,
    {
      sound: true,
      findings: [],
      files: [
        {
          file: path.join(archive, readdirSync(archive)[0] ?? ''),
          fromSeq: 1,
          toSeq: 1304,
          toTime: '2026-09-21T14:13:24.764+00:00',
          batches: 330,
          bytes: 14_439,
          journalHash: '7346ba6aaf950aed7c8ab6fab74b78fd78282b50685937bda020725866296b7e',
          stateHash: '8fea124f0ea2240cb65f95171bde0e43189523e2571b6bb4f43b6a71b3eb5949',
          replayed: true,
        },
      ],
    },
  ])
})
