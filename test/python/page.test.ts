/**
 * docs/python.md: its programs run against a sandbox, its table lists every endpoint of the client, its
 * floating-point error is the real one.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BourseProcess, dataDirectory, ROOT, readSandbox, sandbox } from '../support/bourse-process.ts'
import { runPython } from './support/run-python.ts'

const CLIENT = path.join(ROOT, 'clients/python')
const PAGE = readFileSync(path.join(ROOT, 'docs/python.md'), 'utf8')
const SNIPPETS = [...PAGE.matchAll(/<!-- snippet: (\w+\.py) -->\n```python\n([\s\S]*?)```/g)].map(
  ([, name = '', text = '']): [string, string] => [name, text],
)
const EXPECTED: Readonly<Record<string, RegExp>> = {
  'first_order.py': /^5000000\n[0-9a-f-]{36} NEW 500\.00\nUSER\n$/,
  'errors.py': /^TOO_MANY_DECIMALS price 50000\n$/,
  'follow.py': /^connected \[\] \[\] 0\n[\s\S]*balances /,
}

const { path: data, remove } = dataDirectory()
let node: BourseProcess
let directory: string
beforeAll(async () => {
  node = await sandbox(data)
  directory = mkdtempSync(path.join(tmpdir(), 'bourse-python-'))
})
afterAll(async () => {
  await node.end('SIGKILL')
  remove()
  rmSync(directory, { recursive: true })
})

test('the page has the expected programs', () => {
  expect(SNIPPETS.map(([name]) => name)).toEqual(Object.keys(EXPECTED))
})

test.each(SNIPPETS)('the program %s of the page does what it says', async (name, text) => {
  const { baseUrl, accounts } = readSandbox(data)
  const account = accounts[0]
  if (account === undefined) throw new Error('the sandbox has no account')
  writeFileSync(path.join(directory, name), text)
  const env = { BOURSE_URL: baseUrl, BOURSE_KEY: account.apiKey, BOURSE_SECRET: account.secret }
  const { out, code } = await runPython([name], { cwd: directory, env: { ...env, PYTHONPATH: CLIENT } })
  expect([code, out]).toEqual([0, expect.stringMatching(EXPECTED[name] ?? /never/)])
})

test('the first order takes ten lines', () => {
  const [, text = ''] = SNIPPETS[0] ?? []
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(10)
})

test('the page names every method of an endpoint, and its error about a float is the one that is raised', async () => {
  const program = [
    'import bourse',
    'print(" ".join(bourse.ENDPOINTS))',
    'try: bourse.amount_text(0.1, "quantity")',
    'except bourse.UsageError as error: print(error)',
  ].join('\n')
  const { out } = await runPython(['-c', program], { cwd: CLIENT })
  const [names = '', error = ''] = out.split('\n')
  const table = PAGE.slice(PAGE.indexOf('## Methods'), PAGE.indexOf('## Why'))
  const told = new Set([...table.matchAll(/`([a-z_0-9]+)`/g)].map(([, name]) => name))
  expect(names.split(' ').filter((name) => !told.has(name))).toEqual([])
  expect(PAGE).toContain(error)
})
