/**
 * A cluster is upgraded during trading, with two real builds: the current one, and one with newer rules.
 * Engines, gateways and the historian are replaced in the order of
 * docs/cluster-operations.md#rolling-upgrade, downgraded, and upgraded again; then the rules are raised.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { RULES_VERSION } from '../../src/core/exchange/rules.ts'
import type { StateMachineFactory } from '../../src/engine/port/state-machine.ts'
import { ClusterProcesses, type EngineName, type ProcessName } from '../cluster/support/cluster-processes.ts'
import { list } from '../cluster/support/drill.ts'
import { GatewayLoad } from '../cluster/support/gateway-load.ts'
import { journalOutcome, newestState } from '../cluster/support/journal-outcome.ts'
import { discardServers, PostgresServer } from '../postgres/support/server.ts'
import { signed } from '../support/bourse-process.ts'
import { buildExecutable, NEXT_RULES_VERSION, writeNextTree } from '../support/builds.ts'
import { until } from '../support/until.ts'

const LIMIT_MS = 300_000
const directory = mkdtempSync(path.join(tmpdir(), 'bourse-rolling-upgrade-'))
const inside = (name: string): string => path.join(directory, name)
/** Commands that start each build. */
const [TODAYS, NEWER, NEXT] = [[inside('todays')], [inside('newer')], [inside('next')]] as const

/** The exchange of the newer tree: no other can replay a journal under its rules. */
async function newerMachines(): Promise<StateMachineFactory> {
  const file = path.join(inside('tree-0'), 'src/engine/port/state-machine.ts')
  const { EXCHANGE_FACTORY }: { readonly EXCHANGE_FACTORY: StateMachineFactory } = await import(file)
  return EXCHANGE_FACTORY
}

/**
 * The only error answers that a client may get while processes are replaced; the client then sends the order
 * again.
 */
const DOCUMENTED = ['503 NO_LEADER', '503 OUTCOME_UNKNOWN', '503 STARTING', '503 STOPPING']

let cluster: ClusterProcesses
let load: GatewayLoad | undefined
beforeAll(async () => {
  await buildExecutable(TODAYS[0])
  for (const [at, [program]] of [NEWER, NEXT].entries()) {
    const tree = inside(`tree-${at}`)
    writeNextTree(tree, at + 1)
    await buildExecutable(program, tree)
  }
  cluster = await ClusterProcesses.create(await PostgresServer.start(), {
    settings: { limits: { isEnabled: false } },
  })
}, LIMIT_MS)
afterAll(async () => {
  await load?.stop()
  await cluster?.discard()
  await discardServers()
  rmSync(directory, { recursive: true, force: true })
}, LIMIT_MS)

const other = (name: EngineName): EngineName => (name === 'one' ? 'two' : 'one')
const leader = (): EngineName => (cluster.role('one') === 'LEADING' ? 'one' : 'two')

/**
 * Restarts a stopped process with another program, as a service manager does; orders are acknowledged
 * afterwards.
 */
async function replace(load: GatewayLoad, name: ProcessName, program: readonly string[]): Promise<void> {
  expect([name, await cluster.end(name, 'SIGTERM')]).toEqual([name, 0])
  await cluster.start(name, program)
  await load.untilAcknowledged()
}

/** First the follower, then the leader. */
async function replaceEngines(load: GatewayLoad, program: readonly string[]): Promise<void> {
  const led = leader()
  await replace(load, other(led), program)
  expect(cluster.process(other(led)).err).not.toContain('a damaged snapshot is skipped')
  await replace(load, led, program)
  await until(
    'the other one leads, and the former leader follows',
    () => cluster.role(other(led)) === 'LEADING' && cluster.role(led) === 'FOLLOWING',
  )
}

async function replaceClients(load: GatewayLoad, program: readonly string[]): Promise<void> {
  for (const name of ['historian', 'gateway-1', 'gateway-2'] as const) await replace(load, name, program)
}

/** Waits until an engine exits by itself; resolves with its output. */
async function ended(name: EngineName): Promise<string> {
  const engine = cluster.process(name)
  await until(`${name} has ended`, () => engine.child.exitCode !== null, LIMIT_MS)
  expect([name, await engine.exited()]).toEqual([name, 1])
  return engine.err
}

