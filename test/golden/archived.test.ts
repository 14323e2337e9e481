/**
 * A golden journal of which a part was archived when archives were introduced: it must always read as the
 * same journal.
 */
import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { audit } from '../../src/app/maintenance/verification/directory.fixture.ts'
import { recoveredHash, replayJournal } from './digest.ts'

const ARCHIVED = path.join(import.meta.dir, 'archived-2026-11-cancel')
/** The journal from which the archived one was made. */
const WHOLE = path.join(import.meta.dir, 'journal-2026-11-cancel')
const root = mkdtempSync(path.join(tmpdir(), 'bourse-golden-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A data directory of its own: opening a journal may write to it. */
function copyOf(source: string, name: string): string {
  const directory = path.join(root, name)
  cpSync(source, directory, { recursive: true })
  return directory
}

test('a journal with an archive is, to every reader, the same journal as before', async () => {
  const replayed = await replayJournal(copyOf(WHOLE, 'whole'))
  expect(await replayJournal(copyOf(ARCHIVED, 'archived'))).toEqual(replayed)
  expect((await recoveredHash(copyOf(ARCHIVED, 'started'))).stateHash).toBe(replayed.stateHash)
  const { seq, journalHash } = JSON.parse(readFileSync(path.join(WHOLE, 'expected.json'), 'utf8'))
  expect({ seq: replayed.seq, journalHash: replayed.journalHash }).toEqual({ seq, journalHash })
})

test('the file of an archive is checked by itself, with its skipped command', async () => {
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
          toSeq: 4054,
          toTime: '2024-02-27T22:13:34.707+00:00',
          batches: 930,
          bytes: 47_113,
          journalHash: '8d4d2804fc09d3031ea9f62af02da4163cac3ceb89821ff8e4453e55f00d65a3',
          stateHash: 'c71b719dcf1a75961087444c113a1e7c1a82a3a18eb993b434572f8bd519ebb8',
          replayed: true,
        },
      ],
    },
  ])
})
