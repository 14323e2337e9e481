/**
 * A golden journal in a backup made by the program of that time: it must always restore to the same exchange.
 */
import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { audit } from '../../src/app/maintenance/verification/directory.fixture.ts'
import { hexOf } from '../../src/engine/port/journal.ts'
import { FileWitness } from '../../src/storage/files/witness.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { recoveredHash, replayJournal } from './digest.ts'

const BACKUP = path.join(import.meta.dir, 'backup-2026-11-cancel')
const JOURNAL = path.join(import.meta.dir, 'journal-2026-11-cancel')
const EXPECTED = JSON.parse(readFileSync(path.join(JOURNAL, 'expected.json'), 'utf8'))
const root = mkdtempSync(path.join(tmpdir(), 'bourse-golden-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The complete backup: its journal and its snapshot are in the golden journal's folder. */
function backup(): string {
  const directory = path.join(root, 'backup')
  cpSync(BACKUP, directory, { recursive: true })
  mkdirSync(path.join(directory, 'snapshots'))
  copyFileSync(path.join(JOURNAL, 'journal.sqlite'), path.join(directory, 'journal.sqlite'))
  const snapshot = `${EXPECTED.seq}.snapshot`
  copyFileSync(path.join(JOURNAL, snapshot), path.join(directory, 'snapshots', snapshot))
  return directory
}

test('a backup of format 1 is restored to the journal and the state that it claims', async () => {
  const data = path.join(root, 'restored')
  const { code, out, err } = await audit('restore', '--from', backup(), '--data', data, '--json')
  expect([code, err]).toEqual([0, ''])
  const { seq, journalHash } = EXPECTED
  const [stateHash] = Object.values(EXPECTED.stateHashByLayout)
  expect(JSON.parse(out)).toMatchObject({ seq, stateHash })
  expect(await replayJournal(data)).toMatchObject({ seq, journalHash })
  expect((await recoveredHash(data)).stateHash).toBe(String(stateHash))
})

test('the witness of a backup remembers the last command and its hash, and is rewritten with the same bytes', () => {
  const file = path.join(BACKUP, 'journal.witness')
  const recorded = new FileWitness(file, sha256).recall()
  if (recorded.kind !== 'MARK') throw new Error(`expected a mark, found ${recorded.kind}`)
  const { mark } = recorded
  expect([Number(mark.seq), hexOf(mark.hash)]).toEqual([EXPECTED.seq, EXPECTED.journalHash])
  const again = path.join(root, 'journal.witness')
  const witness = new FileWitness(again, sha256)
  witness.reset(mark)
  witness.close()
  expect(readFileSync(again).equals(readFileSync(file))).toBe(true)
})