/** Opens and funds accounts, and starts traders at both gateways. */
async function beginToTrade(): Promise<GatewayLoad> {
  await list(cluster)
  const added = await cluster.admin('key/add', { account: 'alice', permissions: ['TRADE', 'USER_DATA'] })
  const key = { apiKey: added.apiKey, secret: added.secret ?? '' }
  load = new GatewayLoad([cluster.urlOf('gateway-1'), cluster.urlOf('gateway-2')], key)
  await load.untilAcknowledged()
  return load
}

test('a cluster goes from this build to a newer one and back under load: every order exists once, and no answer is undocumented', async () => {
  for (const name of ['one', 'two', 'historian', 'gateway-1', 'gateway-2'] as const)
    await cluster.start(name, TODAYS)
  const traders = await beginToTrade()
  await replaceEngines(traders, NEWER)
  await replaceClients(traders, NEWER)
  await replaceClients(traders, TODAYS)
  await replaceEngines(traders, TODAYS)
  expect((await cluster.admin('node/status', {})).rules).toBe(RULES_VERSION)
}, 300_000)

test('an engine that does not know the raised rules ends, leads nothing, and says why; the journal it leaves is sound', async () => {
  const traders = load as GatewayLoad
  const led = leader()
  const next = other(led)
  await replace(traders, next, NEWER)
  await replace(traders, led, TODAYS)
  await replaceClients(traders, NEWER)
  await cluster.admin('rules/set', { version: NEXT_RULES_VERSION })
  const words = `expected rules ${RULES_VERSION} or older, found ${NEXT_RULES_VERSION}`
  expect(await ended(led)).toContain(words)
  await traders.untilAcknowledged()

  // Without the other engine, this one claims the journal and finds commands that it cannot read: an engine
  // that can read them leads next.
  expect(await cluster.end(next, 'SIGTERM')).toBe(0)
  await cluster.start(led, TODAYS).catch(() => {})
  const said = await ended(led)
  expect(said).toContain(words)
  expect(said).not.toContain('"this engine leads"')
  await cluster.start(next, NEWER)
  await cluster.start(led, NEWER)
  await traders.untilAcknowledged()
  await cluster.admin('symbol/increments', { symbol: 'BTC/USDT', tickSize: '0.05' })
  await traders.untilAcknowledged()
  await traders.stop()

  expect([...traders.refusals.keys()].filter((each) => !DOCUMENTED.includes(each))).toEqual([])
  expect(await cluster.stop()).toEqual([0, 0, 0, 0, 0])
  const states = await Promise.all((['one', 'two'] as const).map((name) => newestState(cluster.dataOf(name))))
  const { acceptedById, off, stateHashBySeq } = await journalOutcome(
    await cluster.openTable(),
    states.map(({ seq }) => seq),
    await newerMachines(),
  )
  expect(off).toEqual([])
  expect(traders.ids.filter((id) => acceptedById.get(id) !== 1)).toEqual([])
  expect([...acceptedById].filter(([, count]) => count !== 1)).toEqual([])
  expect(traders.acknowledged).toBe(acceptedById.size)
  for (const { seq, stateHash } of states) expect(stateHashBySeq.get(seq)).toBe(stateHash)
}, 300_000)

test('a gateway that does not know the raised rules serves nothing more from the engine, and says why, until a newer one takes its place', async () => {
  await cluster.start('one', NEXT)
  await cluster.start('gateway-1', NEWER)
  const added = await cluster.admin('key/add', { account: 'alice', permissions: ['WALLET'] })
  const key = { apiKey: added.apiKey, secret: added.secret ?? '' }
  const balances = async () => (await signed(cluster.urlOf('gateway-1'), key, 'GET', 'wallet/balance')).text()
  expect(await balances()).toContain('"USDT"')
  await cluster.admin('rules/set', { version: NEXT_RULES_VERSION + 1 })
  const words = `rules ${NEXT_RULES_VERSION + 1} are in force, but the newest rules of this program are ${NEXT_RULES_VERSION}`
  await until('it has said why', () => cluster.process('gateway-1').err.includes(words), LIMIT_MS)
  expect(await balances()).toContain('NO_LEADER')
  expect(await cluster.end('gateway-1', 'SIGTERM')).toBe(0)
  await cluster.start('gateway-1', NEXT)
  expect(await balances()).toContain('"USDT"')
}, 300_000)
