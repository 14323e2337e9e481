/**
 * Two engines on a real database, in one process: leaders that are lost during trading, and a database that
 * is lost.
 */
import { afterAll, afterEach, expect, test } from 'bun:test'
import type { Command } from '../../src/core/commands/command.ts'
import { Cluster, type Member } from '../../src/engine/leadership/cluster.fixture.ts'
import { JournalFault } from '../../src/engine/port/journal.ts'
import { account, asset, credit, limit, symbol } from '../../src/engine/writer/commands.fixture.ts'
import { PostgresTable } from '../../src/storage/postgres/table.ts'
import { until } from '../support/until.ts'
import { SINGLE } from './support/journals.ts'
import { discardServers, ENGINE, PostgresServer } from './support/server.ts'

afterAll(discardServers)
const server = await PostgresServer.start()
const ROUNDS = 3
/**
 * `leadership` in the cluster file, with a longer leader timeout: both engines are in one process, which may
 * get no CPU time for as long as the usual timeout.
 */
const TIMING = { silenceMs: 2_500, heartbeatMs: 150 }

let cluster: Cluster
const tables = new Map<string, Set<PostgresTable>>()
const isolated = new Set<string>()
afterEach(() => cluster.stop())

async function startCluster(): Promise<void> {
  const database = await server.newDatabase()
  const connection = server.where(ENGINE, database)
  cluster = new Cluster(async (name) => {
    if (isolated.has(name)) throw new JournalFault('FAILED', 'there is no way to the database')
    const table = await PostgresTable.open({ connection, durability: SINGLE })
    const opened = tables.get(name) ?? new Set()
    tables.set(name, opened.add(table))
    return table
  }, TIMING)
}

/** Disconnects the engine from the database and from the other engine. */
function isolate(member: Member): void {
  isolated.add(member.name)
  for (const table of tables.get(member.name) ?? []) table.cut()
  member.cut()
}

async function leader(): Promise<Member> {
  await until('somebody leads', () => cluster.leader !== undefined)
  return cluster.leader as Member
}

/** Opens accounts and places orders with the leader until it is stopped. */
function trade(traders: number) {
  const answered: string[] = []
  let isOver = false
  const done = Array.from({ length: traders }, async (_, trader) => {
    for (let i = 0; !isOver; i++) {
      const port = cluster.leader?.lead?.port
      if (port === undefined) {
        await Bun.sleep(1)
        continue
      }
      const name = `trader-${trader}-${i}`
      const order = limit(3 + (i % 2), i % 4 < 2 ? 'BUY' : 'SELL', 10_000 + (i % 7), 1_000)
      await port.submit(i % 3 === 0 ? account(name) : order).then(
        ({ kind }) => kind === 'AccountOpened' && answered.push(name),
        () => {},
      )
    }
  })
  return {
    answered,
    stop: async () => {
      isOver = true
      await Promise.all(done)
    },
  }
}

/**
 * Submits the command to the leader again and again: if the outcome is unknown, the second attempt is
 * refused, or the command is done once.
 */
async function submitUntilAnswered(command: Command): Promise<void> {
  for (;;) {
    const { lead } = await leader()
    const reply = await lead?.port.submit(command).catch(() => undefined)
    if (reply !== undefined) return
  }
}

async function setUp(): Promise<void> {
  await startCluster()
  await cluster.start('first')
  const commands = [asset('BTC'), asset('USDT'), symbol('BTC', 'USDT'), account('alice'), account('bob')]
  for (const id of [3, 4])
    commands.push(credit(id, 'BTC', 10n ** 12n, `b-${id}`), credit(id, 'USDT', 10n ** 15n, `u-${id}`))
  for (const command of commands) await submitUntilAnswered(command)
  const second = await cluster.start('second')
  await second.engine.caughtUp
}

/** Checks that every answered order exists once, and that both engines have the same state. */
async function requireAll(answered: readonly string[]): Promise<void> {
  const { lead, engine } = await leader()
  const names = (await lead?.port.follow(() => {}))?.accounts.map(({ name }) => name) ?? []
  expect(answered.filter((name) => !names.includes(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
  const other = cluster.members.find((member) => member.lead === undefined) as Member
  const seq = lead?.running.tail.seq as NonNullable<typeof lead>['running']['tail']['seq']
  await until('the other one has followed', () => other.engine.remembered.seq === seq)
  const hashes = await Promise.all([engine, other.engine].map(({ feed }) => feed.stateHash(seq)))
  expect(hashes[0]).toBeDefined()
  expect(hashes[0]).toEqual(hashes[1] as Uint8Array)
}

test('leaders that are lost under load are followed by the other engine, and nothing answered is lost', async () => {
  await setUp()
  const load = trade(20)
  for (let round = 0; round < ROUNDS; round++) {
    const before = load.answered.length
    await until('traders are answered', () => load.answered.length > before + 20)
    const lost = await leader()
    isolate(lost)
    await until('the other one leads', () => cluster.leader !== undefined && cluster.leader !== lost)
    const count = load.answered.length
    await until('somebody is answered', () => load.answered.length > count)
    isolated.clear()
    await until(
      'the lost one follows, or leads again',
      () => lost.lead !== undefined || lost.notes.at(-1)?.kind === 'Following',
    )
  }
  await load.stop()
  await requireAll(load.answered)
}, 300_000)

test('after its database was killed in the middle of commits the same engine keeps leading, with everything that was answered', async () => {
  await setUp()
  const load = trade(20)
  await until('traders are answered', () => load.answered.length > 20)
  await server.kill()
  await until('nobody leads', () => cluster.leader === undefined)
  await server.run()
  const count = load.answered.length
  await until('somebody is answered', () => load.answered.length > count)
  await load.stop()
  await requireAll(load.answered)
}, 300_000)
