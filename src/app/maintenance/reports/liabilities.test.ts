/**
 * `bourse liabilities prove`, and the program with which customers check their files, run exactly as it is
 * written to disk.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { MadeUpExchange } from '../../../../test/support/made-up-exchange.ts'
import { audit, newRoot } from '../verification/directory.fixture.ts'
import { writeJournal } from './journal.fixture.ts'

const root = newRoot()
const DATA = path.join(root, 'data')
const SEED = path.join(root, 'seed')
const PROOF = path.join(root, 'proof')
const made = new MadeUpExchange(5)
let fresh = 0

type Sibling = { hash: string; sum: string }
type Balance = { asset: string; amount: string; salt: string; index: number; path: Sibling[] }
type AccountFile = { format: number; account: string; rootHash: string; balances: Balance[] }
type Committed = {
  asset: string
  decimals: number
  total: string
  outside: string
  leaves: number
  root: string
}
type RootFile = { rootHash: string; command: number; journal: string; assets: Committed[] }

function prove(out: string, ...line: string[]) {
  return audit('liabilities', 'prove', '--data', DATA, '--seed', SEED, '--out', out, ...line)
}

function directory(): string {
  return path.join(root, `proof-${++fresh}`)
}

function load<File>(proof: string, file: string): File {
  return JSON.parse(readFileSync(path.join(proof, file), 'utf8')) as File
}

/** Runs the program of a proof on two files. */
function check(proof: string, rootFile: string, accountFile: string, ...more: string[]) {
  const line = [path.join(proof, 'check.mjs'), rootFile, accountFile, ...more]
  const ran = Bun.spawnSync([Bun.which('node') ?? process.execPath, ...line])
  return { code: ran.exitCode, out: ran.stdout.toString() }
}

/** Runs the program many times in one process, each time in a thread of its own. */
const CHECKS = `
  import { Worker } from 'node:worker_threads'
  import { readFileSync } from 'node:fs'
  const [program, cases] = process.argv.slice(2)
  for (const argv of JSON.parse(readFileSync(cases, 'utf8'))) {
    const worker = new Worker(program, { argv, stdout: true })
    let out = ''
    worker.stdout.on('data', (piece) => (out += piece))
    const ended = new Promise((resolve) => worker.stdout.on('end', resolve))
    const code = await new Promise((resolve) => worker.on('exit', resolve))
    await ended
    console.log(JSON.stringify({ code, out }))
  }`

/**
 * Like `check`, for many files: a separate process for each would take a second of CPU time for every ten
 * files.
 */
function checkEach(proof: string, files: readonly (readonly string[])[]): { code: number; out: string }[] {
  const cases = path.join(root, 'cases.json')
  writeFileSync(cases, JSON.stringify(files))
  const runner = path.join(root, 'checks.mjs')
  writeFileSync(runner, CHECKS)
  const ran = Bun.spawnSync(['node', runner, path.join(proof, 'check.mjs'), cases])
  const said = ran.stdout.toString().trimEnd().split('\n')
  return said.map((text) => JSON.parse(text) as { code: number; out: string })
}

function fileOf(proof: string, account: string): string {
  const name = readdirSync(path.join(proof, 'accounts')).find(
    (file) => load<AccountFile>(proof, path.join('accounts', file)).account === account,
  )
  return path.join('accounts', name ?? '')
}

beforeAll(async () => {
  await writeJournal(DATA, made.batches)
  const { code, err } = await prove(PROOF)
  expect([code, err]).toEqual([0, `${SEED} was created: keep it, and keep it secret\n`])
})
afterAll(() => rmSync(root, { recursive: true }))

