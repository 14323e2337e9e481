/**
 * Engines of a cluster on a table in memory: leadership, the state of a standby, and refusals. With a real
 * database: test/postgres.
 */
import { afterEach, expect, test } from 'bun:test'
import { type MemoryTable, MemoryTablePlace } from '../../../sim/memory/leadership-table.ts'
import { MemoryWitness } from '../../../sim/memory/witness.ts'
import { until } from '../../../test/support/until.ts'
import { sha256 } from '../../storage/sha256.ts'
import type { AccountId } from '../../units/ids.ts'
import { EngineFault } from '../port/fault.ts'
import { sealTo } from '../port/journal.contract.ts'
import { type Batch, type BatchKind, EMPTY_TAIL, endOf, JournalFault } from '../port/journal.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import type { StateMachine, StateMachineFactory } from '../port/state-machine.ts'
import { account } from '../writer/commands.fixture.ts'
import { CLAIM_NONCE_BYTES, claimBatch } from '../writer/own-batches.ts'
import { Cluster, type Member, type MemberOptions } from './cluster.fixture.ts'
import type { Insertion, LeadershipTable } from './leadership-table.ts'
import { operatorClaimName, operatorClaims } from './operator-claims.ts'

let cluster: Cluster
let place: MemoryTablePlace
/** Names of engines that get no answer from their database. */
const unreachable = new Set<string>()
/** Names of engines whose database never reports the leader. */
const neverAnswered = new Set<string>()
/** The outcome of the next insertion of a batch of commands, or of another kind. */
let nextInsertion: ((insert: () => Promise<Insertion>) => Promise<Insertion>) | undefined
let nextKind: BatchKind = 'COMMANDS'
/** The outcome of each reading of rows; undefined for a normal one. */
let nextReading: (() => Promise<never>) | undefined
/**
 * The database's clock. It does not advance, so that no leader times out however busy this machine is, unless
 * a test advances it.
 */
let databaseMs = 0
/** Statements that read rows, by any engine. */
const statements: string[] = []
const tables = new Map<string, Set<MemoryTable>>()

function newCluster(timing: { silenceMs?: number; heartbeatMs?: number } = {}): Cluster {
  place = new MemoryTablePlace(() => databaseMs)
  databaseMs = 0
  unreachable.clear()
  neverAnswered.clear()
  statements.length = 0
  nextInsertion = undefined
  nextKind = 'COMMANDS'
  nextReading = undefined
  cluster = new Cluster(openTable, timing)
  return cluster
}
afterEach(() => cluster.stop())

async function openTable(name: string): Promise<LeadershipTable> {
  if (unreachable.has(name)) throw new JournalFault('FAILED', 'there is no way to the database')
  const table = await place.open()
  const opened = tables.get(name) ?? new Set()
  tables.set(name, opened.add(table))
  if (neverAnswered.has(name)) table.leader = () => new Promise(() => {})
  for (const what of ['readAt', 'lastSeqAt', 'readFrom'] as const) {
    const ask = table[what].bind(table) as (...place: unknown[]) => Promise<never>
    table[what] = (...place: unknown[]) => {
      statements.push(what)
      return nextReading?.() ?? ask(...place)
    }
  }
  const insert = table.insert.bind(table)
  table.insert = (batch: Batch) => {
    const how = batch.kind === nextKind ? nextInsertion : undefined
    if (how === undefined) return insert(batch)
    nextInsertion = undefined
    return how(() => insert(batch))
  }
  return table
}

/** Advances the database's clock so far that an engine without a new heartbeat has timed out. */
function passLeaderTimeout(): void {
  databaseMs += 10 * cluster.silenceMs
}

/** Cuts an engine off from the database and from all others, as the loss of its machine does. */
function isolate(member: Member): void {
  unreachable.add(member.name)
  for (const table of tables.get(member.name) ?? []) table.cut()
  member.cut()
}

async function leader(): Promise<Member> {
  await until('somebody leads', () => cluster.leader !== undefined)
  return cluster.leader as Member
}

/** Opens accounts one after another at the current leader; returns the names of those that were answered. */
async function openAccounts(names: readonly string[]): Promise<readonly string[]> {
  const answered: string[] = []
  for (const name of names) {
    const { lead } = await leader()
    const reply = await lead?.port.submit(account(name)).catch(() => undefined)
    if (reply?.kind === 'AccountOpened') answered.push(name)
  }
  return answered
}

