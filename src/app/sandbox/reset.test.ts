import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SANDBOX_DEFAULTS } from '../settings/defaults.ts'
import { runReset } from './reset.ts'
import { type Sandbox, startSandbox } from './start.ts'

setDefaultTimeout(300_000)

const log = { debug() {}, info() {}, warn() {}, error() {} }
let directory = ''
let printed: string[] = []

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'bourse-reset-'))
  printed = []
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function start(): Promise<Sandbox> {
  const server = { ...SANDBOX_DEFAULTS.server, hostname: '127.0.0.1', port: 0 }
  const settings = { ...SANDBOX_DEFAULTS, dataDirectory: directory, server }
  return startSandbox({
    settings,
    version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
    log,
    print: () => {},
  })
}

const reset = (words: readonly string[] = ['--yes'], confirm?: () => Promise<boolean>) =>
  runReset(['--data', directory, ...words], {
    print: (text) => void printed.push(text),
    defaultData: undefined,
    confirm,
  })

const keys = () => JSON.parse(readFileSync(path.join(directory, 'sandbox.json'), 'utf8')).accounts

test('a sandbox that was reset starts from its beginning, with the same keys, and files that are not the exchange’s stay', async () => {
  const first = await start()
  await expect(reset()).rejects.toThrow('is running: stop it first')
  await first.stop()
  writeFileSync(path.join(directory, 'notes.txt'), 'mine')
  // Somebody has signed up.
  mkdirSync(path.join(directory, 'customers'))
  const before = keys()
  expect(await reset()).toBe(0)
  expect(readdirSync(directory).sort()).toEqual(['notes.txt', 'sandbox.json'])
  expect(printed.at(-1)).toContain('notes.txt')

  const second = await start()
  await second.stop()
  expect(keys()).toEqual(before)
  await reset(['--yes', '--new-keys'])
  expect(readdirSync(directory)).toEqual(['notes.txt'])
})

test('a directory that is not a sandbox is refused, and so is a sandbox with other files in it', async () => {
  mkdirSync(path.join(directory, 'snapshots'))
  await expect(reset()).rejects.toThrow('does not contain a sandbox: expected sandbox.json in it')
  writeFileSync(path.join(directory, 'sandbox.json'), '{}')
  writeFileSync(path.join(directory, 'standby.json'), '{}')
  await expect(reset()).rejects.toThrow('does not contain only a sandbox: found standby.json in it')
  expect(existsSync(path.join(directory, 'snapshots'))).toBe(true)
})

test('a reset asks first, and nothing is deleted without a yes', async () => {
  writeFileSync(path.join(directory, 'sandbox.json'), '{}')
  mkdirSync(path.join(directory, 'snapshots'))
  await expect(reset([])).rejects.toThrow('reset needs --yes when there is no terminal')
  await expect(reset([], async () => false)).rejects.toThrow('nothing was changed')
  expect(existsSync(path.join(directory, 'snapshots'))).toBe(true)
  expect(await reset([], async () => true)).toBe(0)
  expect(existsSync(path.join(directory, 'snapshots'))).toBe(false)
})
