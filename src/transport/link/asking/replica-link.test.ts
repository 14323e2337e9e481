import { afterEach, expect, test } from 'bun:test'
import { MemorySnapshots } from '../../../../sim/memory/snapshots.ts'
import { faultKindOf } from '../../../engine/port/engine-port.contract.ts'
import type { Snapshot, SnapshotHead } from '../../../engine/port/snapshots.ts'
import { account, market } from '../../../engine/writer/commands.fixture.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { seq, type TimeMs } from '../../../units/quantities.ts'
import { type LinkedEngine, startLinkedEngine } from '../linked-engine.fixture.ts'
import type { LinkFault } from '../protocol/link-fault.ts'
import { PIECE_BYTES_MAX, REPLICA_QUESTIONS_MAX } from '../serving/replica-questions.ts'

let linked: LinkedEngine
afterEach(() => linked.stop())

async function open(...changes: Parameters<typeof startLinkedEngine>): Promise<LinkedEngine> {
  linked = await startLinkedEngine(...changes)
  for (const command of market()) await linked.engine.submit(command)
  return linked
}

/** A snapshot that takes three pieces. */
function snapshotOf(number: number): Snapshot {
  const payload = new Uint8Array(2 * PIECE_BYTES_MAX + 10).fill(number)
  const end = { position: number, epoch: 0, seq: seq(number), time: number as TimeMs }
  return { ...end, journalHash: new Uint8Array(32), stateHash: sha256([payload]), payload }
}

test('a replica knows before each batch how far the journal is confirmed, and the leader knows the replica’s position', async () => {
  const { journal, replica, server } = await open()
  const link = await replica({ name: 'historian 1' })
  const { feed, welcome } = link
  expect(welcome).toMatchObject({ journal: 'journal-of-a-test', leader: 'engine', epoch: 0 })
  const waits = feed.next(seq(market().length), 1_000)
  await linked.engine.submit(account('late'))
  const [batch] = await waits
  expect(link.confirmed()?.position).toBeGreaterThanOrEqual(batch?.position ?? Number.POSITIVE_INFINITY)
  expect(link.confirmed()).toMatchObject({ seq: journal.tail.seq, hash: journal.tail.hash })
  await feed.stateHash(seq(1))
  expect(server.replicas).toEqual([
    { name: 'historian 1', pulledSeq: seq(market().length), customersMs: undefined },
  ])
})

test('the position of a replica does not go back when its history pulls older batches', async () => {
  const { replica, server } = await open()
  const { feed } = await replica()
  const waits = feed.next(seq(market().length), 1_000)
  await feed.next(seq(2), 1)
  expect(server.replicas.map(({ pulledSeq }) => pulledSeq)).toEqual([seq(market().length)])
  await linked.engine.submit(account('late'))
  await waits
})

test('a replica whose link is lost while it waits learns of it', async () => {
  const { replica, server } = await open()
  const link = await replica()
  const waits = faultKindOf(link.feed.next(seq(market().length), 1_000))
  await server.stop()
  expect([await waits, (await link.lost).kind]).toEqual(['ENGINE_DOWN', 'STOPPING'])
})

test('replicas that come and go at one position leave one question behind', async () => {
  let asked = 0
  const { memory, snapshots, server, replica, engine, history } = await open()
  const feed = {
    ...memory.feed,
    next: (...place: Parameters<typeof memory.feed.next>) => {
      asked++
      return memory.feed.next(...place)
    },
  }
  const own = { kind: 'leader', journal: 'j', name: 'engine', epoch: 0 } as const
  server.serve({ ...own, engine, history, clock: () => undefined, replicas: { feed, snapshots } })
  for (let i = 0; i < 20; i++) {
    const link = await replica()
    void link.feed.next(seq(market().length), 1_000).catch(() => {})
    await link.feed.quarantined()
    link.close()
  }
  expect(asked).toBe(1)
})

test('a replica with more questions in flight than allowed is OVERLOADED', async () => {
  const { replica } = await open()
  const { feed } = await replica()
  const end = market().length
  const waits = Array.from({ length: REPLICA_QUESTIONS_MAX }, (_, i) =>
    faultKindOf(feed.next(seq(end), 1_000 + i)),
  )
  expect(await faultKindOf(feed.next(seq(end), 1))).toBe('OVERLOADED')
  await linked.engine.submit(account('late'))
  expect(new Set(await Promise.all(waits))).toEqual(new Set([undefined]))
})

test('the newest snapshot is copied completely, and where there is none nothing is', async () => {
  const { replica, snapshots } = await open()
  const link = await replica()
  expect(await link.newestSnapshot()).toBeUndefined()
  await snapshots.save(snapshotOf(1))
  await snapshots.save(snapshotOf(2))
  expect(await link.newestSnapshot()).toEqual(snapshotOf(2))
})

/** Snapshots whose first piece is damaged in the first attempt. */
class SpoiltOnce extends MemorySnapshots {
  readonly #spoil: (snapshot: SnapshotHead) => Uint8Array | undefined
  pieces = 0

  constructor(spoil: (snapshot: SnapshotHead) => Uint8Array | undefined) {
    super()
    this.#spoil = spoil
  }

  override async piece(...wanted: Parameters<MemorySnapshots['piece']>): Promise<Uint8Array | undefined> {
    return ++this.pieces === 1 ? this.#spoil(wanted[0]) : await super.piece(...wanted)
  }
}

for (const [what, spoil] of [
  ['was released meanwhile', () => undefined],
  ['is damaged', () => new Uint8Array(PIECE_BYTES_MAX)],
  ['is cut short', () => new Uint8Array()],
] as const) {
  test(`a snapshot that ${what} is copied again from its beginning`, async () => {
    const snapshots = new SpoiltOnce(spoil)
    const { replica, memory } = await open()
    const replicas = { feed: memory.feed, snapshots }
    await linked.server.stop()
    linked.serve({ replicas })
    await snapshots.save(snapshotOf(3))
    expect(await (await replica()).newestSnapshot()).toEqual(snapshotOf(3))
  })
}

test('a snapshot that is damaged at each try is not taken', async () => {
  const { replica, snapshots } = await open()
  await snapshots.save({ ...snapshotOf(3), stateHash: new Uint8Array(32) })
  const link = await replica()
  const fault = await link.newestSnapshot().catch((cause: unknown) => cause as LinkFault)
  expect(fault).toMatchObject({
    kind: 'BAD_FRAME',
    message: 'no snapshot could be copied: snapshot 3 does not match its header',
  })
})
