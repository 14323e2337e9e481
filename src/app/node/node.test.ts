/** A start that fails, at any stage, releases the resources of the earlier stages; a stop releases all. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startMemoryEngine } from '../../../sim/memory/engine.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { LeftRunning } from '../../../test/support/left-running.ts'
import { ADMIN_FILE } from '../../contract/admin/admin.ts'
import type { Command } from '../../core/commands/command.ts'
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import { market } from '../../engine/writer/commands.fixture.ts'
import type { AccountId } from '../../units/ids.ts'
import { SERVE_DEFAULTS, type Settings } from '../settings/defaults.ts'
import { startNode } from './node.ts'
import { storageOf } from './storage/storage.ts'
import { HISTORY_FILE, WITNESS_FILE } from './storage/stored-exchange.ts'

setDefaultTimeout(300_000)

const directories: string[] = []
const servers: { stop(isAtOnce: boolean): unknown }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.stop(true)
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

const log = { debug() {}, info() {}, warn() {}, error() {} }
const VERSION = { number: 'test', commit: 'unknown', commitDate: 'unknown' }

function listen(port: number) {
  return Bun.serve({ hostname: '127.0.0.1', port, reusePort: false, fetch: () => new Response() })
}

/** A port that is in use as long as the test runs. */
function takenPort(): number {
  const server = listen(0)
  servers.push(server)
  return server.port as number
}

function newSettings(): Settings {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), 'bourse-node-'))
  directories.push(dataDirectory)
  return {
    ...SERVE_DEFAULTS,
    dataDirectory,
    server: { ...SERVE_DEFAULTS.server, hostname: '127.0.0.1', port: freePort() },
    monitoring: { host: '127.0.0.1', port: freePort() },
    adminPort: freePort(),
  }
}

async function journal(settings: Settings, commands: readonly Command[]): Promise<void> {
  const engine = await startMemoryEngine(storageOf(settings).openEngine())
  const operator = { actor: 'test', note: '' }
  await engine.port.submit({ kind: 'SetRulesVersion', operator, version: RULES_VERSION })
  for (const command of commands) await engine.port.submit(command)
  await engine.stop()
}

/**
 * The error of a start with these settings; afterwards its ports and storage are free, unless another process
 * uses them.
 */
async function failure(settings: Settings): Promise<string> {
  const cause = await startNode({ settings, version: VERSION, log }).then(
    () => new Error('it has started'),
    (error: unknown) => error as Error,
  )
  const others = servers.map((server) => (server as ReturnType<typeof listen>).port)
  for (const port of [settings.server.port, settings.monitoring.port, settings.adminPort]) {
    if (!others.includes(port)) listen(port).stop(true)
  }
  const { journal, witness } = storageOf(settings).openEngine()
  witness.close()
  await journal.close()
  return cause.message
}

test('a start that is refused the journal releases the storage', async () => {
  const settings = newSettings()
  await journal(settings, market())
  rmSync(path.join(settings.dataDirectory, WITNESS_FILE))
  expect(await failure(settings)).toContain('its witness file is missing')
})

test('a start that cannot open its monitoring port releases the storage', async () => {
  const monitoring = { host: '127.0.0.1', port: takenPort() }
  expect(await failure({ ...newSettings(), monitoring })).toContain('choose another with --monitoring-port')
})

test('a start that cannot open its public port releases the monitoring port', async () => {
  const settings = newSettings()
  const server = { ...settings.server, port: takenPort() }
  expect(await failure({ ...settings, server })).toContain('choose another with --port')
})

test('a start without a history releases both ports', async () => {
  const settings = newSettings()
  mkdirSync(path.join(settings.dataDirectory, HISTORY_FILE))
  expect(await failure(settings)).toContain(HISTORY_FILE)
})

test('a start that cannot open the secrets of its keys also ends the follower', async () => {
  const settings = newSettings()
  const key: Command = {
    kind: 'CreateApiKey',
    operator: { actor: 'test', note: 'sealed under another master key' },
    accountId: 3 as AccountId,
    apiKey: 'key',
    sealedSecret: new Uint8Array(60),
    permissions: ['TRADE'],
    addresses: [],
    label: '',
  }
  await journal(settings, [...market(), key])
  expect(await failure(settings)).toContain('master.key is missing')
})

test('a start that cannot open its admin port ends everything that it had started', async () => {
  expect(await failure({ ...newSettings(), adminPort: takenPort() })).toContain(
    'choose another with --admin-port',
  )
})

test('a start that cannot write down its admin address releases the admin port', async () => {
  const settings = newSettings()
  mkdirSync(path.join(settings.dataDirectory, ADMIN_FILE))
  expect(await failure(settings)).toContain(ADMIN_FILE)
})

/** Checks that all three ports and the storage are available again. */
async function requireFree(settings: Settings): Promise<void> {
  for (const port of [settings.server.port, settings.monitoring.port, settings.adminPort])
    listen(port).stop(true)
  await journal(settings, market())
}

test('a node that stopped cleanly runs no timer and no thread, and holds no port and no storage', async () => {
  using left = new LeftRunning()
  const complaints: unknown[] = []
  const settings = newSettings()
  const complain = (_: object, message: string) => complaints.push(message)
  const node = await startNode({
    settings,
    version: VERSION,
    log: { ...log, warn: complain, error: complain },
  })
  await node.open()
  expect(left.all).not.toEqual([])
  await node.stop()
  expect(left.all).toEqual([])
  await requireFree(settings)
  expect(complaints).toEqual([])
})

test('a node that stops because its follower died still releases everything, its engine too', async () => {
  using left = new LeftRunning()
  const settings = newSettings()
  const node = await startNode({ settings, version: VERSION, log })
  await node.open()
  for (const worker of left.workers('follower-worker.ts')) worker.terminate()
  const cause = await node.failed.catch((error: unknown) => error)
  expect(await node.stop().catch((error: unknown) => error)).toBe(cause)
  expect(left.all).toEqual([])
  await requireFree(settings)
})
