/**
 * An exchange that is moved back and forth, by processes that may end at any step of a move: at most one of
 * the two homes can be started at any time, nothing is lost, and the state is that of all commands.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { MemoryPlace } from '../../../sim/memory/journal.ts'
import { MemoryTablePlace } from '../../../sim/memory/leadership-table.ts'
import { NO_EVENTS } from '../../core/events/event.ts'
import { sha256 } from '../../storage/sha256.ts'
import { ByteWriter } from '../../units/bytes.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { ClaimedJournal } from '../leadership/claimed-journal.ts'
import { RECEIVING_EPOCH } from '../leadership/leadership-table.ts'
import { writeFrame } from '../port/frames.ts'
import {
  type Batch,
  EMPTY_TAIL,
  following,
  hashOfQuarantined,
  hexOf,
  type Journal,
  sealed,
  verifyBatch,
} from '../port/journal.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import { account, limit, market } from '../writer/commands.fixture.ts'
import { CLAIM_NONCE_BYTES } from '../writer/own-batches.ts'
import { replayBatch } from '../writer/recovery/replay.ts'
import type { JournalHome } from '../writer/seal.ts'
import {
  ClusterTarget,
  DirectoryTarget,
  type MemoryDirectory,
  SealedCluster,
} from './memory-targets.fixture.ts'
import { type MoveOptions, type MoveSource, type MoveTarget, moveJournal } from './move.ts'
import { EndedError, endingAt, stepped } from './steps.fixture.ts'

/** A small move has fewer steps than this, so some moves complete. */
const STEPS_MAX = 24

type World = {
  readonly directory: MemoryDirectory
  readonly cluster: MemoryTablePlace
  /** Acknowledged commands, as their bytes, in order. */
  readonly acknowledged: string[]
  /** Commands that every replay skips. */
  readonly quarantined: Set<Seq>
}

function newWorld(): World {
  return {
    directory: { place: new MemoryPlace(), isIncoming: false },
    cluster: new MemoryTablePlace(() => 0),
    acknowledged: [],
    quarantined: new Set(),
  }
}

let nonces = 0
function openCluster(place: MemoryTablePlace): Promise<Journal> {
  return ClaimedJournal.open({
    openTable: () => place.open(),
    digest: sha256,
    scheduler: { later: () => () => {} },
    name: 'engine',
    nonce: () => new Uint8Array(CLAIM_NONCE_BYTES).fill(++nonces % 251),
    silenceMs: 0,
    heartbeatMs: 1,
  })
}

async function openDirectory({ place, isIncoming }: MemoryDirectory): Promise<Journal> {
  if (isIncoming) throw new Error('it is no journal yet')
  return place.open()
}

/**
 * Starts the exchange at this home; undefined if it refuses to start. A trial claim of a cluster is made on a
 * copy.
 */
async function started({ directory, cluster }: World, home: JournalHome, isTrial: boolean) {
  try {
    if (home === 'DIRECTORY') return await openDirectory(directory)
    if (!isTrial) return await openCluster(cluster)
    const copy = new MemoryTablePlace(() => 0)
    copy.rows.push(...cluster.rows)
    copy.leader = { ...cluster.leader }
    return await openCluster(copy)
  } catch {
    return undefined
  }
}

/** The homes at which a non-empty exchange can be started. */
async function livingIn(world: World): Promise<readonly JournalHome[]> {
  const homes: JournalHome[] = []
  for (const home of ['DIRECTORY', 'CLUSTER'] as const) {
    const isEmpty = (home === 'DIRECTORY' ? world.directory.place.batches : world.cluster.rows).length === 0
    const journal = isEmpty ? undefined : await started(world, home, true)
    if (journal === undefined) continue
    homes.push(home)
    await journal.close()
  }
  return homes
}

/** Adds some commands, acknowledged at the exchange's current home, and occasionally a quarantined one. */
async function trade(world: World, home: JournalHome, counts: readonly number[], quarantines: boolean) {
  const journal = await started(world, home, false)
  if (journal === undefined) throw new Error(`expected an exchange that starts in ${home}`)
  const commands = world.acknowledged.length === 0 ? market() : []
  for (const [i, count] of counts.entries()) {
    for (let j = 0; j < count; j++)
      commands.push(limit(3 + (j % 2), j % 2 === 0 ? 'BUY' : 'SELL', 10_000 + i, 1_000))
    commands.push(account(`trader-${world.acknowledged.length}-${i}`))
    await append(world, journal, commands.splice(0))
  }
  if (quarantines) {
    const [last] = await journal.read((journal.tail.seq - 1) as Seq, 1)
    const { hash, firstSeq } = last as Batch
    await journal.quarantine({ seq: firstSeq, check: hashOfQuarantined(sha256, hash, firstSeq) })
    world.quarantined.add(firstSeq)
  }
  await journal.close()
}

async function append(world: World, journal: Journal, commands: readonly ReturnType<typeof account>[]) {
  const writer = new ByteWriter()
  for (const command of commands) writeFrame(writer, command)
  const { tail } = journal
  const time = (tail.time + 7) as TimeMs
  const data = writer.take()
  const batch = sealed(sha256, { ...following(tail), kind: 'COMMANDS', count: commands.length, time, data })
  await journal.append(batch)
  world.acknowledged.push(hexOf(data))
}

type Attempt = { readonly endAt: number; readonly isDryRun?: boolean }

/** A deliberate defect at one end, which the property must detect. */
type Defect = {
  readonly source?: (source: MoveSource) => MoveSource
  readonly target?: (target: MoveTarget, world: World) => MoveTarget
}

