/**
 * The single-file executable, built once, on a machine as empty as a test can make it: no checkout, no
 * packages, no Bun.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { programVersion } from '../src/app/version.ts'
import { versionText } from '../src/contract/program-version.ts'
import { BourseProcess, readSandbox, signed } from './support/bourse-process.ts'
import { buildExecutable } from './support/builds.ts'
import { freePort } from './support/free-port.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'bourse-executable-'))
const executable = path.join(directory, 'bin', 'bourse')
const data = path.join(directory, 'data')
const elsewhere = path.join(directory, 'elsewhere')

/** The executable, in a directory whose files must not matter, with no other programs in PATH. */
function run(...args: string[]): BourseProcess {
  const inDirectory = ['/bin/sh', '-c', 'cd "$0" && PATH=/nowhere exec "$@"', elsewhere]
  return new BourseProcess(args, {}, inDirectory, [executable])
}

beforeAll(async () => {
  await buildExecutable(executable)
  mkdirSync(elsewhere)
  writeFileSync(path.join(elsewhere, '.env'), 'PORT=1\nBOURSE_NONSENSE=1\n')
  writeFileSync(path.join(elsewhere, 'bunfig.toml'), 'preload = ["./absent.ts"]\n')
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('the executable runs an exchange: both workers, an order, both pages, a clean stop, an audit', async () => {
  const node = run('sandbox', '--data', data, '--port', '0')
  await node.ready
  const { baseUrl, accounts } = readSandbox(data)
  const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '100' }
  const placed = await signed(baseUrl, accounts[0] as never, 'POST', 'order', order)
  expect([placed.status, (await placed.json()) as object]).toEqual([
    200,
    expect.objectContaining({ status: true }),
  ])
  const history = await signed(baseUrl, accounts[0] as never, 'GET', 'order/trade/history')
  expect(await history.json()).toMatchObject({ items: [], total: 0 })
  const admin = JSON.parse(readFileSync(path.join(data, 'admin.json'), 'utf8')) as { readonly url: string }
  for (const url of [baseUrl, admin.url]) {
    const page = await (await fetch(`${url}/`)).text()
    const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, asset]) => asset)
    expect(assets.length).toBeGreaterThan(1)
    for (const asset of assets) expect((await fetch(url + asset)).status).toBe(200)
  }
  expect([await node.end('SIGTERM'), node.err]).toEqual([0, ''])
  const audit = run('verify', '--data', data)
  expect([await audit.exited(), audit.out.includes('Sound.')]).toEqual([0, true])
})

test('the executable starts gateways of its own: two of them serve clients, and end with it', async () => {
  const several = path.join(directory, 'several')
  const node = run('sandbox', '--data', several, '--port', `${freePort()}`, '--gateways', '2')
  const url = await node.ready
  expect(node.out).toContain('2 gateways serve clients')
  expect((await fetch(`${url}/api/v3/exchangeInfo`)).status).toBe(200)
  expect([await node.end('SIGTERM'), node.err]).toEqual([0, ''])
})

test('the executable knows its version', async () => {
  const asked = run('--version')
  // The version of the checkout from which it was built, regardless of the current directory.
  expect([await asked.exited(), asked.out]).toEqual([0, `${versionText(programVersion())}\n`])
})
