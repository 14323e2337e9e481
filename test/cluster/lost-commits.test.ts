/**
 * A database that loses commits, or is configured to, under a complete cluster during trading: no process
 * continues from a journal that lacks acknowledged data, and each reports why.
 */
import { afterEach, expect, test } from 'bun:test'
import { eventually } from '../postgres/support/eventually.ts'
import { discardServers, ENGINE } from '../postgres/support/server.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { until, WAIT_MS_MAX } from '../support/until.ts'
import { ENGINES, type EngineName, GATEWAYS } from './support/cluster-machines.ts'
import { ProxyNetwork } from './support/proxy-network.ts'
import { Soak, type SoakOptions } from './support/soak.ts'

/** After this number of refused orders, no order that was sent before them is in flight. */
const REFUSED = 20

let network: ProxyNetwork
let soak: Soak | undefined
afterEach(async () => {
  await soak?.discard()
  soak = undefined
  await discardServers()
  await network.discard()
}, 300_000)

async function begin(more: Pick<SoakOptions, 'durability'> = {}): Promise<Soak> {
  network = new ProxyNetwork()
  soak = await Soak.begin(network, ['alpha', 'beta'], { silenceMs: 1_500, random: randomNumbers(3), ...more })
  return soak
}

async function acknowledge(orders: number, { client }: Soak): Promise<void> {
  const { acknowledged } = client
  await until('orders are acknowledged', () => client.acknowledged >= acknowledged + orders)
}

/** Waits until an engine exits by itself; resolves with its exit code and the end of its output. */
async function endOf({ machines }: Soak, name: EngineName): Promise<{ code: number; said: string }> {
  const process = machines.process(name)
  await until(`${name} has ended`, () => process.child.exitCode !== null)
  return { code: await process.exited(), said: process.err }
}

test('a standby that lacks acknowledged orders is promoted: every engine that remembers them ends and says what is missing, and one that remembers nothing is not used', async () => {
  const started = await begin({ durability: { kind: 'single' } })
  const { database, machines, client } = started
  await database.primary.set('synchronous_standby_names', '')
  await acknowledge(20, started)
  await database.server('beta').set('primary_conninfo', '')
  await acknowledge(20, started)
  await database.primary.kill()
  await database.promote()
  for (const name of ENGINES) {
    const { code, said } = await endOf(started, name)
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/position \d+ of the journal is remembered, but the database has nothing there/),
    ])
  }
  await client.untilAnswered()
  const { acknowledged } = client

  // An engine without a memory would claim the journal as it is; gateways present their position, before or
  // after the claim, and the engine exits.
  machines.loseDisk('one')
  machines.launch('one')
  const { code, said } = await endOf(started, 'one')
  expect([code, said]).toEqual([1, expect.stringMatching(/position \d+ of the journal.* is remembered/)])
  for (const name of GATEWAYS) expect(machines.isRunning(name)).toBe(true)
  expect(client.refusals.has('NO_LEADER')).toBe(true)
  expect(client.acknowledged).toBe(acknowledged)
}, 300_000)

test('settings that lose commits, changed under a running cluster, stop it until they are changed back, and nothing is lost', async () => {
  const started = await begin()
  const { database, machines, client } = started
  const { primary } = database
  const refused = (sentence: string) =>
    until(`an engine says: ${sentence}`, () =>
      ENGINES.some((name) => machines.process(name).err.includes(sentence)),
    )
  /** Checks that no request is answered while the setting is wrong. */
  const stands = async (): Promise<void> => {
    await until('nobody leads', () => machines.leader === undefined)
    await client.untilAnswered()
    const { acknowledged } = client
    const refused = client.refused
    await until('orders are refused', () => client.refused >= refused + REFUSED)
    expect(client.acknowledged).toBe(acknowledged)
  }

  await primary.set('fsync', 'off')
  await refused('fsync is off')
  await stands()
  await primary.set('fsync', 'on')
  await client.untilServed(WAIT_MS_MAX)

  const names = String((await primary.sql('SHOW synchronous_standby_names'))[0]?.synchronous_standby_names)
  await primary.set('synchronous_standby_names', '')
  await refused('synchronous_standby_names is nothing')
  await stands()
  await primary.set('synchronous_standby_names', names)
  await client.untilServed(WAIT_MS_MAX)

  // The engines' sessions began with the setting of their role: a later change applies only to new sessions.
  await primary.sql(`ALTER ROLE ${ENGINE} SET synchronous_commit = off`)
  await primary.sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [ENGINE])
  await refused('synchronous_commit is off')
  await stands()
  await primary.sql(`ALTER ROLE ${ENGINE} SET synchronous_commit = on`)
  await client.untilServed(WAIT_MS_MAX)
  await eventually('one engine leads', async () => machines.leader !== undefined)
  expect(await started.findProblems()).toEqual([])
}, 300_000)
