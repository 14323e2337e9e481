/**
 * An engine's remembered positions, both its own and presented ones: how they affect the leaders that it
 * follows and its answers.
 */
import { afterEach, expect, test } from 'bun:test'
import { MemoryTablePlace } from '../../../sim/memory/leadership-table.ts'
import { MemoryWitness } from '../../../sim/memory/witness.ts'
import { until } from '../../../test/support/until.ts'
import { EMPTY_TAIL, type Tail } from '../port/journal.ts'
import { account } from '../writer/commands.fixture.ts'
import { Cluster, type Member } from './cluster.fixture.ts'

let cluster: Cluster
afterEach(() => cluster.stop())

/**
 * An engine that leads a journal with an account in it, and the journal's end. The database's clock does not
 * advance, so no leader times out.
 */
async function leading(): Promise<{ readonly east: Member; readonly tail: Tail }> {
  const place = new MemoryTablePlace(() => 0)
  cluster = new Cluster(() => place.open())
  const east = await cluster.start('east')
  await until('east leads', () => east.lead !== undefined)
  const lead = east.lead as NonNullable<Member['lead']>
  expect((await lead.port.submit(account('a'))).kind).toBe('AccountOpened')
  return { east, tail: lead.running.tail }
}

/** A position `count` batches after the end, which no other process has seen. */
function behind(tail: Tail, count: number): Tail {
  return { ...tail, position: tail.position + count, seq: (tail.seq + count) as typeof tail.seq }
}

async function accountsOf({ lead }: Member): Promise<readonly string[]> {
  const accounts = (await lead?.port.follow(() => {}))?.accounts ?? []
  return accounts.map(({ name }) => name).filter((name) => !['outside', 'fees'].includes(name))
}

async function open({ lead }: Member, name: string): Promise<string | undefined> {
  return (await lead?.port.submit(account(name)))?.kind
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
  const found = `east has only confirmed position ${tail.position} of the journal`
  expect(fault).toMatchObject({
    kind: 'WITNESS',
    message: `position ${tail.position + 1} is remembered, but ${found}`,
  })
  const north = await followerThatRemembers('north', tail)
  expect(await north.engine.caughtUp).toBe(tail.seq)
})

test('the highest position that a gateway has seen is remembered by an engine that has not reached it', async () => {
  const { tail } = await leading()
  const west = await cluster.start('west')
  await west.engine.caughtUp
  const seen = behind(tail, 3)
  await west.present(seen)
  await west.present(tail)
  const { time: _, ...place } = seen
  expect(west.engine.remembered).toEqual(place)
})

test('a position in another journal, or in an unnamed one, neither ends an engine nor costs it the lead', async () => {
  const { east, tail } = await leading()
  const lead = east.lead as NonNullable<Member['lead']>
  const { journal: own } = lead.report
  const lacking = behind(tail, 1)
  const madeUp = [lacking, { ...lacking, epoch: 1_000_000 }, { ...tail, hash: new Uint8Array(32).fill(9) }]
  for (const place of madeUp) {
    // A peer that presents the position is refused nevertheless.
    for (const [journal, words] of [
      ['f'.repeat(32), `belongs to journal ${'f'.repeat(32)}, and this is journal ${own}`],
      [undefined, place.epoch > tail.epoch ? 'epoch 1000000 has begun' : 'remembered by another process'],
    ] as const)
      expect(await east.engine.present({ ...place, journal })).toContain(words)
  }
  expect(await open(east, 'b')).toBe('AccountOpened')
  expect([east.lead, east.engine.remembered.position]).toEqual([lead, lead.running.tail.position])
  // These positions are forgotten by the next start too.
  east.engine.stop()
  await east.ended
  const again = await cluster.start('east', east)
  await until('it leads again', () => again.lead !== undefined)
  expect(await open(again, 'c')).toBe('AccountOpened')
  expect(await accountsOf(again)).toEqual(['a', 'b', 'c'])
})

test('an engine that knows no journal yet is kept from the lead by positions of its own journal, and by none of another', async () => {
  for (const isOwn of [false, true]) {
    const { east, tail } = await leading()
    const { journal } = (east.lead as NonNullable<Member['lead']>).report
    const place = { ...behind(tail, 100), journal: isOwn ? journal : 'f'.repeat(32) }
    // The engine finds no peer, so it can identify its journal only after claiming it.
    const search = cluster.search.bind(cluster)
    cluster.search = (name) =>
      name === 'west' ? { found: new Promise(() => {}), end: () => {} } : search(name)
    const west = await cluster.start('west')
    expect(await west.engine.present(place)).toBeUndefined()
    east.engine.stop()
    await east.ended
    if (isOwn) {
      const message = expect.stringContaining(`position ${place.position} of the journal is remembered`)
      const fault = await west.ended.catch((cause: unknown) => cause)
      expect(fault).toMatchObject({ kind: 'WITNESS', message })
      expect(west.witness.recall()).toMatchObject({ kind: 'MARK', mark: { position: place.position } })
    } else {
      await until('it leads', () => west.lead !== undefined)
      expect(await open(west, 'b')).toBe('AccountOpened')
      expect(west.engine.remembered.position).toBe(west.lead?.running.tail.position ?? 0)
    }
    await cluster.stop()
  }
})

test('an engine knows its journal from its directory, though it has neither followed nor led since its start', async () => {
  const { east } = await leading()
  const { journal } = (east.lead as NonNullable<Member['lead']>).report
  const west = await cluster.start('west')
  await west.engine.caughtUp
  await until('it is known', () => west.knownJournal.read() !== undefined)
  expect([east.knownJournal.read(), west.knownJournal.read()]).toEqual([journal, journal])
  west.engine.stop()
  await west.ended
  cluster.search = () => ({ found: new Promise(() => {}), end: () => {} })
  const again = await cluster.start('west', west)
  const strange = { ...EMPTY_TAIL, position: 1, journal: 'f'.repeat(32) }
  expect(await again.engine.present(strange)).toContain(`and this is journal ${journal}`)
})
