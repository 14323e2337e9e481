/** Every golden journal is replayed, and must produce the same result as on the day when it was made. */
import { afterAll, describe, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMAND_CODES } from '../../src/core/commands/command.ts'
import { Exchange } from '../../src/core/exchange/exchange.ts'
import { openSnapshots } from '../../src/storage/sqlite/storage.ts'
import { ByteReader } from '../../src/units/bytes.ts'
import { type Replayed, recoveredHash, replayJournal } from './digest.ts'

type Expected = Omit<Replayed, 'stateHash'> & { readonly stateHashByLayout: Readonly<Record<string, string>> }

/** This journal begins below the floor of the rules, and is refused (`below-floor.test.ts`). */
const REFUSED = 'journal-2026-11-floor'
const names = readdirSync(import.meta.dir).filter((name) => name.startsWith('journal-') && name !== REFUSED)
/** This journal contains commands of every kind. */
const NEWEST = 'journal-2026-11-names'
const temporary: string[] = []
afterAll(() => {
  for (const directory of temporary) rmSync(directory, { recursive: true, force: true })
})

/** A data directory of its own: opening a journal may write to it. */
function copyOf(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-golden-'))
  temporary.push(directory)
  const source = join(import.meta.dir, name)
  mkdirSync(join(directory, 'snapshots'))
  copyFileSync(join(source, 'journal.sqlite'), join(directory, 'journal.sqlite'))
  for (const file of readdirSync(source).filter((file) => file.endsWith('.snapshot'))) {
    copyFileSync(join(source, file), join(directory, 'snapshots', file))
  }
  return directory
}

/** The layout of snapshots that the code writes now: the first number of a snapshot. */
const layout = new ByteReader(new Exchange().encodeSnapshot()).uint()

test('there is a golden journal of every format that was released', () => {
  expect(names).toContain('journal-2026-11-cancel')
})

for (const name of names) {
  describe(`the golden journal ${name}`, () => {
    const expected = JSON.parse(
      readFileSync(join(import.meta.dir, name, 'expected.json'), 'utf8'),
    ) as Expected
    const { stateHashByLayout, ...facts } = expected
    const stateHash = stateHashByLayout[layout] ?? `no hash for layout ${layout} of snapshots: see README.md`

    test('replays from its first command to the same state, the same views and the same trades', async () => {
      expect(await replayJournal(copyOf(name))).toEqual({ ...facts, stateHash })
    })

    test('a start from the journal alone arrives at that state', async () => {
      expect((await recoveredHash(copyOf(name))).stateHash).toBe(stateHash)
    })

    test('a start from each of its snapshots arrives there too', async () => {
      for (let left = 9; left > 0; left--) {
        const directory = copyOf(name)
        const snapshots = openSnapshots(directory)
        const { heads } = await snapshots.list()
        const head = heads[left - 1]
        for (const other of heads)
          if (other !== head) rmSync(join(directory, 'snapshots', `${other.seq}.snapshot`))
        if (head === undefined) continue
        const recovered = await recoveredHash(directory, openSnapshots(directory))
        expect(recovered).toEqual({ stateHash, snapshotSeq: head.seq })
      }
    })

    test('contains a quarantined command, and commands of every kind of its time', () => {
      const kinds = Object.keys(expected.commands)
      expect(expected.quarantined.length).toBeGreaterThan(0)
      expect(kinds).toContain('quarantined')
      if (name === NEWEST) expect(kinds.sort()).toEqual([...Object.keys(COMMAND_CODES), 'quarantined'].sort())
    })

    test('is small enough to be kept forever', () => {
      const bytes = readdirSync(join(import.meta.dir, name)).map(
        (file) => statSync(join(import.meta.dir, name, file)).size,
      )
      expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000)
    })
  })
}
