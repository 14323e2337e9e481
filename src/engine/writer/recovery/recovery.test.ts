import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { MemoryJournal } from '../../../../sim/memory/journal.ts'
import { MemorySnapshots } from '../../../../sim/memory/snapshots.ts'
import { MemoryWitness } from '../../../../sim/memory/witness.ts'
import { NO_EVENTS } from '../../../core/events/event.ts'
import { sha256 } from '../../../storage/sha256.ts'
import type { Seq } from '../../../units/quantities.ts'
import { anyBatches, JournaledExchange, openMarkets } from '../../follower/journaled-exchange.fixture.ts'
import {
  type Batch,
  EMPTY_TAIL,
  endOf,
  hashOfBatch,
  type Journal,
  JournalFault,
  lastSeqOf,
  type Tail,
} from '../../port/journal.ts'
import { ANY_EXCHANGES } from '../../port/machines.fixture.ts'
import { takeSnapshot } from '../../port/snapshots.ts'
import type { StateMachine, StateMachineFactory } from '../../port/state-machine.ts'
import { account } from '../commands.fixture.ts'
import { type Recovery, type RecoveryOptions, recover } from './recovery.ts'
import { ReplayFault, replayBatch } from './replay.ts'
import { verifiedBatches } from './verified-batches.ts'

type Storage = { journal: Journal; witness: MemoryWitness; snapshots: MemorySnapshots }

/** Storage with these batches, and with a witness that recorded all of them. */
async function stored(batches: readonly Batch[]): Promise<Storage> {
  const journal = new MemoryJournal()
  for (const batch of batches) await journal.append(batch)
  const witness = new MemoryWitness()
  witness.reset(journal.tail)
  return { journal, witness, snapshots: new MemorySnapshots() }
}

function start(storage: Storage, options: Partial<RecoveryOptions> = {}): Promise<Recovery> {
  return recover({
    ...storage,
    digest: sha256,
    machines: ANY_EXCHANGES,
    acceptJournalTail: false,
    ...options,
  })
}

async function faultOf(work: Promise<unknown>): Promise<JournalFault> {
  const cause = await work.catch((cause: unknown) => cause)
  if (cause instanceof JournalFault) return cause
  throw new Error(`expected a fault, found ${cause}`)
}

/** Reads a journal from its first command on; resolves with its end. */
async function readWhole(journal: Journal): Promise<Tail> {
  let end = EMPTY_TAIL
  for await (const { tail } of verifiedBatches(journal, sha256, EMPTY_TAIL)) end = tail
  return end
}

async function someBatches(count: number): Promise<{ live: JournaledExchange; batches: Batch[] }> {
  const live = new JournaledExchange()
  const batches = [await live.write(openMarkets())]
  while (batches.length < count)
    batches.push(await live.write([account(`${batches.length}`), account('twice')]))
  return { live, batches }
}

function stateHash(machine: StateMachine): Uint8Array {
  return sha256([machine.encodeSnapshot()])
}

/** The machine after these batches. */
function replayed(batches: readonly Batch[]): StateMachine {
  const machine = ANY_EXCHANGES.empty()
  for (const batch of batches) replayBatch(machine, batch, new Set(), NO_EVENTS)
  return machine
}

/** Machines that fail on the account `name`, and the number of machines created. */
function breakingOn(name: string): StateMachineFactory {
  const broken = (machine: StateMachine): StateMachine => {
    const apply = machine.apply.bind(machine)
    machine.apply = (command, ...rest) => {
      if (command.kind === 'CreateAccount' && command.name === name) throw new Error('a bug')
      return apply(command, ...rest)
    }
    return machine
  }
  return {
    empty: () => broken(ANY_EXCHANGES.empty()),
    fromSnapshot: (payload) => broken(ANY_EXCHANGES.fromSnapshot(payload)),
  }
}

