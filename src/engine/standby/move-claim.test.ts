/**
 * A journal that is claimed while its exchange is moved elsewhere: the move sends heartbeats, and moves
 * nothing if another engine nevertheless becomes the leader.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { MemoryPlace } from '../../../sim/memory/journal.ts'
import { MemoryTablePlace } from '../../../sim/memory/leadership-table.ts'
import { runtimeScheduler } from '../../storage/scheduler.ts'
import { sha256 } from '../../storage/sha256.ts'
import { ByteWriter } from '../../units/bytes.ts'
import { type TimeMs, timeMs } from '../../units/quantities.ts'
import { ClaimedJournal } from '../leadership/claimed-journal.ts'
import { writeFrame } from '../port/frames.ts'
import { following, type Journal, sealed } from '../port/journal.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import { account } from '../writer/commands.fixture.ts'
import { CLAIM_NONCE_BYTES } from '../writer/own-batches.ts'
import { DirectoryTarget, type MemoryDirectory } from './memory-targets.fixture.ts'
import { type MoveProgress, moveJournal } from './move.ts'

const BATCHES = 30
const HEARTBEAT_MS = 2

let cluster: MemoryTablePlace
let directory: MemoryDirectory
let source: ClaimedJournal

beforeEach(async () => {
  cluster = new MemoryTablePlace(() => performance.now())
  directory = { place: new MemoryPlace(), isIncoming: false }
  source = await claim('export')
  for (let i = 0; i < BATCHES; i++) await append(source, `trader-${i}`)
})
afterEach(() => source.close())

function claim(name: string): Promise<ClaimedJournal> {
  return ClaimedJournal.open({
    openTable: () => cluster.open(),
    digest: sha256,
    scheduler: runtimeScheduler,
    name,
    nonce: () => crypto.getRandomValues(new Uint8Array(CLAIM_NONCE_BYTES)),
    silenceMs: 0,
    heartbeatMs: HEARTBEAT_MS,
  })
}

async function append(journal: Journal, name: string): Promise<void> {
  const writer = new ByteWriter()
  writeFrame(writer, account(name))
  const { tail } = journal
  const time = (tail.time + 1) as TimeMs
  await journal.append(
    sealed(sha256, { ...following(tail), kind: 'COMMANDS', count: 1, time, data: writer.take() }),
  )
}

/** Moves the exchange, one batch per step. */
async function move(onProgress: (progress: MoveProgress) => void, untilTurn: () => Promise<void>) {
  const target = new DirectoryTarget(directory)
  const read = target.read.bind(target)
  target.read = (afterSeq) => read(afterSeq, 1)
  const seal = { to: 'DIRECTORY', name: 'there', identity: 'one', by: 'test', time: timeMs(1) } as const
  return moveJournal({
    ...{ source, target, digest: sha256, factory: ANY_EXCHANGES, seal: () => seal },
    ...{ isDestinationLost: false, marks: [], isDryRun: false, beforeFinish: async () => {} },
    ...{ onProgress, untilTurn },
  })
}

test('a move out of a cluster sends heartbeats while the copy is verified', async () => {
  const heard = new Set<number | undefined>()
  const moved = await move(
    ({ step }) => {
      if (step === 'VERIFY') heard.add(cluster.leader.heardAt)
    },
    () => Bun.sleep(HEARTBEAT_MS),
  )
  expect(moved.kind).toBe('MOVED')
  expect(heard.size).toBeGreaterThan(3)
})

test('nothing is sealed where another engine claims the journal while the copy is verified', async () => {
  let claimed: Promise<Journal> | undefined
  const moved = move(
    ({ step }) => {
      if (step === 'VERIFY') claimed ??= claim('engine')
    },
    async () => void (await claimed),
  )
  const refusal = await moved.catch((cause: unknown) => cause)
  expect(refusal).toMatchObject({ kind: 'FAILED', message: expect.stringContaining('another') })
  const engine = (await claimed) as Journal
  await append(engine, 'goes-on')
  expect(cluster.rows.some(({ kind }) => kind === 'SEAL')).toBe(false)
  expect(directory.isIncoming).toBe(true)
  await engine.close()
})
