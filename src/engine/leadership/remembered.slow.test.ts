/** What an engine of a cluster remembers of the journal, its own and what it was told: whom it follows, and what it says. */
import { afterEach, expect, test } from 'bun:test'
import { until } from '../../../test/support/until.ts'
import { MemoryTablePlace } from '../../drivers/memory/leadership-table.ts'
import { MemoryWitness } from '../../drivers/memory/witness.ts'
import { account } from '../commands.fixture.ts'
import type { Tail } from '../journal.ts'
import { Cluster, type Member } from './cluster.fixture.ts'

let cluster: Cluster
afterEach(() => cluster.stop())

/** An engine that leads a journal with an account in it, and the journal's end. The database's clock stands still: nobody is found silent. */
async function leading(): Promise<{ readonly east: Member; readonly tail: Tail }> {
  const place = new MemoryTablePlace(() => 0)
  cluster = new Cluster(() => place.open())
  const east = await cluster.start('east')
  await until('east leads', () => east.lead !== undefined)
  const lead = east.lead as NonNullable<Member['lead']>
  expect((await lead.port.submit(account('a'))).kind).toBe('AccountOpened')
  return { east, tail: lead.running.tail }
}

/** So many batches behind the end, of which nobody else knows. */
function behind(tail: Tail, count: number): Tail {
  return { ...tail, position: tail.position + count, seq: (tail.seq + count) as typeof tail.seq }
}

async function followerThatRemembers(name: string, tail: Tail): Promise<Member> {
  const witness = new MemoryWitness()
  witness.reset(tail)
  return cluster.start(name, { witness })
}

test('an engine that remembers more than the leader has confirmed does not follow it', async () => {
  const { tail } = await leading()
  const west = await followerThatRemembers('west', behind(tail, 1))
  const fault = await west.ended.catch((cause: unknown) => cause)
  const found = `east has confirmed position ${tail.position} of the journal`
  expect(fault).toMatchObject({
    kind: 'WITNESS',
    message: `position ${tail.position + 1} is remembered, and ${found}`,
  })
  const north = await followerThatRemembers('north', tail)
  expect(await north.engine.caughtUp).toBe(tail.seq)
})

test('the highest place that a gateway has seen is remembered by an engine that has not come to it', async () => {
  const { tail } = await leading()
  const west = await cluster.start('west')
  await west.engine.caughtUp
  const seen = behind(tail, 3)
  await west.engine.present(seen)
  await west.engine.present(tail)
  expect(west.engine.remembered).toEqual(seen)
})
