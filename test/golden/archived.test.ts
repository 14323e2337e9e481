/** A golden journal of which a part was moved to an archive, on the day when archives came: read for ever as the journal that it was. */
import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { audit } from '../../src/app/maintenance/audit/directory.fixture.ts'
import { recoveredHash, replayJournal } from './digest.ts'

/** Each with the whole journal that it was made of. */
const PAIRS = [
  ['archived-2026-11-sections', 'journal-2026-11-sections'],
  ['archived-2026-11-floor', 'journal-2026-11-floor'],
] as const
const ARCHIVED = path.join(import.meta.dir, 'archived-2026-11-sections')
const root = mkdtempSync(path.join(tmpdir(), 'bourse-golden-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A data directory of its own: opening a journal may write to it. */
function copyOf(source: string, name: string): string {
  const directory = path.join(root, name)
  cpSync(source, directory, { recursive: true })
  return directory
}

test.each(PAIRS)(
  '%s with its archive is, to every reader, the journal that it was: %s',
  async (archived, whole) => {
    const replayed = await replayJournal(copyOf(path.join(import.meta.dir, whole), `${archived}-whole`))
    const source = path.join(import.meta.dir, archived)
    expect(await replayJournal(copyOf(source, archived))).toEqual(replayed)
    expect((await recoveredHash(copyOf(source, `${archived}-started`))).stateHash).toBe(replayed.stateHash)
    const { seq, journalHash } = JSON.parse(
      readFileSync(path.join(import.meta.dir, whole, 'expected.json'), 'utf8'),
    )
    expect({ seq: replayed.seq, journalHash: replayed.journalHash }).toEqual({ seq, journalHash })
  },
)

test('the file of the newest archive is sound by itself, replayed to its end', async () => {
  const archive = path.join(import.meta.dir, 'archived-2026-11-floor', 'archive')
  const { code, out } = await audit('verify', '--archive', archive, '--json')
  const { sound, files } = JSON.parse(out)
  expect([code, sound]).toEqual([0, true])
  expect(files).toMatchObject([{ fromSeq: 1, toSeq: 4043, batches: 930, bytes: 46_903, replayed: true }])
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
