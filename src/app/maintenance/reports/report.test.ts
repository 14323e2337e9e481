/** `bourse report` on a journal of two weeks, with some days on which nothing happens. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { MadeUpExchange } from '../../../../test/support/made-up-exchange.ts'
import { SUBJECTS } from '../../../cli/completion.ts'
import { hexOf, type Tail } from '../../../engine/port/journal.ts'
import { audit, newRoot } from '../verification/directory.fixture.ts'
import { auditCommand } from '../verification/run.ts'
import { writeJournal } from './journal.fixture.ts'
import { REPORT_KINDS } from './kinds.ts'

const root = newRoot()
const DATA = path.join(root, 'data')
const made = new MadeUpExchange(3)
const days = [...made.closings.keys()]
const LAST_DAY = days.at(-1) ?? ''
/** The first day on which nothing happens. */
const quiet = days.find((day) => !made.batches.some(({ time }) => dayText(time) === day)) ?? ''
const KINDS = Object.keys(REPORT_KINDS)
let tails: Tail[] = []

beforeAll(async () => {
  tails = await writeJournal(DATA, made.batches)
})
afterAll(() => rmSync(root, { recursive: true }))

function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

type Row = Readonly<Record<string, string | number>>
type Read = { readonly head: Row; readonly rows: readonly Row[]; readonly end: Row }

/** A report as JSON. */
async function read(kind: string, ...line: string[]): Promise<Read> {
  const { code, out, err } = await audit('report', kind, '--data', DATA, '--format', 'json', ...line)
  expect([code, err]).toEqual([0, ''])
  const lines = out
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as Record<string, Row>)
  const [first, last] = [lines[0]?.report, lines.at(-1)?.end]
  expect([first === undefined, last === undefined]).toEqual([false, false])
  return { head: first as Row, rows: lines.slice(1, -1) as unknown as Row[], end: last as Row }
}

describe('the scope of a report', () => {
  test('is in its first line, and where it ends in its last', async () => {
    const [zeros, first, last] = ['0'.repeat(64), tails[0], tails.at(-1)]
    for (const kind of KINDS) {
      const { head, rows, end } = await read(kind)
      const journal = hexOf(first?.hash as Uint8Array)
      const before = kind === 'balances' ? {} : { afterCommand: 0, afterHash: zeros }
      expect(head).toEqual({ report: kind, format: 1, journal, ...before })
      const { stateHash, time: _, ...rest } = end
      const [command, journalHash] = [last?.seq as number, hexOf(last?.hash as Uint8Array)]
      expect(rest).toEqual({ rows: rows.length, command, batchEnd: command, journalHash, isFinal: 'no' })
      const replayed = await audit('replay', '--data', DATA, '--json')
      expect(stateHash).toBe(JSON.parse(replayed.out).stateHash)
    }
  })

  test('a period begins after the last command of the day before, and is final once the journal goes on', async () => {
    const before = tails.findLast(({ time }) => dayText(time) < quiet) as Tail
    const { head, end } = await read('statements', '--from', quiet, '--to', quiet)
    expect(head).toMatchObject({
      from: quiet,
      to: quiet,
      afterCommand: before.seq,
      afterHash: hexOf(before.hash),
    })
    expect(end).toMatchObject({ command: before.seq, journalHash: hexOf(before.hash), isFinal: 'yes' })
    expect((await read('fees', '--to', LAST_DAY)).end).toMatchObject({ isFinal: 'no' })
  })

  test('the same journal gives the same bytes, also from a backup', async () => {
    const backup = path.join(root, 'backup')
    expect((await audit('backup', '--data', DATA, '--to', backup)).code).toBe(0)
    for (const kind of KINDS) {
      const [here, again, there] = [DATA, DATA, backup].map((data) => audit('report', kind, '--data', data))
      const wanted = await here
      expect(await again).toEqual(wanted)
      expect(await there).toEqual(wanted)
    }
  })

  test('rows of CSV have the fields of those of JSON', async () => {
    for (const kind of KINDS) {
      const { rows } = await read(kind, '--account', 'alice')
      const { out } = await audit('report', kind, '--data', DATA, '--account', 'alice')
      const [, names = '', ...lines] = out.trimEnd().split('\r\n')
      const columns = names.split(',')
      expect(lines.slice(0, -1)).toEqual(rows.map((row) => columns.map((column) => row[column] ?? '').join()))
      expect(rows.flatMap((row) => Object.keys(row)).filter((name) => !columns.includes(name))).toEqual([])
    }
  })
})