describe('the same state', () => {
  test('after every prefix of the journal, from every snapshot, recovery is at the state that was live', async () => {
    await fc.assert(
      fc.asyncProperty(anyBatches, fc.nat(100), async (written, pick) => {
        const live = new JournaledExchange()
        const batches = [await live.write(openMarkets())]
        for (const commands of written) batches.push(await live.write(commands))
        for (let length = 1; length <= batches.length; length++) {
          const prefix = batches.slice(0, length)
          const storage = await stored(prefix)
          const upTo = pick % (length + 1)
          if (upTo > 0) {
            const end = endOf(batches[upTo - 1] as Batch)
            await storage.snapshots.save(takeSnapshot(replayed(batches.slice(0, upTo)), end, sha256))
          }
          const { machine, report } = await start(storage)
          expect(machine.seq).toBe(storage.journal.tail.seq)
          expect(stateHash(machine)).toEqual(live.stateHashBySeq.get(machine.seq) as Uint8Array)
          expect(report.snapshotSeq as number).toBe(upTo === 0 ? 0 : lastSeqOf(batches[upTo - 1] as Batch))
          expect(report.replayedCommands).toBe(machine.seq - report.snapshotSeq)
        }
      }),
      { numRuns: 25 },
    )
  })

  test('an empty journal gives the empty exchange, and the witness starts with it', async () => {
    const storage = {
      journal: new MemoryJournal(),
      witness: new MemoryWitness(),
      snapshots: new MemorySnapshots(),
    }
    const { machine } = await start(storage)
    expect(machine.seq as number).toBe(0)
    expect(storage.witness.recall().kind).toBe('MARK')
  })

  test('a long replay reports its progress', async () => {
    const { batches } = await someBatches(3)
    const seen: number[] = []
    await start(await stored(batches), { onProgress: ({ seq, endSeq }) => seen.push(seq, endSeq) })
    expect(seen).toEqual([batches.at(-1), batches.at(-1)].map((batch) => lastSeqOf(batch as Batch)))
  })
})

describe('damage', () => {
  const changes: Record<string, (batch: Batch) => Batch> = {
    'a byte of the data': (batch) => ({
      ...batch,
      data: batch.data.map((byte, i) => (i === 9 ? byte ^ 4 : byte)),
    }),
    'the time': (batch) => ({ ...batch, time: (batch.time + 1) as Batch['time'] }),
    'an earlier time': (batch) => ({ ...batch, time: 0 as Batch['time'] }),
    'the previous hash': (batch) => ({ ...batch, previousHash: batch.hash }),
    'the hash': (batch) => ({ ...batch, hash: batch.previousHash }),
    'the count': (batch) => ({ ...batch, count: batch.count + 1 }),
    'the first command': (batch) => ({ ...batch, firstSeq: (batch.firstSeq - 1) as Seq }),
    'whole batches, exchanged for others with a good hash': (batch) => {
      const other = { ...batch, data: batch.data.slice(), previousHash: new Uint8Array(32) }
      return { ...other, hash: hashOfBatch(sha256, other) }
    },
  }
  for (const [what, change] of Object.entries(changes)) {
    test(`${what}: the batch is named and nothing is replayed past it`, async () => {
      const { batches } = await someBatches(4)
      const storage = await stored(batches)
      const read = storage.journal.read.bind(storage.journal)
      storage.journal.read = async (afterSeq, maxBytes) =>
        (await read(afterSeq, maxBytes)).map((batch) => (batch === batches[2] ? change(batch) : batch))
      const fault = await faultOf(start(storage))
      expect(fault.kind).toBe('DAMAGED')
      expect(fault.message).toMatch(/^batch \d+ to \d+ of the journal/)
    })
  }

  test('a batch that is missing in the middle is found', async () => {
    const { batches } = await someBatches(4)
    const storage = await stored(batches)
    const read = storage.journal.read.bind(storage.journal)
    storage.journal.read = async (afterSeq, maxBytes) =>
      (await read(afterSeq, maxBytes)).filter((batch) => batch !== batches[2])
    expect((await faultOf(start(storage))).kind).toBe('DAMAGED')
  })

  test('reading the whole journal finds damage that a start from a snapshot does not meet', async () => {
    const { live, batches } = await someBatches(4)
    const storage = await stored(batches)
    await storage.snapshots.save(takeSnapshot(live.exchange, live.journal.tail, sha256))
    expect(await readWhole(storage.journal)).toEqual(storage.journal.tail)
    const read = storage.journal.read.bind(storage.journal)
    storage.journal.read = async (...where) =>
      (await read(...where)).map((batch) =>
        batch === batches[1] ? { ...batch, count: batch.count + 1 } : batch,
      )
    expect((await start(storage)).report.replayedCommands).toBe(0)
    expect((await faultOf(readWhole(storage.journal))).kind).toBe('DAMAGED')
  })

  test('a damaged snapshot is reported and an older one or none is used', async () => {
    const { batches } = await someBatches(4)
    const storage = await stored(batches)
    for (const length of [2, 3]) {
      const end = endOf(batches[length - 1] as Batch)
      await storage.snapshots.save(takeSnapshot(replayed(batches.slice(0, length)), end, sha256))
    }
    const load = storage.snapshots.load.bind(storage.snapshots)
    const [newest, older] = (await storage.snapshots.list()).heads.map(({ seq }) => seq)
    storage.snapshots.load = async (head) =>
      head.seq === newest ? { name: `${head.seq}`, problem: 'torn' } : load(head)
    const { report } = await start(storage)
    expect(report.snapshotSeq).toBe(older as Seq)
    expect(report.damagedSnapshots).toEqual([{ name: `${newest}`, problem: 'torn' }])

    storage.snapshots.load = async (head) => ({ ...(await load(head)), payload: new Uint8Array(3) }) as never
    const second = await start(storage)
    expect(second.report.snapshotSeq as number).toBe(0)
    expect(second.report.damagedSnapshots.length).toBe(2)
  })
})