/** `good`, except for `changes`. */
function changed<Port extends object>(good: Port, changes: Partial<Port>): Port {
  return new Proxy(good, {
    get: (target, name) => {
      const value = Reflect.get(Object.hasOwn(changes, name) ? changes : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/**
 * A journal without a leader is claimed, so that no engine becomes the leader during the move; a sealed one
 * is only read.
 */
async function clusterSource(place: MemoryTablePlace): Promise<MoveSource> {
  return place.rows.at(-1)?.kind === 'SEAL' ? new SealedCluster(place) : openCluster(place)
}

/** Moves to `to` in a process that ends at a step; true if the move was complete before that. */
async function move(
  world: World,
  to: JournalHome,
  { endAt, isDryRun = false }: Attempt,
  defect: Defect = {},
): Promise<boolean> {
  const { step } = endingAt(endAt)
  const { directory, cluster } = world
  const source = to === 'CLUSTER' ? directory.place.openToMove() : await clusterSource(cluster)
  const target = to === 'CLUSTER' ? new ClusterTarget(cluster) : new DirectoryTarget(directory)
  const options: MoveOptions = {
    source: stepped(defect.source?.(source) ?? source, step),
    target: stepped(defect.target?.(target, world) ?? target, step),
    digest: sha256,
    factory: ANY_EXCHANGES,
    seal: () => ({ to, name: 'there', identity: 'one', by: 'test', time: 1 as TimeMs }),
    isDestinationLost: false,
    marks: [],
    isDryRun,
    beforeFinish: async () => step(),
    onProgress: () => {},
    untilTurn: async () => {},
  }
  try {
    await moveJournal(options)
    return true
  } catch (cause) {
    if (!(cause instanceof EndedError)) throw cause
    return false
  } finally {
    world.directory.place.release()
  }
}

/** The state after a replay of everything stored, and the replayed commands. */
async function stateOf(world: World, home: JournalHome) {
  const batches = home === 'DIRECTORY' ? world.directory.place.batches : world.cluster.rows
  const journal = await started(world, home, true)
  const quarantined = new Set((await journal?.quarantined())?.map(({ seq }) => seq))
  await journal?.close()
  const machine = ANY_EXCHANGES.empty()
  let tail = EMPTY_TAIL
  const commands: string[] = []
  for (const batch of batches) {
    tail = verifyBatch(sha256, tail, batch)
    replayBatch(machine, batch, quarantined, NO_EVENTS)
    if (batch.kind === 'COMMANDS') commands.push(hexOf(batch.data))
  }
  return { commands, quarantined }
}

const era = fc.record({
  counts: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 4 }),
  quarantines: fc.boolean(),
  attempts: fc.array(fc.record({ endAt: fc.integer({ min: 1, max: STEPS_MAX }), isDryRun: fc.boolean() }), {
    maxLength: 5,
  }),
})

/** Rejects if the rule is broken in any of several random histories of an exchange. */
function movesSafely(defect: Defect = {}): Promise<void> {
  const property = fc.asyncProperty(fc.array(era, { minLength: 1, maxLength: 4 }), async (eras) => {
    const world = newWorld()
    let home: JournalHome = 'DIRECTORY'
    for (const { counts, quarantines, attempts } of eras) {
      const to: JournalHome = home === 'DIRECTORY' ? 'CLUSTER' : 'DIRECTORY'
      await trade(world, home, counts, quarantines)
      for (const attempt of attempts) {
        await move(world, to, attempt, defect)
        const living = await livingIn(world)
        expect(living.length).toBeLessThanOrEqual(1)
        // Until the old home is sealed, the exchange continues there.
        if (living[0] === home) await trade(world, home, [1], false)
      }
      expect(await move(world, to, { endAt: Number.POSITIVE_INFINITY }, defect)).toBe(true)
      expect(await livingIn(world)).toEqual([to])
      const after = await stateOf(world, to)
      expect(after.commands).toEqual(world.acknowledged)
      expect(after.quarantined).toEqual(world.quarantined)
      home = to
    }
  })
  return fc.assert(property, { endOnFailure: true })
}

test('wherever a move ends, at most one home can be started, and a repeated move loses nothing', async () => {
  await movesSafely()
})

test('a move to a place that holds another exchange is refused before the place is touched', async () => {
  const world = newWorld()
  await trade(world, 'DIRECTORY', [1], false)
  expect(await move(world, 'CLUSTER', { endAt: Number.POSITIVE_INFINITY })).toBe(true)
  const other = newWorld()
  await trade(other, 'CLUSTER', [1, 2, 3, 1, 2, 3], false)
  const moved = move({ ...other, directory: world.directory }, 'DIRECTORY', {
    endAt: Number.POSITIVE_INFINITY,
  })
  expect(await moved.catch(({ message }) => message)).toContain('Nothing was changed')
  // A continued move can still read a sealed journal.
  expect(world.directory.isIncoming).toBe(false)
})

const DEFECTS: Readonly<Record<string, Defect>> = {
  'can be started before it has everything': {
    target: (good, { directory, cluster }) =>
      changed(good, {
        begin: async () => {
          await good.begin()
          directory.isIncoming = false
          if (cluster.leader.epoch === RECEIVING_EPOCH) cluster.leader = { ...cluster.leader, epoch: 0 }
        },
      }),
  },
  'loses the seal of its source': {
    source: (good) =>
      changed(good, { append: async (batch) => (batch.kind === 'SEAL' ? undefined : good.append(batch)) }),
  },
  'forgets what a replay passes over': {
    target: (good) => changed(good, { finish: (seal) => good.finish(seal, []) }),
    source: (good) => changed(good, { quarantined: async () => [] }),
  },
}

for (const [name, defect] of Object.entries(DEFECTS)) {
  test(`the rule of moves refuses one that ${name}`, async () => {
    expect(
      await movesSafely(defect).then(
        () => 'held',
        () => 'broken',
      ),
    ).toBe('broken')
  })
}