const HOUSE = ['outside', 'fees']

async function accountsOf({ lead }: Member): Promise<readonly string[]> {
  const bootstrap = await lead?.port.follow(() => {})
  const opened = bootstrap?.accounts.map(({ name }) => name) ?? []
  return opened.filter((name) => !HOUSE.includes(name))
}

const names = (prefix: string): string[] => Array.from({ length: 5 }, (_, i) => `${prefix}-${i}`)

async function same(one: Member, other: Member): Promise<void> {
  const place = () => one.lead?.running.tail.seq ?? one.engine.remembered.seq
  await until('both stand at one command', () => other.engine.remembered.seq === place())
  const seq = place()
  const [a, b] = await Promise.all([one.engine.feed.stateHash(seq), other.engine.feed.stateHash(seq)])
  expect(a).toBeDefined()
  expect(a).toEqual(b as Uint8Array)
}

test('an engine on its own leads, and its successor has everything that was answered', async () => {
  newCluster()
  const first = await cluster.start('first')
  const answered = await openAccounts(names('a'))
  expect(answered).toEqual(names('a'))
  first.engine.stop()
  expect(await first.ended).toEqual({ snapshotProblem: undefined })
  const second = await cluster.start('second')
  expect(await accountsOf(await leader())).toEqual(answered)
  expect(second.lead?.report).toMatchObject({ epoch: 2, newlyQuarantined: [], caughtUpCommands: 7 })
  expect(second.lead?.report.journal).toBe(
    first.notes.flatMap((note) => (note.kind === 'Leading' ? note.report.journal : []))[0] as string,
  )
})

test('a standby follows, takes over from a lost leader with everything that was answered, and the lost one comes back as its standby', async () => {
  newCluster()
  const first = await cluster.start('first')
  const before = await openAccounts(names('before'))
  const second = await cluster.start('second')
  await second.engine.caughtUp
  await same(first, second)
  isolate(first)
  passLeaderTimeout()
  await until('the second leads', () => second.lead !== undefined)
  expect(second.lead?.report.caughtUpCommands).toBe(1)
  const after = await openAccounts(names('after'))
  expect(await accountsOf(second)).toEqual([...before, ...after])
  expect(first.lead).toBeUndefined()
  unreachable.clear()
  await until('the first follows', () => first.notes.at(-1)?.kind === 'Following')
  await same(second, first)
})

test('a leader that was deposed and has not noticed answers no read', async () => {
  // The first leader neither sends nor receives anything by itself.
  newCluster({ heartbeatMs: 60_000 })
  const first = await cluster.start('first')
  await openAccounts(names('before'))
  const second = await cluster.start('second')
  passLeaderTimeout()
  await until('the second leads', () => second.lead !== undefined)
  expect(first.lead).toBeDefined()
  const reading = first.lead?.port.ask('balances', { accountId: 3 as AccountId })
  expect(await reading?.catch((fault: unknown) => fault)).toBeInstanceOf(EngineFault)
  await until('it leads no more', () => first.lead === undefined)
})

test('a leader that is to stop hands over at once, without a leader timeout', async () => {
  newCluster()
  const old = await cluster.start('old')
  const answered = await openAccounts(names('a'))
  const standby = await cluster.start('standby')
  await standby.engine.caughtUp
  old.engine.stop()
  await until('the standby leads', () => standby.lead !== undefined)
  expect(await accountsOf(standby)).toEqual(answered)
})

test('a standby that is stopped leaves a snapshot of all that it has followed', async () => {
  newCluster()
  const first = await cluster.start('first')
  await openAccounts(names('a'))
  const standby = await cluster.start('standby')
  await standby.engine.caughtUp
  await same(first, standby)
  const { tail } = (first.lead as NonNullable<Member['lead']>).running
  const stateHash = await standby.engine.feed.stateHash(tail.seq)
  standby.engine.stop()
  expect(await standby.ended).toEqual({ snapshotProblem: undefined })
  const [head] = (await standby.snapshots.list()).heads
  expect(head).toMatchObject({ seq: tail.seq, journalHash: tail.hash, stateHash })
})