describe('a proof', () => {
  test('has a total for each asset that sums to 0 with the outside world, and equals the reported balances', async () => {
    const { assets } = load<RootFile>(PROOF, 'root.json')
    const { out } = await audit('report', 'balances', '--data', DATA, '--format', 'json')
    const rows = out
      .split('\n')
      .slice(1, -2)
      .map((line) => JSON.parse(line))
    expect(assets.map(({ asset }) => asset)).toEqual(['AAA', 'BBB'])
    for (const { asset, total, outside, decimals } of assets) {
      const units = (text: string) => BigInt(text.replace('.', ''))
      const inside = rows.filter((row) => row.asset === asset && row.account !== 'outside')
      expect(units(total)).toBe(inside.reduce((sum, row) => sum + units(row.total), 0n))
      expect([outside, total.split('.')[1]?.length]).toEqual([`-${total}`, decimals])
    }
  })

  test('has a file for every account, and each is in the totals', () => {
    const files = readdirSync(path.join(PROOF, 'accounts'))
    expect(readFileSync(path.join(PROOF, 'accounts.csv'), 'utf8').split('\r\n').length).toBe(files.length + 2)
    const names = files.map((file) => load<AccountFile>(PROOF, path.join('accounts', file)).account)
    expect(names.sort()).toEqual(['alice', 'bob', 'carol, of "two"', 'fees', 'rounding:AAA/BBB'])
    for (const file of files) {
      const { rootHash } = load<RootFile>(PROOF, 'root.json')
      const ran = check(PROOF, path.join(PROOF, 'root.json'), path.join(PROOF, 'accounts', file), rootHash)
      expect([file, ran.code, ran.out.split('\n').at(-2)?.slice(0, 4)]).toEqual([file, 0, 'Yes:'])
    }
  })

  test('reveals only hashes and sums of others, and keeps its files private to their owner', () => {
    const text = readFileSync(path.join(PROOF, fileOf(PROOF, 'alice')), 'utf8')
    expect(text).not.toMatch(/bob|carol|fees|rounding/)
    const { balances } = JSON.parse(text) as AccountFile
    expect(balances.map((each) => Object.keys(each))).toEqual([
      ['asset', 'amount', 'salt', 'index', 'path'],
      ['asset', 'amount', 'salt', 'index', 'path'],
    ])
    for (const { path: siblings } of balances)
      expect(siblings.map((each) => Object.keys(each).join()).filter((keys) => keys !== 'hash,sum')).toEqual(
        [],
      )
    for (const file of ['root.json', 'accounts.csv', fileOf(PROOF, 'alice')])
      expect(statSync(path.join(PROOF, file)).mode & 0o077).toBe(0)
    expect(statSync(SEED).mode & 0o777).toBe(0o600)
  })

  test('is the same to the byte for the same journal, moment and seed; another seed changes every leaf', async () => {
    const [again, other] = [directory(), directory()]
    await prove(again)
    const files = readdirSync(PROOF, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
    expect(files.length).toBe(8)
    for (const { parentPath, name } of files) {
      const file = path.relative(PROOF, path.join(parentPath, name))
      expect(readFileSync(path.join(again, file), 'utf8')).toBe(readFileSync(path.join(PROOF, file), 'utf8'))
    }
    const seed = path.join(root, 'other-seed')
    await audit('liabilities', 'prove', '--data', DATA, '--seed', seed, '--out', other)
    const hashes = (proof: string) =>
      load<AccountFile>(proof, fileOf(proof, 'alice')).balances.flatMap(({ salt, path: way }) => [
        salt,
        ...way.map(({ hash }) => hash),
      ])
    expect(hashes(other).filter((hash) => hashes(PROOF).includes(hash))).toEqual([])
    expect(load<RootFile>(other, 'root.json').assets.map(({ total }) => total)).toEqual(
      load<RootFile>(PROOF, 'root.json').assets.map(({ total }) => total),
    )
  })

  test('of another moment shares no salt, and with fewer assets has the same trees', async () => {
    const [earlier, fewer] = [directory(), directory()]
    const { command } = load<RootFile>(PROOF, 'root.json')
    expect((await prove(earlier, '--at', `${command - 1}`)).code).toBe(0)
    expect(load<RootFile>(earlier, 'root.json').command).toBe(command - 1)
    const salts = (proof: string) =>
      load<AccountFile>(proof, fileOf(proof, 'bob')).balances.map(({ salt }) => salt)
    expect(salts(earlier).filter((salt) => salts(PROOF).includes(salt))).toEqual([])
    const { out } = await prove(fewer, '--asset', 'BBB', '--json')
    const [only] = load<RootFile>(fewer, 'root.json').assets
    expect(only).toEqual(load<RootFile>(PROOF, 'root.json').assets[1] as Committed)
    expect(JSON.parse(out)).toEqual(load<RootFile>(fewer, 'root.json'))
  })
})

/**
 * Changes every value of a JSON document slightly, one at a time: a number by one, a text in its last digit.
 */
function* edits(
  value: unknown,
  edited: (changed: unknown) => unknown = (changed) => changed,
): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) yield* edits(each, (changed) => edited(value.with(i, changed)))
    yield edited(value.slice(1))
    yield edited([...value, ...value.slice(-1)])
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value))
      yield* edits(each, (changed) => edited({ ...value, [key]: changed }))
  } else if (typeof value === 'number') {
    yield edited(value + 1)
    yield edited(-value - 1)
  } else if (typeof value === 'string') {
    const last = value.at(-1) === '0' ? '1' : '0'
    yield edited(value.slice(0, -1) + last)
    if (/^\d+\.\d+$/.test(value)) yield edited(`-${value}`)
  }
}

