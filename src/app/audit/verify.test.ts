/** Damage of every kind is found and named; what is sound is not suspected. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Exchange } from '../../core/exchange/exchange.ts'
import { sha256 } from '../../drivers/crypto/sha256.ts'
import { FileWitness } from '../../drivers/files/witness.ts'
import { openSnapshots } from '../../drivers/sqlite/storage.ts'
import { account } from '../../engine/commands.contract.ts'
import { hashOfBatch } from '../../engine/journal.ts'
import { NO_EVENTS } from '../../engine/replay.ts'
import type { Snapshot } from '../../engine/snapshots.ts'
import { type Seq, seq, timeMs } from '../../units/quantities.ts'
import { audit, newRoot, writeDirectory } from './directory.contract.ts'
import { Progress } from './progress.ts'
import { replayDirectory } from './replayed.ts'

const root = newRoot()
const SOUND = path.join(root, 'sound')
let copies = 0

beforeAll(() => writeDirectory(SOUND))
afterAll(() => rmSync(root, { recursive: true }))

function copy(): string {
  const directory = path.join(root, `copy-${++copies}`)
  cpSync(SOUND, directory, { recursive: true })
  return directory
}

type Report = {
  readonly sound: boolean
  readonly seq: number
  readonly replayedSeq: number
  readonly stateHash: string
  readonly snapshots: readonly number[]
  readonly history: { readonly seq: number; readonly trades: number } | null
  readonly findingsTotal: number
  readonly findings: readonly { readonly check: string; readonly message: string }[]
}

async function verify(directory: string): Promise<Report & { readonly code: number }> {
  const { code, out, err } = await audit('verify', '--data', directory, '--json')
  expect(err).toBe('')
  return { code, ...(JSON.parse(out) as Report) }
}

/** Changes a database of `directory` by SQL. */
function change(
  directory: string,
  file: 'journal' | 'history',
  sql: string,
  ...values: (number | Uint8Array | string)[]
): void {
  const db = new Database(path.join(directory, `${file}.sqlite`))
  const { changes } = db.run(sql, values)
  expect(changes).toBeGreaterThan(0)
  db.close(true)
}

function rows<Row>(directory: string, file: 'journal' | 'history', sql: string): Row[] {
  const db = new Database(path.join(directory, `${file}.sqlite`), { readonly: true })
  using statement = db.prepare<Row, []>(sql)
  const found = statement.all()
  statement.finalize()
  db.close(true)
  return found
}

/** The findings as `CHECK: message`, after checking that they are what makes the command fail. */
async function findings(directory: string): Promise<string[]> {
  const report = await verify(directory)
  expect(report.code).toBe(report.findingsTotal === 0 ? 0 : 1)
  expect(report.sound).toBe(report.code === 0)
  return report.findings.map(({ check, message }) => `${check}: ${message}`)
}