describe('witnesses', () => {
  test('a journal that is shorter than its witness halts the start, with what was found and what to do', async () => {
    const { batches } = await someBatches(4)
    const storage = await stored(batches.slice(0, 3))
    const { firstSeq } = batches[3] as Batch
    storage.witness.reset(endOf(batches[3] as Batch))
    const fault = await faultOf(start(storage))
    expect(fault.kind).toBe('WITNESS')
    expect(fault.message).toContain(
      `is at command ${lastSeqOf(batches[3] as Batch)}, but the journal ends at ${firstSeq - 1}`,
    )
    expect(fault.message).toContain('--accept-journal-tail')
  })

  test('a different journal of the same length halts the start', async () => {
    const { batches } = await someBatches(3)
    const storage = await stored(batches)
    storage.witness.reset({ ...storage.journal.tail, hash: new Uint8Array(32) })
    expect((await faultOf(start(storage))).kind).toBe('WITNESS')
    storage.witness.reset({ ...storage.journal.tail, seq: (storage.journal.tail.seq - 1) as Seq })
    expect((await faultOf(start(storage))).message).toContain('no batch end')
  })

  test('a snapshot is a witness too', async () => {
    const { live, batches } = await someBatches(4)
    const storage = await stored(batches.slice(0, 2))
    await storage.snapshots.save(takeSnapshot(live.exchange, live.journal.tail, sha256))
    const fault = await faultOf(start(storage))
    expect(fault.kind).toBe('WITNESS')
    expect(fault.message).toContain(`snapshot ${live.journal.tail.seq} is at command`)
  })

  test('a missing witness of an existing journal halts the start', async () => {
    const { batches } = await someBatches(2)
    const storage = { ...(await stored(batches)), witness: new MemoryWitness() }
    expect((await faultOf(start(storage))).kind).toBe('WITNESS')
  })

  test('a witness that is behind the journal is accepted, and brought up to date', async () => {
    const { batches } = await someBatches(3)
    const storage = await stored(batches)
    storage.witness.reset(endOf(batches[0] as Batch))
    const { report } = await start(storage)
    expect(report.witness.accepted).toEqual([])
    expect(storage.witness.recall()).toMatchObject({ mark: { seq: storage.journal.tail.seq } })
  })

  test('an operator may accept a shorter journal: then it is the truth, and the next start needs no acceptance', async () => {
    const { live, batches } = await someBatches(4)
    const storage = await stored(batches.slice(0, 2))
    storage.witness.reset(live.journal.tail)
    await storage.snapshots.save(takeSnapshot(live.exchange, live.journal.tail, sha256))
    const { machine, report } = await start(storage, { acceptJournalTail: true })
    expect(report.witness.accepted.length).toBe(2)
    expect(machine.seq).toBe(storage.journal.tail.seq)
    const again = await start(storage)
    expect(again.report.witness.accepted).toEqual([])
    expect(stateHash(again.machine)).toEqual(stateHash(machine))
  })

  test('acceptance does not cover damage', async () => {
    const { batches } = await someBatches(3)
    const storage = await stored(batches)
    const read = storage.journal.read.bind(storage.journal)
    storage.journal.read = async (...where) =>
      (await read(...where)).map((batch) => ({ ...batch, data: new Uint8Array(4) }))
    expect((await faultOf(start(storage, { acceptJournalTail: true }))).kind).toBe('DAMAGED')
  })
})

