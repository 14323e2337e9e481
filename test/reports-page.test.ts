/**
 * docs/reports.md: its examples are the exact output of the commands beside them, for a journal of two days.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CHECK_PROGRAM } from '../src/app/maintenance/reports/check-program.ts'
import { writeJournal } from '../src/app/maintenance/reports/journal.fixture.ts'
import { REPORT_KINDS } from '../src/app/maintenance/reports/kinds.ts'
import { audit, newRoot } from '../src/app/maintenance/verification/directory.fixture.ts'
import type { Command } from '../src/core/commands/command.ts'
import { ENTRY_CAUSES } from '../src/engine/reports/entries.ts'
import { account, asset, credit, limit, oldestRules, symbol } from '../src/engine/writer/commands.fixture.ts'
import { ROOT } from './support/bourse-process.ts'
import { expectUnderstood } from './support/command-lines.ts'
import { section } from './support/reference.ts'

const PAGE = readFileSync(path.join(ROOT, 'docs/reports.md'), 'utf8')
const root = newRoot()
const [DATA, SEED, PROOF] = ['data', 'seed', 'proof'].map((name) => path.join(root, name)) as [
  string,
  string,
  string,
]
const ALICE = 3
const BOB = 4

beforeAll(async () => {
  const debit = { ...credit(ALICE, 'USDT', 10_000_000_000n, 'payout-17'), kind: 'Debit' } as Command
  const at = (time: string, ...commands: Command[]) => ({ time: Date.parse(time), commands })
  await writeJournal(DATA, [
    at(
      '2026-01-30T10:00:00Z',
      oldestRules(),
      asset('BTC'),
      asset('USDT'),
      symbol('BTC', 'USDT'),
      account('alice'),
      account('bob'),
    ),
    at('2026-01-30T10:05:00Z', credit(ALICE, 'USDT', 1_500_000_000_000n, 'wire-4711')),
    at('2026-01-30T10:06:00Z', credit(BOB, 'BTC', 200_000_000n, 'chain-0c9f')),
    at('2026-01-31T09:00:00Z', limit(BOB, 'SELL', 2_000_000, 50_000_000)),
    at('2026-01-31T09:05:00Z', limit(ALICE, 'BUY', 2_000_000, 20_000_000)),
    at('2026-01-31T17:30:00Z', debit, debit),
  ])
  writeFileSync(SEED, `${'5eed'.repeat(16)}\n`, { mode: 0o600 })
})
afterAll(() => rmSync(root, { recursive: true }))

/** The output of a command according to the page. */
async function shown(line: string): Promise<string> {
  if (line === 'check') {
    const rootFile = path.join(PROOF, 'root.json')
    const { rootHash } = JSON.parse(readFileSync(rootFile, 'utf8')) as { rootHash: string }
    const files = ['check.mjs', 'root.json', 'accounts/3.json'].map((file) => path.join(PROOF, file))
    return Bun.spawnSync([Bun.which('node') ?? process.execPath, ...files, rootHash]).stdout.toString()
  }
  const [name = '', ...words] = line.split(' ')
  const more = name === 'liabilities' ? ['--seed', SEED, '--out', PROOF] : []
  const { code, out, err } = await audit(name, ...words, '--data', DATA, ...more)
  expect([line, code, err]).toEqual([line, 0, ''])
  return out.replaceAll(PROOF, '/srv/proof').replaceAll('\r\n', '\n')
}

test('every example is what its command writes', async () => {
  const examples = [...PAGE.matchAll(/<!-- example: (.*) -->\n```\w+\n([\s\S]*?)```/g)]
  expect(examples.length).toBe(6)
  for (const [, line = '', text] of examples)
    expect([line, await shown(line)]).toEqual([line, text as string])
})

test('every command line is valid', () => {
  const lines = [...PAGE.matchAll(/^ {4}bourse (.*)$/gm)].map(([, line = '']) => line)
  expect(lines.length).toBeGreaterThan(5)
  for (const line of lines) expectUnderstood(line)
})

test('every cause and every report has its place on the page, and no other', () => {
  const named = [...section(PAGE, 'What changes a balance').matchAll(/^\| (`.*?`) \|/gm)]
    .flatMap(([, cell = '']) => cell.split(', '))
    .map((name) => name.replaceAll('`', ''))
  expect(named.toSorted()).toEqual([...ENTRY_CAUSES].toSorted())
  const headings = [...PAGE.matchAll(/^## (\w+)$/gm)].map(([, heading = '']) => heading.toLowerCase())
  expect(Object.keys(REPORT_KINDS).filter((kind) => !headings.includes(kind))).toEqual([])
})

test('the program for customers is one page, and imports only Node’s own modules', () => {
  expect(CHECK_PROGRAM.split('\n').length).toBeLessThan(100)
  const imports = [...CHECK_PROGRAM.matchAll(/^import .* from '(.*)'$/gm)].map(([, name]) => name)
  expect(imports).toEqual(['node:crypto', 'node:fs'])
  mkdirSync(path.join(root, 'alone'))
  writeFileSync(path.join(root, 'alone', 'check.mjs'), CHECK_PROGRAM)
  const ran = Bun.spawnSync([Bun.which('node') ?? process.execPath, path.join(root, 'alone', 'check.mjs')])
  expect([ran.exitCode, ran.stderr.toString()]).toEqual([2, expect.stringContaining('Usage: node check.mjs')])
})