describe('a period', () => {
  test('consists of its days, each the same as on its own', async () => {
    for (const kind of ['trades', 'fees']) {
      const whole = (await read(kind)).rows
      const alone: Row[] = []
      for (const day of days) alone.push(...(await read(kind, '--from', day, '--to', day)).rows)
      expect(alone).toEqual([...whole])
    }
  })

  test('opens with the balances at the end of the day before, and closes with those at the end of its last day', async () => {
    const balances = async (day: string): Promise<Map<string, string>> => {
      const { rows } = await read('balances', '--to', day)
      return new Map(rows.map(({ account, asset, total }) => [`${account} ${asset}`, String(total)]))
    }
    const edges = (rows: readonly Row[], cause: string, day: string): Map<string, string> => {
      const found = rows.filter(
        (row) => row.cause === cause && row.day === day && !/^-?0\.?0*$/.test(`${row.balance}`),
      )
      return new Map(found.map(({ account, asset, balance }) => [`${account} ${asset}`, String(balance)]))
    }
    const sorted = (map: Map<string, string>): string[] => [...map].map((pair) => pair.join(' ')).sort()
    for (const [from, to] of [
      [2, 5],
      [4, 4],
      [1, days.length - 1],
    ] as const) {
      const [first = '', last = ''] = [days[from], days[to]]
      const { rows } = await read('statements', '--from', first, '--to', last)
      const [opening, closing] = [await balances(days[from - 1] ?? ''), await balances(last)]
      expect(sorted(edges(rows, 'OPENING', first))).toEqual(sorted(opening))
      expect(sorted(edges(rows, 'CLOSING', last))).toEqual(sorted(closing))
    }
  })

  test('without commands has openings and equal closings, and no trades', async () => {
    const { rows } = await read('statements', '--from', quiet, '--to', quiet)
    const of = (wanted: string) =>
      rows
        .filter(({ cause }) => cause === wanted)
        .map(({ account, asset, balance }) => [account, asset, balance].join(' '))
        .sort()
    expect(rows.length).toBeGreaterThan(10)
    expect(of('OPENING')).toEqual(of('CLOSING'))
    expect(rows.length).toBe(2 * of('OPENING').length)
    for (const kind of ['trades', 'fees'])
      expect((await read(kind, '--from', quiet, '--to', quiet)).rows).toEqual([])
  })
})

test('every report and every action on liabilities has completion', () => {
  for (const name of ['report', 'liabilities'])
    expect(SUBJECTS[name]).toEqual(auditCommand(name)?.subjects ?? [])
})

describe('options', () => {
  test('--account leaves the rows of one account, and names no other', async () => {
    for (const kind of KINDS) {
      const all = (await read(kind)).rows
      const { head, rows } = await read(kind, '--account', 'bob')
      expect(rows).toEqual(all.filter(({ account }) => account === 'bob'))
      expect([rows.length > 0, head.account]).toEqual([true, 'bob'])
      expect(JSON.stringify(rows)).not.toMatch(/alice|carol|fees|outside/)
    }
  })

  test('--at gives the balances after any command, also in the middle of a batch', async () => {
    const middle = tails.find(({ seq }, i) => i > 40 && seq - (tails[i - 1]?.seq ?? 0) === 2) as Tail
    const at = middle.seq - 1
    const { rows, end, head } = await read('balances', '--at', String(at))
    const replayed = await audit('replay', '--data', DATA, '--until', String(at), '--json')
    const state = JSON.parse(replayed.out) as { stateHash: string; balances: { free: string }[] }
    expect([head.at, end.command, end.batchEnd, end.stateHash]).toEqual([
      `${at}`,
      at,
      middle.seq,
      state.stateHash,
    ])
    const plain = (text = '') => text.replace(/\.?0+$/, '')
    const frees = rows.map(({ free }) => plain(String(free)))
    expect(frees).toEqual(state.balances.map(({ free }) => plain(free)))
  })

  test('--out writes what would be printed to a file private to its owner', async () => {
    const file = path.join(root, 'statements.csv')
    const { out } = await audit('report', 'statements', '--data', DATA)
    const ran = await audit('report', 'statements', '--data', DATA, '--out', file)
    expect(ran).toEqual({ code: 0, out: '', err: '' })
    expect(readFileSync(file, 'utf8')).toBe(out)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test.each([
    [['statement'], 'there is no report statement; did you mean statements?'],
    [[], 'report needs one of statements, trades, fees, balances'],
    [['trades', 'fees'], 'unexpected argument "fees"; expected an option'],
    [['trades', '--from', '2026-02-30'], '--from needs a UTC day such as 2026-01-31, found 2026-02-30'],
    [['trades', '--to', '31.1.2026'], '--to needs a UTC day'],
    [['trades', '--from', '2026-02-03', '--to', '2026-02-02'], '--to 2026-02-02 is before --from 2026-02-03'],
    [['trades', '--at', '7'], '--at is only for balances'],
    [['balances', '--from', '2026-02-03'], 'balances need a moment'],
    [['balances', '--to', '2026-02-03', '--at', '7'], 'expected only one of --to and --at'],
    [['balances', '--at', '999999'], 'there is no command 999999: the journal ends at'],
    [['balances', '--at', '0'], 'the journal begins later'],
    [['fees', '--format', 'xml'], '--format: expected csv or json, found xml'],
    [['fees', '--account', 'alise'], 'there is no account alise'],
    [['fees', '--account', 'alise'], 'did you mean alice?'],
    [['fees', '--from', '2031-01-01'], `--from 2031-01-01: the journal ends on ${LAST_DAY}`],
    [['fees', '--to', '2001-01-01'], 'the journal begins later'],
    [['fees', '--out', '/nowhere/fees.csv'], 'cannot write /nowhere/fees.csv'],
  ])('%p is refused with a reason, and nothing is printed as complete', async (line, message) => {
    const { code, out, err } = await audit('report', ...line, ...(line.length > 0 ? ['--data', DATA] : []))
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(out).not.toContain('"end"')
  })
})

test('a damaged journal produces no file, and printed output has no last line', async () => {
  const damaged = path.join(root, 'damaged')
  cpSync(DATA, damaged, { recursive: true })
  const db = new Database(path.join(damaged, 'journal.sqlite'))
  db.run('UPDATE batch SET time = time + 1 WHERE position = 40')
  db.close()
  const file = path.join(root, 'damaged.csv')
  const printed = await audit('report', 'statements', '--data', damaged)
  expect(printed.code).toBe(1)
  expect(printed.err).toContain('JOURNAL: ')
  expect(printed.out).not.toContain('# {"end"')
  const { code } = await audit('report', 'statements', '--data', damaged, '--out', file)
  expect([code, existsSync(file)]).toEqual([1, false])
  expect(readdirSync(root).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