describe('the program says no', () => {
  const [rootFile, accountFile] = [
    path.join(root, 'edited-root.json'),
    path.join(root, 'edited-account.json'),
  ]

  function checkEdited(rootJson: unknown, accountJson: unknown): { code: number; out: string } {
    writeFileSync(rootFile, JSON.stringify(rootJson))
    writeFileSync(accountFile, JSON.stringify(accountJson))
    return check(PROOF, rootFile, accountFile)
  }

  test('to every slightly changed value of either file, and to a step too many or too few', () => {
    const [whole, file] = [
      load<RootFile>(PROOF, 'root.json'),
      load<AccountFile>(PROOF, fileOf(PROOF, 'alice')),
    ]
    expect(checkEdited(whole, file).code).toBe(0)
    const pairs = [
      ...[...edits(whole)].map((edited) => [edited, file] as const),
      ...[...edits(file)].map((edited) => [whole, edited] as const),
    ]
    expect(pairs.length).toBeGreaterThan(40)
    const written = pairs.map((pair, at) =>
      pair.map((document, which) => {
        const name = path.join(root, `edited-${at}-${which}.json`)
        writeFileSync(name, JSON.stringify(document))
        return name
      }),
    )
    const checked = checkEach(PROOF, written)
    expect(checked.length).toBe(pairs.length)
    for (const [at, [, editedFile]] of pairs.entries()) {
      const fewer = (editedFile as AccountFile).balances.length < file.balances.length
      const { code, out } = checked[at] as (typeof checked)[number]
      // A balance that the file leaves out is not shown: its owner misses it.
      expect([JSON.stringify(editedFile), code, out.includes('No: ')]).toEqual([
        JSON.stringify(editedFile),
        fewer ? 0 : 1,
        !fewer,
      ])
    }
  }, 300_000)

  test('to a unit taken from a sibling and added to the account', () => {
    const file = load<AccountFile>(PROOF, fileOf(PROOF, 'alice'))
    const [balance] = file.balances as [Balance]
    const shifted = (text: string, by: bigint) => {
      const [, places = ''] = text.split('.')
      const digits = (BigInt(text.replace('.', '')) + by).toString().padStart(places.length + 1, '0')
      return `${digits.slice(0, -places.length)}.${digits.slice(-places.length)}`
    }
    const at = balance.path.findIndex(({ sum }) => /[1-9]/.test(sum))
    const sibling = balance.path[at] as Sibling
    const way = balance.path.with(at, { ...sibling, sum: shifted(sibling.sum, -1n) })
    const edited = { ...balance, amount: shifted(balance.amount, 1n), path: way }
    const { code, out } = checkEdited(load(PROOF, 'root.json'), { ...file, balances: [edited] })
    expect([code, out]).toEqual([1, expect.stringContaining('your path ends at')])
  })

  test('to the file of another account under one’s own name, and to a root that is not the published one', () => {
    const bob = load<AccountFile>(PROOF, fileOf(PROOF, 'bob'))
    expect(checkEdited(load(PROOF, 'root.json'), { ...bob, account: 'alice' }).code).toBe(1)
    const files = [path.join(PROOF, 'root.json'), path.join(PROOF, fileOf(PROOF, 'bob'))] as const
    const { code, out } = check(PROOF, ...files, 'ab'.repeat(32))
    expect([code, out]).toEqual([1, expect.stringContaining('the published one is abab')])
  })
})

describe('nothing is made', () => {
  test.each([
    [['--at', '999999'], 'there is no command 999999'],
    [['--at', '0'], 'the journal has no command'],
    [['--asset', 'AAB'], 'there is no asset AAB after command'],
    [['--at', 'noon'], '--at needs the number of a command or a time'],
  ])('for %p', async (line, message) => {
    const out = directory()
    const { code, err } = await prove(out, ...line)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(() => statSync(out)).toThrow('ENOENT')
  })

  test('without a seed that is private and complete, or where something already exists', async () => {
    const out = directory()
    const seed = path.join(root, 'bad-seed')
    const run = (...line: string[]) => audit('liabilities', ...line, '--data', DATA)
    const problem = async (...line: string[]) => {
      const { code, err } = await run(...line)
      expect(code).toBe(2)
      return err
    }
    writeFileSync(seed, `${'ab'.repeat(31)}\n`, { mode: 0o600 })
    expect(await problem('prove', '--seed', seed, '--out', out)).toContain(
      'must have exactly 64 hexadecimal digits',
    )
    chmodSync(seed, 0o644)
    expect(await problem('prove', '--seed', seed, '--out', out)).toContain(
      'is accessible to others (mode 0644)',
    )
    expect(await problem('prove', '--out', out)).toContain('liabilities prove needs --seed FILE')
    expect(await problem('prove', '--seed', SEED)).toContain('liabilities prove needs --out DIR2')
    expect(await problem('show')).toContain('there is no liabilities show; expected one of prove')
    expect(await problem('prove', '--seed', SEED, '--out', PROOF)).toContain('is not empty')
    mkdirSync(out)
    writeFileSync(path.join(out, 'mine'), '')
    expect(await problem('prove', '--seed', SEED, '--out', out)).toContain('is not empty')
    expect(readdirSync(out)).toEqual(['mine'])
  })
})
