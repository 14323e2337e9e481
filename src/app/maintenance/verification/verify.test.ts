/** Damage of every kind is found and reported; intact data is not reported. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { NO_EVENTS } from '../../../core/events/event.ts'
import { Exchange } from '../../../core/exchange/exchange.ts'
import { hashOfBatch } from '../../../engine/port/journal.ts'
import type { Snapshot } from '../../../engine/port/snapshots.ts'
import { account } from '../../../engine/writer/commands.fixture.ts'
import { FileWitness } from '../../../storage/files/witness.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { openSnapshots } from '../../../storage/sqlite/storage.ts'
import { type Seq, seq, timeMs } from '../../../units/quantities.ts'
import { audit, soundDirectories, writeDirectory } from './directory.fixture.ts'
import { Progress } from './progress.ts'
import { replayAudited } from './replayed.ts'
import { batchInTheMiddle, change, findings, verify } from './verify.fixture.ts'

const { root, sound: SOUND, copy } = soundDirectories()

beforeAll(() => writeDirectory(SOUND))
afterAll(() => rmSync(root, { recursive: true }))

describe('a sound directory', () => {
  test('is found sound, its snapshots are reached and its history matches the ledger', async () => {
    const report = await verify(SOUND)
    expect(report).toMatchObject({ code: 0, sound: true, findings: [] })
    expect(report.replayedSeq).toBe(report.seq)
    expect(report.snapshots.length).toBe(3)
    expect(report.history?.seq).toBe(report.seq)
    expect(report.history?.trades).toBeGreaterThan(80)
  })

  test('is not changed by the verification', async () => {
    const directory = copy()
    const before = filesOf(directory)
    await verify(directory)
    expect(filesOf(directory)).toEqual(before)
  })

  test('is reported as a table', async () => {
    const { code, out } = await audit('verify', '--data', SOUND)
    expect(code).toBe(0)
    expect(out).toContain('CHECK       RESULT  WHAT')
    expect(out).toMatch(/^journal +ok /m)
    expect(out).toMatch(/^BTC +0\.00000000 +200\.00000000 +\d+\.\d{8} +0 +0 +ok$/m)
    expect(out.trimEnd().split('\n').at(-1)).toBe('Sound.')
  })

  test('may lack its history or its snapshots', async () => {
    const directory = copy()
    rmSync(path.join(directory, 'history.sqlite'))
    rmSync(path.join(directory, 'snapshots'), { recursive: true })
    const report = await verify(directory)
    expect(report).toMatchObject({ sound: true, history: null, snapshots: [] })
  })
})

function filesOf(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  )
  const files = names.map(({ parentPath, name }) => path.join(parentPath, name)).sort()
  return Object.fromEntries(files.map((file) => [file, String(Bun.hash(readFileSync(file)))]))
}

describe('the journal', () => {
  test('a changed byte of a command is found, and named by its batch; nothing after it is replayed', async () => {
    const directory = copy()
    const { last_seq: seq, first_seq, data } = batchInTheMiddle(directory)
    const count = seq - first_seq + 1
    data[data.length - 1] = (data.at(-1) ?? 0) ^ 1
    change(directory, 'journal', 'UPDATE batch SET data = ? WHERE last_seq = ?', data, seq)
    const report = await verify(directory)
    expect(report.findings[0]?.check).toBe('JOURNAL')
    expect(report.findings[0]?.message).toContain(
      `batch ${seq - count + 1} to ${seq} of the journal: its contents`,
    )
    expect(report.replayedSeq).toBe(seq - count)
  })

  test('a forged batch with a valid hash of its own is found by the next one', async () => {
    const directory = copy()
    const { position, first_seq, last_seq: last, time, previous_hash, data } = batchInTheMiddle(directory)
    data[data.length - 1] = (data.at(-1) ?? 0) ^ 1
    const forged = {
      position,
      epoch: 0,
      kind: 'COMMANDS' as const,
      firstSeq: seq(first_seq),
      count: last - first_seq + 1,
      time: timeMs(time),
      previousHash: previous_hash,
      data,
    }
    change(
      directory,
      'journal',
      'UPDATE batch SET data = ?, hash = ? WHERE last_seq = ?',
      data,
      hashOfBatch(sha256, forged),
      last,
    )
    const found = await findings(directory)
    expect(found.join('\n')).toMatch(
      new RegExp(`JOURNAL: batch ${last + 1} to \\d+ of the journal: expected it to follow hash`),
    )
  })

  test('a missing batch is found by the next one', async () => {
    const directory = copy()
    const { last_seq: last, first_seq } = batchInTheMiddle(directory)
    change(directory, 'journal', 'DELETE FROM batch WHERE last_seq = ?', last)
    expect((await findings(directory))[0]).toContain(`JOURNAL: batch ${last + 1} to`)
    expect((await findings(directory))[0]).toContain(`expected it to start at command ${first_seq}`)
  })

  test('every damaged batch is counted', async () => {
    const directory = copy()
    change(directory, 'journal', 'UPDATE batch SET time = time + 1 WHERE last_seq IN (3, 5, 9)')
    expect((await findings(directory)).filter((finding) => finding.startsWith('JOURNAL'))).toHaveLength(3)
  })

  test('a lost end is found by everything that remembers it', async () => {
    const directory = copy()
    const { seq: end } = await verify(directory)
    change(directory, 'journal', 'DELETE FROM batch WHERE last_seq > ?', end - 10)
    const found = (await findings(directory)).join('\n')
    for (const who of ['the witness file', `snapshot ${end}`, 'history']) {
      expect(found).toContain(`WITNESS: ${who} is at command ${end}, but the journal ends at`)
    }
  })

  test('a row that the program cannot have written is named', async () => {
    const directory = copy()
    change(directory, 'journal', 'UPDATE batch SET first_seq = 6 WHERE last_seq = 5')
    expect((await findings(directory))[0]).toContain('JOURNAL: after command 4 of')
    expect((await findings(directory))[0]).toContain('it has commands 6 to 5')
  })

  test('a quarantine that names the wrong command is found', async () => {
    const directory = copy()
    change(directory, 'journal', 'INSERT INTO quarantine VALUES (7, ?)', new Uint8Array(32))
    expect(await findings(directory)).toContain(
      "QUARANTINE: the quarantine of command 7 does not belong to the journal's command 7",
    )
    change(directory, 'journal', 'UPDATE quarantine SET seq = 99999')
    expect(await findings(directory)).toContain(
      'QUARANTINE: the quarantine contains command 99999, which the journal does not have',
    )
  })

  test('a file that is not a database is a finding, a missing one is not', async () => {
    const directory = copy()
    writeFileSync(path.join(directory, 'journal.sqlite'), 'x'.repeat(8192))
    expect(await audit('verify', '--data', directory)).toMatchObject({ code: 1, out: '' })
    rmSync(path.join(directory, 'journal.sqlite'))
    const gone = await audit('verify', '--data', directory)
    expect(gone).toMatchObject({ code: 2, out: '' })
    expect(gone.err).toContain('has no journal')
  })
})

describe('the witness', () => {
  test('that is missing, unreadable, half damaged or of another journal is found', async () => {
    const directory = copy()
    const file = path.join(directory, 'journal.witness')
    const whole = readFileSync(file)
    rmSync(file)
    expect((await findings(directory)).join()).toContain('its witness file is missing')
    writeFileSync(file, new Uint8Array(whole.length))
    expect((await findings(directory)).join()).toContain('WITNESS: the witness file cannot be read')
    const half = Buffer.from(whole)
    half[20] = (half[20] ?? 0) ^ 1
    writeFileSync(file, half)
    expect((await findings(directory)).join()).toContain('journal.witness is wrong')
    rmSync(file)
    const other = new FileWitness(file, sha256)
    other.reset({ position: 20, epoch: 0, seq: 20 as Seq, hash: new Uint8Array(32).fill(7) })
    other.close()
    expect((await findings(directory)).join()).toMatch(
      /WITNESS: the witness file has hash (07)+ at command 20/,
    )
  })
})

describe('snapshots', () => {
  test('with a flipped bit are found, whatever it hits', async () => {
    const directory = copy()
    const [name] = readdirSync(path.join(directory, 'snapshots'))
    const file = path.join(directory, 'snapshots', name as string)
    const whole = readFileSync(file)
    for (const at of [3, 20, 60, whole.length - 5]) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ 16
      writeFileSync(file, damaged)
      expect((await findings(directory)).join()).toContain('SNAPSHOT: ')
    }
  })

  test('with another state than the journal leads to are found', async () => {
    const directory = copy()
    const snapshots = openSnapshots(directory)
    const { heads } = await snapshots.list()
    const sound = (await snapshots.load(heads[1] as never)) as Snapshot
    // A state with one command replaced by another: complete, with the right number of commands, but wrong.
    const other = Exchange.decodeSnapshot(await payloadBefore(sound.seq))
    other.apply(account('mallory'), sound.time, NO_EVENTS)
    const payload = other.encodeSnapshot()
    rmSync(path.join(directory, 'snapshots', `${sound.seq}.snapshot`))
    await snapshots.save({ ...sound, payload, stateHash: sha256([payload]) })
    expect((await findings(directory))[0]).toStartWith(
      `SNAPSHOT: the states after command ${sound.seq} differ`,
    )
  })
})

/** The state one command before `wanted`, from the intact directory. */
async function payloadBefore(wanted: Seq): Promise<Uint8Array> {
  const host = {
    print() {},
    printError() {},
    terminal: undefined,
    defaultData: undefined,
    version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
    monotonicMs: () => 0,
    nowMs: () => 0,
  }
  const until = { kind: 'seq', seq: wanted - 1 } as const
  const { exchange } = await replayAudited({
    audited: { kind: 'DIRECTORY', directory: SOUND },
    host,
    progress: new Progress(host, ''),
    until,
    take: () => {},
  })
  return exchange.encodeSnapshot()
}

describe('what cannot be verified', () => {
  test('is reported with exit code 2: a missing directory, an unknown option', async () => {
    expect(await audit('verify', '--data', path.join(root, 'nowhere'))).toMatchObject({ code: 2, out: '' })
    expect(await audit('verify')).toMatchObject({ code: 2 })
    expect(await audit('verify', '--data', SOUND, '--fast')).toMatchObject({ code: 2 })
    expect((await audit('verify', '--help')).out).toContain('Usage: bourse verify --data DIR')
    expect(existsSync(path.join(root, 'nowhere'))).toBe(false)
  })
})
