import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { storageOf } from '../node/storage/storage.ts'
import { SANDBOX_DEFAULTS, type Settings } from '../settings/defaults.ts'
import { CREDENTIALS_FILE } from './credentials.ts'
import { SANDBOX_SYMBOLS } from './market.ts'
import { startSandbox } from './start.ts'

setDefaultTimeout(300_000)

const log = { debug() {}, info() {}, warn() {}, error() {} }

test('a sandbox prints the address of its reference, lists its symbols so that accounts do not trade with themselves, and one whose set-up fails releases its ports and its storage', async () => {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), 'bourse-sandbox-'))
  const server = { ...SANDBOX_DEFAULTS.server, hostname: '127.0.0.1', port: 0 }
  const settings: Settings = { ...SANDBOX_DEFAULTS, dataDirectory, server }
  const printed: string[] = []
  const options = {
    settings,
    version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
    log,
    print: (text: string) => void printed.push(text),
  }
  const node = await startSandbox(options)
  expect(printed.join('')).toContain(`${node.baseUrl}/docs `)
  const modes = node.views.market.registry.symbols().map(({ selfTradeMode }) => selfTradeMode)
  expect(modes).toEqual(SANDBOX_SYMBOLS.map(() => 'EXPIRE_MAKER'))
  await node.stop()
  const file = path.join(dataDirectory, CREDENTIALS_FILE)
  const { accounts } = JSON.parse(readFileSync(file, 'utf8'))
  accounts[0].secret = 'another'
  writeFileSync(file, JSON.stringify({ accounts }))

  const port = Number(new URL(node.baseUrl).port)
  const again = { ...options, settings: { ...settings, server: { ...server, port } } }
  const fault = await startSandbox(again).catch((cause: unknown) => cause)
  expect(fault).toMatchObject({ name: 'SandboxFault' })
  Bun.serve({ hostname: '127.0.0.1', port, reusePort: false, fetch: () => new Response() }).stop(true)
  const { journal, witness } = storageOf(settings).openEngine()
  witness.close()
  await journal.close()
  rmSync(dataDirectory, { recursive: true, force: true })
})