describe('quarantine', () => {
  test('a command of the last batch that cannot be applied is refused from then on, and all others are applied', async () => {
    const live = new JournaledExchange()
    const batches = [await live.write(openMarkets()), await live.write(['a', 'poison', 'b'].map(account))]
    const storage = await stored(batches)
    const machines = breakingOn('poison')
    const { machine, report } = await start(storage, { machines })
    const poisoned = ((batches[1] as Batch).firstSeq + 1) as Seq
    expect(report.newlyQuarantined).toEqual([poisoned])
    expect(
      machine
        .bootstrap()
        .accounts.map(({ name }) => name)
        .slice(-2),
    ).toEqual(['a', 'b'])

    const again = await start(storage, { machines })
    expect(again.report.newlyQuarantined).toEqual([])
    expect([...again.report.quarantined]).toEqual([poisoned])
    expect(stateHash(again.machine)).toEqual(stateHash(machine))
    const repaired = await start(storage)
    expect(stateHash(repaired.machine)).toEqual(stateHash(machine))
  })

  test('several such commands are each quarantined', async () => {
    const live = new JournaledExchange()
    const batch = await live.write([account('poison'), account('a'), account('poison')])
    const { machine, report } = await start(await stored([batch]), { machines: breakingOn('poison') })
    expect(report.newlyQuarantined.map(Number)).toEqual([1, 3])
    expect(machine.seq as number).toBe(3)
  })

  test('a command that an earlier run applied is never skipped: the start halts', async () => {
    const live = new JournaledExchange()
    const batches = [await live.write([account('acknowledged')]), await live.write([account('later')])]
    const storage = await stored(batches)
    const fault = await faultOf(start(storage, { machines: breakingOn('acknowledged') }))
    expect(fault.kind).toBe('UNSUPPORTED')
    expect(await storage.journal.quarantined()).toEqual([])
  })

  test('a lost entry is made again, halts the start, or is covered by a snapshot: never another state', async () => {
    const live = new JournaledExchange()
    const batches = [await live.write(openMarkets()), await live.write(['a', 'poison', 'b'].map(account))]
    const machines = breakingOn('poison')
    const expected = await start(await stored(batches), { machines })
    const made = await start(await stored(batches), { machines })
    expect(stateHash(made.machine)).toEqual(stateHash(expected.machine))

    const later = [...batches, await live.write([account('later')])]
    const fault = await faultOf(start(await stored(later), { machines }))
    expect(fault.kind).toBe('UNSUPPORTED')
    expect(fault.message).toContain('which an earlier run applied')

    const storage = await stored(batches)
    await storage.snapshots.save(takeSnapshot(expected.machine, storage.journal.tail, sha256))
    const covered = await start(storage, { machines })
    expect(stateHash(covered.machine)).toEqual(stateHash(expected.machine))
    const everything = machines.empty()
    replayBatch(everything, batches[0] as Batch, covered.report.quarantined, NO_EVENTS)
    expect(() => replayBatch(everything, batches[1] as Batch, covered.report.quarantined, NO_EVENTS)).toThrow(
      ReplayFault,
    )
  })

  test('an entry that does not belong to its command halts the start', async () => {
    const { batches } = await someBatches(2)
    for (const seq of [1, 1_000]) {
      const storage = await stored(batches)
      await storage.journal.quarantine({ seq: seq as Seq, check: new Uint8Array(32) })
      expect((await faultOf(start(storage))).kind).toBe('DAMAGED')
    }
  })
})

test('a command that this version does not know halts the start and is not skipped', async () => {
  const live = new JournaledExchange()
  const { data, hash: _, ...head } = await live.write([account('a')])
  const strange = data.slice()
  strange[4] = 255 // the code of the command
  const unsealed = { ...head, data: strange }
  const storage = await stored([{ ...unsealed, hash: hashOfBatch(sha256, unsealed) }])
  const fault = await faultOf(start(storage))
  expect(fault.kind).toBe('UNSUPPORTED')
  expect(fault.message).toContain('command 1')
})