describe('a sound directory', () => {
  test("is found sound, its snapshots are reached and its history is the ledger's", async () => {
    const report = await verify(SOUND)
    expect(report).toMatchObject({ code: 0, sound: true, findings: [] })
    expect(report.replayedSeq).toBe(report.seq)
    expect(report.snapshots.length).toBe(3)
    expect(report.history?.seq).toBe(report.seq)
    expect(report.history?.trades).toBeGreaterThan(80)
  })

  test('is not changed by being verified', async () => {
    const directory = copy()
    const before = filesOf(directory)
    await verify(directory)
    expect(filesOf(directory)).toEqual(before)
  })

  test('is reported as a table to people', async () => {
    const { code, out } = await audit('verify', '--data', SOUND)
    expect(code).toBe(0)
    expect(out).toContain('CHECK       RESULT  WHAT')
    expect(out).toMatch(/^journal +ok /m)
    expect(out).toMatch(/^BTC +0\.00000000 +200\.00000000 +\d+\.\d{8} +0 +0 +ok$/m)
    expect(out.trimEnd().split('\n').at(-1)).toBe('Sound.')
  })

  test('may have a history that is behind, as a kill leaves it; what is there is compared', async () => {
    const directory = copy()
    const { seq: behind, hash } = batchInTheMiddle(directory)
    const sql = `SELECT max(trade_number) AS last, count(*) AS count FROM trade WHERE seq <= ${behind}`
    const [kept] = rows<{ last: number; count: number }>(directory, 'history', sql)
    change(directory, 'history', 'DELETE FROM trade WHERE seq > ?', behind)
    change(directory, 'history', 'DELETE FROM record WHERE trade_number > ?', kept?.last ?? 0)
    movePosition(directory, behind, hash)
    const report = await verify(directory)
    expect(report).toMatchObject({ sound: true, history: { seq: behind, trades: kept?.count } })
    expect(report.replayedSeq).toBeGreaterThan(behind)
    change(directory, 'history', 'DELETE FROM trade WHERE trade_number = 2')
    expect(await findings(directory)).toHaveLength(1)
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

type BatchRow = {
  seq: number
  count: number
  time: number
  previous_hash: Uint8Array
  hash: Uint8Array
  data: Uint8Array
}

function batchInTheMiddle(directory: string): BatchRow {
  const batches = rows<BatchRow>(directory, 'journal', 'SELECT * FROM batch ORDER BY seq')
  return batches[Math.floor(batches.length / 2)] as BatchRow
}

describe('the journal', () => {
  test('a changed byte of a command is found, and named by its batch; nothing behind it is replayed', async () => {
    const directory = copy()
    const { seq, count, data } = batchInTheMiddle(directory)
    data[data.length - 1] = (data.at(-1) ?? 0) ^ 1
    change(directory, 'journal', 'UPDATE batch SET data = ? WHERE seq = ?', data, seq)
    const report = await verify(directory)
    expect(report.findings[0]?.check).toBe('JOURNAL')
    expect(report.findings[0]?.message).toContain(
      `batch ${seq - count + 1} to ${seq} of the journal: its contents`,
    )
    expect(report.replayedSeq).toBe(seq - count)
  })

  test('a batch forged together with its own hash is found by the one behind it', async () => {
    const directory = copy()
    const { seq: last, count, time, previous_hash, data } = batchInTheMiddle(directory)
    data[data.length - 1] = (data.at(-1) ?? 0) ^ 1
    const forged = {
      firstSeq: seq(last - count + 1),
      count,
      time: timeMs(time),
      previousHash: previous_hash,
      data,
    }
    change(
      directory,
      'journal',
      'UPDATE batch SET data = ?, hash = ? WHERE seq = ?',
      data,
      hashOfBatch(sha256, forged),
      last,
    )
    const found = await findings(directory)
    expect(found.join('\n')).toMatch(
      new RegExp(`JOURNAL: batch ${last + 1} to \\d+ of the journal: expected it to follow hash`),
    )
  })

  test('a batch that is gone is found by the one behind it', async () => {
    const directory = copy()
    const { seq: last, count } = batchInTheMiddle(directory)
    change(directory, 'journal', 'DELETE FROM batch WHERE seq = ?', last)
    expect((await findings(directory))[0]).toContain(`JOURNAL: batch ${last + 1} to`)
    expect((await findings(directory))[0]).toContain(`expected it to start at command ${last - count + 1}`)
  })

  test('every damaged batch is counted', async () => {
    const directory = copy()
    change(directory, 'journal', 'UPDATE batch SET time = time + 1 WHERE seq IN (3, 5, 9)')
    expect((await findings(directory)).filter((finding) => finding.startsWith('JOURNAL'))).toHaveLength(3)
  })

  test('a lost end is found by all that remember it', async () => {
    const directory = copy()
    const { seq: end } = await verify(directory)
    change(directory, 'journal', 'DELETE FROM batch WHERE seq > ?', end - 10)
    const found = (await findings(directory)).join('\n')
    for (const who of ['the witness file', `snapshot ${end}`, 'history']) {
      expect(found).toContain(`WITNESS: ${who} remembers command ${end}, the journal ends at`)
    }
  })

  test('a row that cannot be one of ours is named', async () => {
    const directory = copy()
    change(directory, 'journal', 'UPDATE batch SET count = 0 WHERE seq = 5')
    expect((await findings(directory))[0]).toContain('JOURNAL: after command 4 of')
    expect((await findings(directory))[0]).toContain('batch up to 5: it has 0 commands')
  })

  test('a quarantine that names the wrong command is found', async () => {
    const directory = copy()
    change(directory, 'journal', 'INSERT INTO quarantine VALUES (7, ?)', new Uint8Array(32))
    expect(await findings(directory)).toContain(
      "QUARANTINE: the quarantine of command 7 does not belong to the journal's command 7",
    )
    change(directory, 'journal', 'UPDATE quarantine SET seq = 99999')
    expect(await findings(directory)).toContain(
      'QUARANTINE: the quarantine names command 99999, which the journal does not have',
    )
  })

  test('a file that is no database is a finding, one that is not there is not', async () => {
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
  test('one that is gone, unreadable, half damaged or of another journal is found', async () => {
    const directory = copy()
    const file = path.join(directory, 'journal.witness')
    const whole = readFileSync(file)
    rmSync(file)
    expect((await findings(directory)).join()).toContain('the witness file that goes with it is gone')
    writeFileSync(file, new Uint8Array(whole.length))
    expect((await findings(directory)).join()).toContain('WITNESS: the witness file cannot be read')
    const half = Buffer.from(whole)
    half[20] = (half[20] ?? 0) ^ 1
    writeFileSync(file, half)
    expect((await findings(directory)).join()).toContain('lacks its checksum')
    rmSync(file)
    const other = new FileWitness(file, sha256)
    other.reset({ seq: 20 as Seq, hash: new Uint8Array(32).fill(7) })
    other.close()
    expect((await findings(directory)).join()).toMatch(
      /WITNESS: the witness file remembers hash (07)+ at command 20/,
    )
  })
})

describe('snapshots', () => {
  test('a flipped bit in one is found, whatever it hits', async () => {
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

  test('one that holds another state than the journal leads to is found', async () => {
    const directory = copy()
    const snapshots = openSnapshots(directory)
    const { heads } = await snapshots.list()
    const sound = (await snapshots.load(heads[1] as never)) as Snapshot
    // The state of one command less and one other: whole, of the right length of life, and wrong.
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

/** The state one command before `wanted`, from the sound directory. */
async function payloadBefore(wanted: Seq): Promise<Uint8Array> {
  const host = {
    print() {},
    printError() {},
    terminal: undefined,
    defaultData: undefined,
    version: '',
    monotonicMs: () => 0,
    nowMs: () => 0,
  }
  const until = { kind: 'seq', seq: wanted - 1 } as const
  const { exchange } = await replayDirectory({
    directory: SOUND,
    host,
    progress: new Progress(host, ''),
    until,
    take: () => {},
  })
  return exchange.encodeSnapshot()
}

/** Changes a row as someone would who knows how rows are checked. */
function forge(
  directory: string,
  table: 'record' | 'trade',
  where: string,
  column: string,
  value: number | string,
): void {
  const [row] = rows<Record<string, number | string>>(
    directory,
    'history',
    `SELECT * FROM ${table} WHERE ${where} LIMIT 1`,
  )
  if (row === undefined) throw new Error(`no row where ${where}`)
  row[column] = value
  const columns =
    table === 'trade'
      ? ['symbol', 'seq', 'trade_number', 'price', 'quantity', 'time_ms']
      : [
          'account',
          'n',
          'm',
          'trade_number',
          'time_ms',
          'symbol',
          'side',
          'order_number',
          'order_time_ms',
          'price',
          'quantity',
          'total',
          'commission',
          'commission_asset',
        ]
  const check = Bun.hash.crc32(columns.map((name) => row[name]).join())
  change(
    directory,
    'history',
    `UPDATE ${table} SET ${column} = ?, row_check = ? WHERE ${where}`,
    value,
    check,
  )
}

/** Says that history reaches command `at`, with a fitting check. */
function movePosition(directory: string, at: number, hash: Uint8Array): void {
  const check = Bun.hash.crc32([at, hash].join())
  change(
    directory,
    'history',
    'UPDATE position SET seq = ?, journal_hash = ?, row_check = ?',
    at,
    hash,
    check,
  )
}

describe('history', () => {
  test('a changed figure is found although its row has a fitting check', async () => {
    const directory = copy()
    forge(directory, 'record', 'account = 3 AND n = 5', 'total', '1')
    forge(directory, 'trade', 'symbol = 0 AND trade_number = 9', 'quantity', 1)
    const found = (await findings(directory)).join('\n')
    expect(found).toMatch(/HISTORY: record 5 of alice \(trade \d+\): total is 1, the ledger has \d+/)
    expect(found).toMatch(/HISTORY: trade 9 of BTC\/USDT \(command \d+\): quantity is 1, the ledger has \d+/)
    expect(await findings(directory)).toHaveLength(2)
  })

  test('a damaged row is found by its check', async () => {
    const directory = copy()
    change(directory, 'history', 'UPDATE record SET commission = 5 WHERE account = 4 AND n = 2')
    change(directory, 'history', 'UPDATE trade SET price = 5 WHERE trade_number = 3')
    const found = (await findings(directory)).join('\n')
    expect(found).toMatch(/HISTORY: record 2 of bob \(trade \d+\): a row has check/)
    expect(found).toMatch(/HISTORY: trade 3 of \S+ \(command \d+\): a row has check/)
  })

  test('a missing trade and a missing record are named', async () => {
    const directory = copy()
    change(directory, 'history', 'DELETE FROM trade WHERE trade_number IN (1, 10)')
    change(directory, 'history', 'DELETE FROM record WHERE account = 3 AND n = 4')
    const found = (await findings(directory)).join('\n')
    expect(found).toMatch(/HISTORY: trade 1 of \S+ \(command \d+\) is missing/)
    expect(found).toMatch(/HISTORY: trade 10 of \S+ \(command \d+\) is missing/)
    expect(found).toMatch(/HISTORY: record 4 of alice \(trade \d+\) is missing/)
    expect(await findings(directory)).toHaveLength(3)
  })

  test('a trade or record that never was is named, wherever it stands', async () => {
    for (const [at, number] of [
      [1, 7],
      [40, 5_000],
      [9_999, 5_000],
    ]) {
      const directory = copy()
      change(
        directory,
        'history',
        `INSERT INTO trade SELECT symbol, ${at}, ${number}, price, quantity, time_ms, row_check FROM trade WHERE trade_number = 2`,
      )
      const [only, ...others] = await findings(directory)
      expect(only).toMatch(
        new RegExp(
          `HISTORY: trade ${number} of \\S+ \\(command ${at}\\) stands in history, the journal caused no such trade`,
        ),
      )
      expect(others).toEqual([])
    }
    const directory = copy()
    change(
      directory,
      'history',
      'INSERT INTO record SELECT 6, 1, symbol, 1, trade_number, time_ms, side, order_number, order_time_ms, price, quantity, total, commission, commission_asset, row_check FROM record WHERE account = 3 AND n = 1',
    )
    expect(await findings(directory)).toEqual([
      'HISTORY: carol has records up to 1 (1 in all), the journal caused 0',
    ])
  })

  test('records that have changed places are found', async () => {
    const directory = copy()
    forge(directory, 'record', 'account = 3 AND n = 3', 'm', 900)
    expect((await findings(directory)).join()).toMatch(
      /record 3 of alice \(trade \d+\) is number 900 in its symbol, expected \d/,
    )
  })

  test('a position of another journal, or in the middle of a batch, is found', async () => {
    const directory = copy()
    const { seq: end } = await verify(directory)
    movePosition(directory, end, new Uint8Array(32))
    expect((await findings(directory)).join()).toMatch(
      new RegExp(`WITNESS: history remembers hash 0+ at command ${end}`),
    )
    movePosition(directory, end + 1, new Uint8Array(32))
    expect((await findings(directory)).join()).toContain(
      `WITNESS: history remembers command ${end + 1}, the journal ends at ${end}`,
    )
  })

  test('a damaged file is a finding, and the rest is verified all the same', async () => {
    const directory = copy()
    const file = path.join(directory, 'history.sqlite')
    const bytes = readFileSync(file)
    bytes.fill(0xff, 4096)
    writeFileSync(file, bytes)
    const report = await verify(directory)
    expect(report.findings[0]?.check).toBe('HISTORY')
    expect(report.replayedSeq).toBe(report.seq)
  })

  test('an index that does not agree with its records is found', async () => {
    const directory = copy()
    const sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'record_of_symbol'"
    const [index] = rows<{ rootpage: number }>(directory, 'history', sql)
    const file = path.join(directory, 'history.sqlite')
    const bytes = readFileSync(file)
    // The last byte of a page belongs to an entry, the first one that was put there.
    const at = (index?.rootpage ?? 0) * 4096 - 1
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(file, bytes)
    expect((await findings(directory)).join()).toContain('HISTORY: its file: ')
  })
})

describe('what cannot be verified', () => {
  test('is told with exit code 2: a directory that is not there, an option that is none', async () => {
    expect(await audit('verify', '--data', path.join(root, 'nowhere'))).toMatchObject({ code: 2, out: '' })
    expect(await audit('verify')).toMatchObject({ code: 2 })
    expect(await audit('verify', '--data', SOUND, '--fast')).toMatchObject({ code: 2 })
    expect((await audit('verify', '--help')).out).toContain('Usage: bourse verify --data DIR')
    expect(existsSync(path.join(root, 'nowhere'))).toBe(false)
  })
})
