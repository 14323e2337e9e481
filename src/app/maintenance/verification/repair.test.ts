/** `bourse repair` on directories created by the production drivers and damaged in many ways. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { endOf, following, hashOfQuarantined, lastSeqOf, sealed } from '../../../engine/port/journal.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { openStorage } from '../../../storage/sqlite/storage.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import { audit, newRoot, writeDirectory } from './directory.fixture.ts'

const root = newRoot()
const SOUND = path.join(root, 'sound')
const BACKUP = path.join(root, 'backup')
let names = 0
let seqs: number[]

beforeAll(async () => {
  await writeDirectory(SOUND)
  expect((await audit('backup', '--data', SOUND, '--to', BACKUP)).code).toBe(0)
  using db = new Database(path.join(SOUND, 'journal.sqlite'), { readonly: true })
  seqs = db
    .prepare<{ seq: number }, []>('SELECT last_seq AS seq FROM batch ORDER BY position')
    .all()
    .map(({ seq }) => seq)
})
afterAll(() => rmSync(root, { recursive: true }))

function copy(from = SOUND): string {
  const directory = path.join(root, `directory-${++names}`)
  cpSync(from, directory, { recursive: true })
  return directory
}

function change(directory: string, ...statements: readonly string[]): void {
  using db = new Database(path.join(directory, 'journal.sqlite'))
  for (const statement of statements) db.run(statement)
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
}

/** Every file but the journal's own, with its bytes. */
function others(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name !== 'snapshots' && !name.startsWith('journal.sqlite'),
  )
  return Object.fromEntries(
    files.map((name) => [name, readFileSync(path.join(directory, name)).toString('hex')]),
  )
}

const journalOf = (directory: string): string =>
  readFileSync(path.join(directory, 'journal.sqlite')).toString('hex')

const repair = (directory: string, ...more: string[]) =>
  audit('repair', '--data', directory, '--from', BACKUP, ...more)

const at = (i: number): number => seqs.at(i) as number
const row = (i: number): string => `WHERE last_seq = ${at(i)}`

const DAMAGES: Readonly<Record<string, readonly [number, (directory: string) => void]>> = {
  'commands of a batch': [1, (to) => change(to, `UPDATE batch SET data = zeroblob(length(data)) ${row(20)}`)],
  'its hash': [1, (to) => change(to, `UPDATE batch SET hash = zeroblob(32) ${row(20)}`)],
  'the hash before': [1, (to) => change(to, `UPDATE batch SET previous_hash = x'00' ${row(20)}`)],
  'its time': [1, (to) => change(to, `UPDATE batch SET time = time + 1 ${row(20)}`)],
  'its count': [1, (to) => change(to, `UPDATE batch SET first_seq = first_seq - 1 ${row(20)}`)],
  'a count that none can have': [
    1,
    (to) => change(to, `UPDATE batch SET first_seq = last_seq + 1 ${row(20)}`),
  ],
  'the first batch': [1, (to) => change(to, `UPDATE batch SET data = x'' ${row(0)}`)],
  'the last batch, of which nothing can be read': [
    1,
    (to) => change(to, `UPDATE batch SET first_seq = last_seq + 1 ${row(-1)}`),
  ],
  'a missing row': [1, (to) => change(to, `DELETE FROM batch ${row(20)}`)],
  'rows here and there': [
    4,
    (to) =>
      change(
        to,
        `DELETE FROM batch WHERE last_seq IN (${at(3)}, ${at(4)}, ${at(50)})`,
        `UPDATE batch SET data = x'01' ${row(30)}`,
      ),
  ],
  'a row under a number far behind': [
    1,
    (to) => change(to, `UPDATE batch SET position = 1000000 ${row(20)}`),
  ],
  'the last rows, which the witness remembers': [
    2,
    (to) => change(to, `DELETE FROM batch WHERE last_seq >= ${at(-2)}`),
  ],
  'bytes of the file': [1, (to) => spoilBytes(to)],
}