test('an engine that halts says so, and a standby claims at once, without a leader timeout', async () => {
  newCluster()
  const first = await cluster.start('first')
  const answered = await openAccounts(names('a'))
  const standby = await cluster.start('standby')
  await standby.engine.caughtUp
  first.engine.halt(new Error('another part has failed'))
  expect(await faultOf(first)).toMatchObject({ message: 'another part has failed' })
  await until('the standby leads', () => standby.lead !== undefined)
  expect(await accountsOf(standby)).toEqual(answered)
  expect((await first.snapshots.list()).heads).toEqual([])
})

test('an engine follows a leader that it has found while its query to the database is not answered', async () => {
  newCluster()
  const first = await cluster.start('first')
  const answered = await openAccounts(names('a'))
  neverAnswered.add('second')
  const second = await cluster.start('second')
  await second.engine.caughtUp
  expect(second.notes.at(-1)).toEqual({ kind: 'Following', leader: 'first', epoch: 1 })
  expect(answered).toEqual(names('a'))
  await same(first, second)
})

test('a batch in doubt that is stored counts without an answer to its sender, and the same engine keeps leading', async () => {
  newCluster()
  const first = await cluster.start('first')
  await openAccounts(['known'])
  nextInsertion = async (insert) => {
    await insert()
    return { kind: 'UNKNOWN', fault: new JournalFault('FAILED', 'the connection was lost') }
  }
  const fault = await first.lead?.port.submit(account('doubtful')).catch((cause: unknown) => cause)
  expect((fault as EngineFault).kind).toBe('OUTCOME_UNKNOWN')
  await until('it leads again', () => (first.lead?.report.epoch ?? 0) === 2)
  expect(await accountsOf(first)).toEqual(['known', 'doubtful'])
})

test('a batch in doubt that is not stored never counts', async () => {
  newCluster()
  const first = await cluster.start('first')
  await openAccounts(['known'])
  nextInsertion = async () => ({
    kind: 'UNKNOWN',
    fault: new JournalFault('FAILED', 'the connection was lost'),
  })
  await first.lead?.port.submit(account('doubtful')).catch(() => {})
  await until('it leads again', () => (first.lead?.report.epoch ?? 0) === 2)
  expect(await accountsOf(first)).toEqual(['known'])
})

test('an engine without a state gets its snapshot from the leader', async () => {
  newCluster()
  const first = await cluster.start('first')
  const answered = await openAccounts(names('a'))
  first.engine.stop()
  await first.ended
  const again = await cluster.start('again', first)
  await leader()
  const fresh = await cluster.start('fresh')
  await fresh.engine.caughtUp
  expect(fresh.notes.some(({ kind }) => kind === 'SnapshotCopied')).toBe(true)
  await same(again, fresh)
  again.engine.stop()
  await until('it leads', () => fresh.lead !== undefined)
  expect(await accountsOf(fresh)).toEqual(answered)
})

test('a journal that lacks what another part remembers is not led any further', async () => {
  newCluster()
  const first = await cluster.start('first')
  await openAccounts(['a'])
  const { tail } = (first.lead as NonNullable<Member['lead']>).running
  await first.present({ ...tail, position: tail.position + 1, seq: (tail.seq + 1) as typeof tail.seq })
  expect(await faultOf(first)).toMatchObject({
    kind: 'WITNESS',
    message: expect.stringContaining('does not have it'),
  })
})

test('an engine that has halted because of what others remember halts again when it is restarted without them', async () => {
  newCluster()
  const first = await cluster.start('first')
  await openAccounts(['a'])
  const { tail } = (first.lead as NonNullable<Member['lead']>).running
  const lost = { ...tail, position: tail.position + 1, seq: (tail.seq + 1) as typeof tail.seq }
  await first.present(lost)
  expect(await faultOf(first)).toMatchObject({ kind: 'WITNESS' })
  isolate(first)
  unreachable.clear()
  const again = await cluster.start('first', { witness: first.witness })
  expect(await faultOf(again)).toMatchObject({
    kind: 'WITNESS',
    message: expect.stringContaining(`position ${lost.position} of the journal is remembered`),
  })
})

