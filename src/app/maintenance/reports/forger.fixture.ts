/**
 * A forger's kit: creates proofs of liabilities with a valid root hash, true or false, and runs the
 * customer's program on them.
 */
import { expect } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CHECK_PROGRAM } from './check-program.ts'

// biome-ignore lint/suspicious/noExplicitAny: a forger keeps to no types
export type Any = any

const sha256 = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
const sumOf = (units: bigint): Buffer => Buffer.from(units.toString(16).padStart(32, '0'), 'hex')
const unitsOf = (text: Any): bigint => BigInt(String(text).replace('.', ''))

/** The text that the root hash covers, however strange the values are. */
export function rootHashOf({ journal, command, time, journalHash, assets }: Any): string {
  const lines = ['bourse liabilities 1', journal, command, time, journalHash]
  for (const one of assets)
    lines.push([one?.asset, one?.decimals, one?.total, one?.outside, one?.leaves, one?.root].join(' '))
  return sha256(Buffer.of(2), Buffer.from(`${lines.join('\n')}\n`)).toString('hex')
}

export const SALT = '07'.repeat(32)
export const OTHER = { hash: '5a'.repeat(32), sum: '2.50' }

/** Root of a tree of two leaves, the first of which is the account's. */
export function treeOf(account: string, asset: string, amount: string, sibling: Any, salt = SALT) {
  const code = Buffer.from(asset)
  const sum = unitsOf(amount)
  const leaf = sha256(
    Buffer.of(0),
    Buffer.from(salt, 'hex'),
    sumOf(sum),
    Buffer.of(code.length),
    code,
    Buffer.from(account),
  )
  const other = [Buffer.from(String(sibling.hash), 'hex'), sumOf(unitsOf(sibling.sum))]
  return sha256(Buffer.of(1), leaf, sumOf(sum), ...other).toString('hex')
}

/** Both files as written by a forger: `change` may modify them before the root hash is computed. */
export function forge(
  change: (root: Any, file: Any) => void = () => {},
  account = 'alice',
  amount = '1.00',
): { root: Any; file: Any } {
  const asset = {
    asset: 'BTC',
    decimals: 2,
    total: '3.50',
    outside: '-3.50',
    leaves: 2,
    root: treeOf(account, 'BTC', amount, OTHER),
  }
  const head = {
    journal: '11'.repeat(32),
    command: 11,
    time: '2026-01-31T17:30:00.000+00:00',
    journalHash: '22'.repeat(32),
  }
  const root: Any = { format: 1, rootHash: '', ...head, assets: [asset] }
  const file: Any = {
    format: 1,
    account,
    rootHash: '',
    balances: [{ asset: 'BTC', amount, salt: SALT, index: 0, path: [OTHER] }],
  }
  change(root, file)
  if (root.rootHash === '') root.rootHash = rootHashOf(root)
  if (file.rootHash === '') file.rootHash = root.rootHash
  return { root, file }
}

/** Runs the program on many pairs of files in one process, starting it again for each pair. */
const DRIVER = String.raw`import { readFileSync, writeFileSync } from 'node:fs'
const [, , list, ...files] = process.argv
const answers = []
for (const [number, { root, file, more }] of JSON.parse(readFileSync(list, 'utf8')).entries()) {
  writeFileSync(files[0], Buffer.from(root, 'base64'))
  writeFileSync(files[1], Buffer.from(file, 'base64'))
  const out = []
  console.log = (text) => out.push(text + '\n')
  process.argv = [process.execPath, 'check.mjs', ...files, ...more]
  process.exitCode = 0
  await import('./check.mjs?' + number)
  answers.push({ exitCode: process.exitCode, out: out.join('') })
}
process.exitCode = 0
process.stdout.write(JSON.stringify(answers))
`

let made: string | undefined

/** One directory for all test files of the process. */
function directory(): string {
  if (made !== undefined) return made
  const fresh = mkdtempSync(path.join(tmpdir(), 'bourse-forger-'))
  writeFileSync(path.join(fresh, 'check.mjs'), CHECK_PROGRAM)
  writeFileSync(path.join(fresh, 'driver.mjs'), DRIVER)
  process.on('exit', () => rmSync(fresh, { recursive: true, force: true }))
  made = fresh
  return fresh
}

function runNode(program: string, line: readonly string[]) {
  const node = Bun.which('node') ?? process.execPath
  const { exitCode, stdout, stderr } = Bun.spawnSync([node, path.join(directory(), program), ...line])
  return { exitCode, out: stdout.toString(), err: stderr.toString() }
}

type Bytes = string | Uint8Array
export type Said = { readonly exitCode: number; readonly out: string; readonly err: string }

function filesOf(): readonly [root: string, file: string] {
  return [path.join(directory(), 'root.json'), path.join(directory(), 'file.json')]
}

/** The program's output for two files with exactly these bytes. */
export function said(root: Bytes, file: Bytes, ...more: string[]): Said {
  const files = filesOf()
  writeFileSync(files[0], root)
  writeFileSync(files[1], file)
  return runNode('check.mjs', [...files, ...more])
}

/** The outputs for many pairs, in one process. */
export function saidOfEach(pairs: readonly (readonly [root: Bytes, file: Bytes])[]): readonly Said[] {
  const list = path.join(directory(), 'pairs.json')
  const text = (bytes: Bytes): string => Buffer.from(bytes).toString('base64')
  writeFileSync(
    list,
    JSON.stringify(pairs.map(([root, file]) => ({ root: text(root), file: text(file), more: [] }))),
  )
  const { out, err } = runNode('driver.mjs', [list, ...filesOf()])
  const answers = JSON.parse(out) as Said[]
  return answers.map((one) => ({ ...one, err }))
}

/** The pairs for which the program did not print "No", each on one line. */
export function takenOf(pairs: readonly (readonly [what: string, root: Bytes, file: Bytes])[]): string[] {
  const answers = saidOfEach(pairs.map(([, root, file]) => [root, file]))
  return pairs.flatMap(([what], at) => {
    const { exitCode, out, err } = answers[at] as Said
    return exitCode === 1 && err === '' && NO.test(out) ? [] : [`${what}: ${out}`]
  })
}

export function saidOf({ root, file }: { root: Any; file: Any }, ...more: string[]) {
  return said(JSON.stringify(root), JSON.stringify(file), ...more)
}

const NO = /^No: [^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+\n$/u

/** Expects "no", on one line, whatever the files contain. */
export function expectNo({ exitCode, out, err }: Said): void {
  expect([exitCode, err]).toEqual([1, ''])
  expect(out).toMatch(NO)
}
