import { expect, test } from 'bun:test'
import { EngineFault } from '../../src/engine/port/fault.ts'
import { account } from '../../src/engine/writer/commands.fixture.ts'
import { startMemoryEngine } from './engine.ts'
import { MemoryJournal } from './journal.ts'
import { MemorySnapshots } from './snapshots.ts'
import { MemoryWitness } from './witness.ts'

test('a command is answered after its events were given to the follower', async () => {
  const engine = await startMemoryEngine()
  const seen: number[] = []
  const bootstrap = await engine.port.follow((batch) => seen.push(batch.seq))
  expect(bootstrap.seq as number).toBe(0)
  expect((await engine.port.submit(account('alice'))).kind).toBe('AccountOpened')
  expect(seen).toEqual([1])
  await engine.stop()
})

test('commands submitted in one tick are one batch, and each event is published once', async () => {
  const engine = await startMemoryEngine()
  const events: string[] = []
  const batches: number[] = []
  await engine.port.follow((batch) => {
    batches.push(batch.seq)
    for (const event of batch.events) events.push(event.kind)
  })
  const replies = await Promise.all(['a', 'b', 'c'].map((name) => engine.port.submit(account(name))))
  expect(replies.map((reply) => reply.kind)).toEqual(['AccountOpened', 'AccountOpened', 'AccountOpened'])
  expect(batches).toEqual([3])
  expect(events).toEqual(['AccountCreated', 'AccountCreated', 'AccountCreated'])
  await engine.stop()
})

test('acknowledged commands are still there after a restart', async () => {
  const journal = new MemoryJournal()
  const witness = new MemoryWitness()
  const snapshots = new MemorySnapshots()
  const first = await startMemoryEngine({ journal, witness, snapshots })
  await first.port.submit(account('alice'))
  const before = await first.port.follow(() => {})
  await first.stop()
  const second = await startMemoryEngine({ journal, witness, snapshots })
  expect(second.report.snapshotSeq as number).toBe(1)
  expect(await second.port.follow(() => {})).toEqual(before)
  await second.stop()
})

test('a stopped engine refuses by name', async () => {
  const engine = await startMemoryEngine()
  await engine.stop()
  const fault = await engine.port.submit(account('late')).catch((cause: unknown) => cause)
  expect(fault).toBeInstanceOf(EngineFault)
  expect((fault as EngineFault).kind).toBe('STOPPING')
})
