/**
 * An engine on the journal in PostgreSQL: its answers survive every kind of end, and a replay reaches the
 * same state.
 */
import { afterAll, expect, test } from 'bun:test'
import { startMemoryEngine } from '../../sim/memory/engine.ts'
import { MemorySnapshots } from '../../sim/memory/snapshots.ts'
import { MemoryWitness } from '../../sim/memory/witness.ts'
import { NO_EVENTS } from '../../src/core/events/event.ts'
import { ANY_EXCHANGES } from '../../src/engine/port/machines.fixture.ts'
import { account, limit, market } from '../../src/engine/writer/commands.fixture.ts'
import { replayBatch } from '../../src/engine/writer/recovery/replay.ts'
import { PostgresJournal } from '../../src/storage/postgres/journal.ts'
import { until } from '../support/until.ts'
import { verified } from './support/appended.ts'
import { journalOn } from './support/journals.ts'
import { discardServers, PostgresServer } from './support/server.ts'

afterAll(discardServers)

const ROUNDS = 3
/** Each trader has one command in flight, so that batches have many sizes. */
const TRADERS = 20

test('an engine that lost its database in the middle of orders has every answered one when it starts again', async () => {
  const server = await PostgresServer.start()
  const where = journalOn(server)
  const storage = { witness: new MemoryWitness(), snapshots: new MemorySnapshots() }
  const answered = new Set<string>()
  let journal = await PostgresJournal.open(where)
  // The journal is new, and this witness starts with it.
  storage.witness.reset(journal.tail)
  for (let round = 0; round < ROUNDS; round++) {
    const died = Promise.withResolvers<void>()
    const engine = await startMemoryEngine({ ...storage, journal, onDeath: () => died.resolve() })
    if (round === 0) for (const command of market()) await engine.port.submit(command)
    let hasDied = false
    void died.promise.then(() => {
      hasDied = true
    })
    const traders = Array.from({ length: TRADERS }, async (_, trader) => {
      for (let i = 0; !hasDied; i++) {
        const name = `trader-${round}-${trader}-${i}`
        const order = limit(3 + (i % 2), i % 4 < 2 ? 'BUY' : 'SELL', 10_000 + (i % 7), 1_000)
        await engine.port.submit(i % 3 === 0 ? account(name) : order).then(
          ({ kind }) => kind === 'AccountOpened' && answered.add(name),
          () => {},
        )
      }
    })
    const before = answered.size
    await until('some are answered', () => answered.size > before + 1)
    await server.kill()
    await died.promise
    await Promise.all(traders)
    await server.run()
    const { doubt } = journal
    journal =
      doubt === undefined
        ? await PostgresJournal.open(where)
        : (await PostgresJournal.resolve(where, doubt)).journal
  }
  const engine = await startMemoryEngine({ ...storage, journal })
  const state = await engine.port.follow(() => {})
  const names = state.accounts.map(({ name }) => name)
  expect(answered.size).toBeGreaterThan(ROUNDS)
  expect([...answered].filter((name) => !names.includes(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
  const replayed = ANY_EXCHANGES.empty()
  for (const batch of await verified(journal)) replayBatch(replayed, batch, new Set(), NO_EVENTS)
  expect(replayed.seq).toBe(state.seq)
  await engine.stop()
  const [head] = (await storage.snapshots.list()).heads
  const saved = await storage.snapshots.load(head as NonNullable<typeof head>)
  expect('payload' in saved && saved.payload).toEqual(replayed.encodeSnapshot())
})
