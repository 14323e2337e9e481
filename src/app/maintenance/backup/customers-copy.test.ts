/** The customers' part of a backup: copied first, without its keys, and restored whole or not at all. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { type Browser, Rig } from '../../../customers/customers.fixture.ts'
import { bindPasskeys } from '../../../customers/store/bound-passkeys.ts'
import { copyStore } from '../../../customers/store/store-copies.ts'
import { audit, newRoot, writeDirectory } from '../verification/directory.fixture.ts'

const root = newRoot()
const sound = path.join(root, 'sound')
const JO = 'jo@example.org'
const LATER = 'later@example.org'
let count = 0
let rig: Rig
let browser: Browser
let data: string

beforeAll(() => writeDirectory(sound))
afterAll(() => rmSync(root, { recursive: true }))
const fresh = (): string => path.join(root, `directory-${++count}`)

beforeEach(async () => {
  rig = new Rig()
  browser = rig.browser()
  await browser.signUp(JO)
  data = fresh()
  cpSync(sound, data, { recursive: true })
  // The store of a running process: its log of changes is open.
  rmSync(path.join(data, 'customers'), { recursive: true, force: true })
  mkdirSync(path.join(data, 'customers'))
  for (const name of readdirSync(rig.directory))
    cpSync(path.join(rig.directory, name), path.join(data, 'customers', name))
})
afterEach(() => rig.close())

/** Uses the restored files in place of the rig's. */
function use(directory: string): void {
  rig.context.store.close()
  rmSync(rig.directory, { recursive: true })
  cpSync(path.join(directory, 'customers'), rig.directory, { recursive: true })
  rig.reopen()
}
const backup = (to: string, ...more: string[]) => audit('backup', '--data', data, '--to', to, ...more)
const restore = (from: string, to: string, ...more: string[]) =>
  audit('restore', '--from', from, '--data', to, ...more)

test('a restored customer signs in with the separately stored keys, and the backup contains none of them', async () => {
  const [to, keys, restored] = [fresh(), fresh(), fresh()]
  const made = await backup(to, '--customers-keys', keys)
  expect([made.code, made.out]).toEqual([0, expect.stringContaining('1 persons, sealed')])
  expect(readdirSync(path.join(to, 'customers'))).toEqual(['customers.sqlite'])
  const [name = ''] = readdirSync(keys)
  expect(name).toMatch(/^customers-\d{8}T\d{6}Z\.keys$/)
  for (const file of [path.join(to, 'customers', 'customers.sqlite'), path.join(keys, name)])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  const done = await restore(to, restored, '--customers-keys', path.join(keys, name))
  expect([done.code, done.err]).toEqual([0, ''])
  use(restored)
  expect((await rig.browser().signIn(browser.passkey ?? expect.unreachable())).status).toBe(200)
  expect((await browser.get('me')).data.mail).toBe(JO)
})

test('a restored store without its keys does not start, and names the missing file', async () => {
  const [to, restored] = [fresh(), fresh()]
  await backup(to)
  expect((await restore(to, restored)).out).toContain(path.join(restored, 'customers', 'customers.keys'))
  const start = () => bindPasskeys(path.join(restored, 'customers'), 'localhost')
  expect(start).toThrow('customers.keys, which unseals the data of 1 person in customers.sqlite, is missing')
  expect(existsSync(path.join(restored, 'customers', 'customers.keys'))).toBe(false)
})

test('a damaged backup restores nothing, and names the damaged file', async () => {
  const [to, restored] = [fresh(), fresh()]
  await backup(to)
  const file = path.join(to, 'customers', 'customers.sqlite')
  const bytes = readFileSync(file)
  bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1
  writeFileSync(file, bytes)
  const { code, err } = await restore(to, restored)
  expect([code, err]).toEqual([2, expect.stringContaining(`${file}: expected the SHA-256`)])
  expect(existsSync(restored)).toBe(false)
  rmSync(file)
  expect((await restore(to, restored)).err).toContain(`${file} is missing`)
})

test('keys are not copied beside the data that they unseal, and old copies of them are removed', async () => {
  const [to, keys] = [fresh(), fresh()]
  for (const place of [path.join(to, 'keys'), path.join(data, 'keys')]) {
    const { code, err } = await backup(to, '--customers-keys', place)
    expect([code, err]).toEqual([2, expect.stringContaining('--customers-keys')])
  }
  mkdirSync(keys)
  const stray = ['customers-20200101T000000Z.keys', 'customers-notes.txt']
  for (const name of stray) writeFileSync(path.join(keys, name), '')
  await backup(to, '--customers-keys', keys)
  const names = readdirSync(keys)
  expect([names.length, names.includes('customers-notes.txt')]).toEqual([2, true])
})

test('a file that is not a key file, and keys for a backup without customers, are refused before anything is written', async () => {
  const [to, plain, restored] = [fresh(), fresh(), fresh()]
  await backup(to)
  const wrong = await restore(
    to,
    restored,
    '--customers-keys',
    path.join(data, 'customers', 'customers.sqlite'),
  )
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringContaining('expected a file of the customer store'),
  ])
  await audit('backup', '--data', sound, '--to', plain)
  const none = await restore(
    plain,
    restored,
    '--customers-keys',
    path.join(data, 'customers', 'customers.keys'),
  )
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('the backup has no customers')])
  expect(existsSync(restored)).toBe(false)
})

test('a backup after a killed one leaves nothing of that one, and a failed one leaves no copy', async () => {
  const to = fresh()
  writeFileSync(`${to}.customers.tmp`, 'half')
  expect((await backup(to)).code).toBe(0)
  expect(existsSync(`${to}.customers.tmp`)).toBe(false)
  const failing = fresh()
  writeFileSync(path.join(data, 'journal.sqlite'), 'no journal')
  expect((await backup(failing)).code).not.toBe(0)
  expect([existsSync(failing), existsSync(`${failing}.customers.tmp`)]).toEqual([false, false])
})

test('the copy has each person completely or not at all while others sign up', async () => {
  const to = fresh()
  const file = `${to}.sqlite`
  const signing = rig.browser().signUp(LATER)
  const { persons } = copyStore(rig.directory, file)
  await signing
  expect([1, 2]).toContain(persons)
})