test('a command that an operator has given up is refused to a part that remembers it, and halts no other', async () => {
  newCluster()
  const nonce = () => new Uint8Array(CLAIM_NONCE_BYTES)
  const begun = claimBatch(sha256, EMPTY_TAIL, { name: 'lost', nonce: nonce() })
  const name = operatorClaimName('TAIL_ACCEPTED', 'anna', 'the disks are gone')
  const tail = endOf(begun)
  place.rows.push(begun, ...operatorClaims({ digest: sha256, tail, epochMax: 4, name, nonce }))
  const lost = { ...tail, position: 9, epoch: 3, seq: 9 as typeof tail.seq, hash: new Uint8Array(32).fill(7) }
  const witness = new MemoryWitness()
  witness.reset(lost)
  const ahead = await cluster.start('ahead', { witness })
  const sentence = 'was given up: accept-tail by anna: the disks are gone'
  expect(await faultOf(ahead)).toMatchObject({
    kind: 'WITNESS',
    message: expect.stringContaining(sentence),
  })
  isolate(ahead)
  unreachable.clear()
  const first = await cluster.start('first')
  // Presented before it leads, and while it does.
  await first.present(lost)
  await openAccounts(['a'])
  expect(await first.present(lost)).toContain('accept-tail by anna: the disks are gone')
  await openAccounts(['b'])
  const { tail: end } = (first.lead as NonNullable<Member['lead']>).running
  expect(end.epoch).toBe(6)
  // A position that the engine itself has acknowledged since then is no contradiction.
  await first.present({ ...end, position: end.position + 1, seq: (end.seq + 1) as typeof end.seq })
  expect(await faultOf(first)).toMatchObject({ kind: 'WITNESS' })
})

test('an old position that another part remembers costs one statement', async () => {
  newCluster()
  const first = await cluster.start('first')
  await openAccounts(names('a'))
  const places = place.rows.slice(0, -1).map(endOf)
  statements.length = 0
  expect(await Promise.all(places.map((each) => first.present(each)))).toEqual(places.map(() => undefined))
  expect(statements).toEqual(places.map(() => 'readAt'))
})

test('damage that is met while looking up what another part remembers ends the engine', async () => {
  newCluster()
  const first = await cluster.start('first')
  await openAccounts(names('a'))
  nextReading = () => Promise.reject(new JournalFault('DAMAGED', 'position 2 cannot be read'))
  expect(await first.present(endOf(place.rows[1] as Batch))).toBe('position 2 cannot be read')
  expect(await faultOf(first)).toMatchObject({ kind: 'DAMAGED' })
})

test('a journal that differs from what another part remembers is not led any further', async () => {
  newCluster()
  const first = await cluster.start('first')
  await openAccounts(names('a'))
  const { tail } = (first.lead as NonNullable<Member['lead']>).running
  await first.present({ ...tail, position: 2, seq: 2 as typeof tail.seq })
  expect(await faultOf(first)).toMatchObject({
    kind: 'WITNESS',
    message: expect.stringContaining('another batch'),
  })
})

test('a journal that lost what the witness of a standby remembers is not claimed by it', async () => {
  newCluster()
  const first = await cluster.start('first')
  const second = await cluster.start('second')
  await openAccounts(names('a'))
  await same(first, second)
  first.engine.stop()
  isolate(first)
  isolate(second)
  place.rows.length = 3
  place.leader.heardAt = undefined
  unreachable.clear()
  expect(await faultOf(second)).toMatchObject({
    kind: 'WITNESS',
    message: expect.stringContaining('is remembered'),
  })
})

test('an engine whose witness is gone but whose snapshots are not does not start', async () => {
  newCluster()
  const first = await cluster.start('first')
  await openAccounts(['a'])
  first.engine.stop()
  await first.ended
  const without = cluster.start('without', { snapshots: first.snapshots, witness: new MemoryWitness() })
  const fault = await without.catch((cause: unknown) => cause)
  expect(fault).toMatchObject({
    kind: 'WITNESS',
    message: expect.stringContaining('no witness file'),
  })
})

test('an engine that comes back accepts a leader that was deposed for nothing else, although it has less than is remembered', async () => {
  newCluster({ heartbeatMs: 60_000 })
  await cluster.start('east')
  await openAccounts(['first'])
  const west = await cluster.start('west')
  passLeaderTimeout()
  await until('west leads as well', () => west.lead !== undefined)
  expect((await west.lead?.port.submit(account('second')))?.kind).toBe('AccountOpened')
  isolate(west)
  const again = await cluster.start('west', { witness: west.witness })
  const turnedAway = 'east leads an epoch that is over'
  const isTurnedAway = () => again.notes.some((note) => note.kind === 'Seeking' && note.why === turnedAway)
  await until('it has met the deposed one', isTurnedAway)
})