/** Bytes of one batch's commands in the file itself: SQLite does not notice. */
function spoilBytes(directory: string): void {
  const file = path.join(directory, 'journal.sqlite')
  using db = new Database(file, { readonly: true })
  const [stored] = db.prepare(`SELECT hash, data FROM batch ${row(20)}`).values() as [
    Uint8Array,
    Uint8Array,
  ][]
  const bytes = readFileSync(file)
  const wanted = Buffer.concat(stored ?? [])
  let count = 0
  // A page that was split has an old copy of some rows.
  for (let start = bytes.indexOf(wanted); start >= 0; start = bytes.indexOf(wanted, start)) {
    bytes.fill(0xff, start + 34, start + 38)
    count++
  }
  expect(count).toBeGreaterThan(0)
  writeFileSync(file, bytes)
}

test('a repaired journal skips the commands that were skipped before it was damaged', async () => {
  const directory = copy()
  const { journal, witness } = openStorage({ directory })
  const [batch] = await journal.read(at(9) as Seq, 1)
  if (batch === undefined) throw new Error('the fixture has batches')
  const entries = [batch.firstSeq, lastSeqOf(batch)].map((seq) => ({
    seq,
    check: hashOfQuarantined(sha256, batch.hash, seq),
  }))
  for (const entry of new Map(entries.map((one) => [one.seq, one])).values()) await journal.quarantine(entry)
  const before = [...(await journal.quarantined())]
  expect(before.length).toBeGreaterThan(0)
  witness.close()
  await journal.close()
  change(directory, `UPDATE batch SET data = zeroblob(length(data)) ${row(20)}`)
  expect((await repair(directory, '--yes')).code).toBe(0)
  const after = openStorage({ directory })
  expect([...(await after.journal.quarantined())]).toEqual(before)
  after.witness.close()
  await after.journal.close()
})

for (const [what, [damaged, damage]] of Object.entries(DAMAGES)) {
  test(`${what}: named, repaired from the backup, and nothing else is touched`, async () => {
    const directory = copy()
    damage(directory)
    const [before, spoiled] = [others(directory), journalOf(directory)]
    const planned = await repair(directory, '--json')
    expect([planned.code, planned.err]).toEqual([1, ''])
    expect(JSON.parse(planned.out)).toMatchObject({ seq: at(-1), repaired: damaged, done: false })
    expect([others(directory), journalOf(directory)]).toEqual([before, spoiled])

    const done = await repair(directory, '--yes')
    expect([done.code, done.err]).toEqual([0, ''])
    expect(done.out).toContain(`Repaired: ${damaged} of ${seqs.length} batches`)
    expect(others(directory)).toEqual(before)
    expect(readFileSync(path.join(directory, 'journal.sqlite.damaged')).toString('hex')).toBe(spoiled)
    expect((await audit('verify', '--data', directory)).out).toEndWith('Sound.\n')
    expect((await repair(directory)).out).toStartWith('Nothing to repair')
    await openStorage({ directory }).journal.close()
  })
}

/** A repair that must be refused with `message`, dry or not, and leaves every byte as it was. */
async function expectRefused(
  directory: string,
  backup: string,
  code: number,
  message: string,
): Promise<void> {
  const before = [others(directory), journalOf(directory)]
  for (const more of [[], ['--yes']]) {
    const refused = await audit('repair', '--data', directory, '--from', backup, ...more)
    expect([refused.code, refused.out]).toEqual([code, ''])
    expect(refused.err).toContain(message)
  }
  expect([others(directory), journalOf(directory)]).toEqual(before)
  expect(existsSync(path.join(directory, 'journal.sqlite.damaged'))).toBe(false)
}

test('a sound journal is left as it is', async () => {
  const directory = copy()
  const before = journalOf(directory)
  expect((await repair(directory, '--yes')).code).toBe(0)
  expect(journalOf(directory)).toBe(before)
})

test('what came after the backup stays, and damage there is refused', async () => {
  const directory = copy()
  await append(directory)
  change(directory, `UPDATE batch SET data = x'01' ${row(20)}`)
  const done = await repair(directory, '--yes', '--json')
  expect(JSON.parse(done.out)).toMatchObject({ seq: at(-1) + 1, repaired: 1, done: true })
  change(directory, `UPDATE batch SET time = time + 1 WHERE last_seq = ${at(-1) + 1}`)
  rmSync(path.join(directory, 'journal.sqlite.damaged'))
  await expectRefused(directory, BACKUP, 1, `the backup ends at command ${at(-1)}: use a later backup`)
})