test('an engine ends where the exchange was moved out of the cluster, and says where it went', async () => {
  newCluster()
  const first = await cluster.start('first')
  await openAccounts(['a'])
  first.engine.stop()
  await first.ended
  place.rows.push(sealTo('DIRECTORY', endOf(place.rows.at(-1) as Batch)))
  const second = await cluster.start('second')
  expect(await faultOf(second)).toMatchObject({
    kind: 'SEALED',
    message: expect.stringContaining('moved the exchange to the data directory'),
  })
})

test('a leader stops leading when it learns of a later epoch', async () => {
  newCluster()
  const first = await cluster.start('first')
  await openAccounts(['a'])
  const { tail } = (first.lead as NonNullable<Member['lead']>).running
  await first.present({ ...tail, position: tail.position + 1, epoch: tail.epoch + 1 })
  await until('it has noted that', () => first.notes.some(({ kind }) => kind === 'LeadLost'))
})

/** A machine that cannot open an account with this name, or that fails in the middle of it. */
function dyingOf(name: string, when: 'BEFORE' | 'MIDDLE' = 'BEFORE'): StateMachineFactory {
  const armed = (machine: StateMachine): StateMachine => {
    const apply = machine.apply.bind(machine)
    machine.apply = (command, time, emit) => {
      const isDeadly = command.kind === 'CreateAccount' && command.name === name
      if (isDeadly && when === 'MIDDLE') apply(command, time, emit)
      if (isDeadly) throw new Error(`cannot open ${name}`)
      return apply(command, time, emit)
    }
    return machine
  }
  return {
    empty: () => armed(ANY_EXCHANGES.empty()),
    fromSnapshot: (payload) => armed(ANY_EXCHANGES.fromSnapshot(payload)),
  }
}

/** A leader killed by a command, and the standby that succeeds it. */
async function poisoned(
  options: MemberOptions = {},
): Promise<{ readonly first: Member; readonly second: Member; readonly poison: Batch }> {
  newCluster()
  const machines = dyingOf('poison')
  const first = await cluster.start('first', { machines })
  await until('the first leads', () => first.lead !== undefined)
  const second = await cluster.start('second', { machines, ...options })
  await openAccounts(names('before'))
  await same(first, second)
  await first.lead?.port.submit(account('poison')).catch(() => {})
  await faultOf(first)
  return { first, second, poison: place.rows.at(-1) as Batch }
}

test('a command that kills every engine that applies it is skipped by the next leader, and everything before it stays', async () => {
  const { second } = await poisoned()
  await until('the second leads', () => second.lead !== undefined)
  expect(second.lead?.report.newlyQuarantined.length).toBe(1)
  const after = await openAccounts(['after'])
  expect(await accountsOf(second)).toEqual([...names('before'), ...after])
})

test('a leader that died of a command remembers nothing of it, so that the next one may skip it', async () => {
  const { first, second, poison } = await poisoned()
  const recorded = first.witness.recall()
  expect(recorded.kind === 'MARK' && recorded.mark.position).toBe(poison.position - 1)
  await second.present(recorded.kind === 'MARK' ? recorded.mark : endOf(poison))
  await until('the second leads', () => second.lead !== undefined)
  expect(second.lead?.report.newlyQuarantined.length).toBe(1)
})

test('a command that another part has seen is never skipped, though this engine cannot apply it', async () => {
  const { second, poison } = await poisoned()
  await second.present(endOf(poison))
  expect(await faultOf(second)).toMatchObject({
    kind: 'UNSUPPORTED',
    message: expect.stringContaining('another process of the cluster received it'),
  })
  expect(place.rows.some(({ kind }) => kind === 'QUARANTINE')).toBe(false)
})

test('an engine that loses the lead while it skips a command continues from a state without any part of it', async () => {
  const { second } = await poisoned({ machines: dyingOf('poison', 'MIDDLE') })
  nextKind = 'QUARANTINE'
  nextInsertion = async (insert) => {
    await insert()
    return { kind: 'UNKNOWN', fault: new JournalFault('FAILED', 'the connection was lost') }
  }
  await until('the second leads', () => second.lead !== undefined)
  expect(second.notes.some(({ kind }) => kind === 'LeadLost')).toBe(true)
  expect(await accountsOf(second)).toEqual(names('before'))
})

const faultOf = async ({ ended }: Member): Promise<unknown> => ended.catch((cause: unknown) => cause)