test('a backup of another fork of the exchange is refused, also where damage would hide it', async () => {
  const other = copy()
  change(other, `DELETE FROM batch WHERE last_seq >= ${at(-1)}`)
  for (const name of ['journal.witness', 'snapshots']) rmSync(path.join(other, name), { recursive: true })
  await append(other)
  change(other, `UPDATE batch SET data = x'01' ${row(20)}`)
  await expectRefused(other, BACKUP, 1, 'of another fork of this one')
})

test('a journal that was truncated on purpose does not grow again', async () => {
  const directory = copy()
  change(directory, `DELETE FROM batch WHERE last_seq > ${at(20)}`)
  rmSync(path.join(directory, 'snapshots'), { recursive: true })
  const storage = openStorage({ directory })
  storage.witness.reset(storage.journal.tail)
  storage.witness.close()
  await storage.journal.close()
  await expectRefused(directory, BACKUP, 1, `ends at command ${at(20)}`)
})

test('a journal that has lost what the witness remembers beyond the backup is refused', async () => {
  const directory = copy()
  await append(directory)
  change(
    directory,
    `DELETE FROM batch WHERE last_seq > ${at(-1)}`,
    `UPDATE batch SET data = x'01' ${row(20)}`,
  )
  await expectRefused(directory, BACKUP, 1, `the witness file is at command ${at(-1) + 1}`)
})

test('a damaged backup, a file that is no backup, and a running node are refused', async () => {
  const directory = copy()
  change(directory, `UPDATE batch SET data = x'01' ${row(20)}`)
  const damaged = copy(BACKUP)
  change(damaged, `UPDATE batch SET data = x'01' ${row(30)}`)
  await expectRefused(directory, damaged, 1, 'its contents have hash')
  await expectRefused(directory, SOUND, 2, 'is not a complete backup')
  const storage = openStorage({ directory: copy() })
  await storage.journal.close()
  const running = copy()
  const { journal } = openStorage({ directory: running })
  expect(await repair(running, '--yes')).toMatchObject({
    code: 2,
    err: expect.stringContaining('stop it first'),
  })
  await journal.close()
})

test('files that an earlier repair has set aside are not overwritten, and are named', async () => {
  const directory = copy()
  change(directory, `UPDATE batch SET data = x'01' ${row(20)}`)
  const aside = path.join(directory, 'journal.sqlite.damaged')
  writeFileSync(aside, 'of another day')
  const before = journalOf(directory)
  const refused = await repair(directory, '--yes')
  expect([refused.code, refused.out]).toEqual([2, ''])
  expect(refused.err).toContain(`${aside} exists from an earlier repair`)
  expect([journalOf(directory), readFileSync(aside, 'utf8')]).toEqual([before, 'of another day'])
})

test('what a node that starts during a repair makes durable is never lost', async () => {
  const directory = copy()
  change(directory, `UPDATE batch SET data = x'01' ${row(20)}`)
  let isOver = false
  const repaired = untilRepaired(directory).finally(() => {
    isOver = true
  })
  let appended = 0
  let refused = 0
  for (let turn = 0; !isOver; turn++) {
    try {
      await append(directory)
      appended++
    } catch (cause) {
      expect((cause as Error).message).toContain('is in use')
      refused++
    }
    // After every step of the repair, sometimes with other work in between.
    await (turn % 1000 === 999 ? new Promise(setImmediate) : undefined)
  }
  expect([(await repaired).code, refused > 0]).toEqual([0, true])
  using db = new Database(path.join(directory, 'journal.sqlite'), { readonly: true })
  const [count] = db.prepare('SELECT count(*) FROM batch').values()[0] as number[]
  expect(count).toBe(seqs.length + appended)
})

/** Retries if a node has the directory open at the moment: then nothing was changed. */
async function untilRepaired(directory: string): ReturnType<typeof repair> {
  for (;;) {
    const done = await repair(directory, '--yes')
    if (done.code === 0 || !/is in use|stop it first/.test(done.err)) return done
  }
}

/** Appends one more intact batch. */
async function append(directory: string): Promise<void> {
  const { journal, witness } = openStorage({ directory })
  const { tail } = journal
  const batch = sealed(sha256, {
    ...following(tail),
    kind: 'COMMANDS',
    count: 1,
    time: (tail.time + 1) as TimeMs,
    data: new Uint8Array([1, 0, 0, 0, 7]),
  })
  await journal.append(batch)
  witness.reset(endOf(batch))
  witness.close()
  await journal.close()
}
