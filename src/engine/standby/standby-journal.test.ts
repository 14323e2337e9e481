import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MemorySnapshots } from '../../../sim/memory/snapshots.ts'
import { FileWitness } from '../../storage/files/witness.ts'
import { sha256 } from '../../storage/sha256.ts'
import { SqliteJournal } from '../../storage/sqlite/journal.ts'
import { seq, type TimeMs } from '../../units/quantities.ts'
import { type Batch, EMPTY_TAIL, endOf, following, JournalFault, sealed } from '../port/journal.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import { checkWitnesses } from '../writer/recovery/journal-check.ts'
import { StandbyJournal } from './standby-journal.ts'

const opened: { close(): Promise<void> }[] = []
const directories: string[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

/** A standby's journal on a disk, and the storage under it. */
function open(recentBytesMax = 1_000_000) {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-standby-'))
  directories.push(directory)
  const store = SqliteJournal.open({ directory })
  const witness = new FileWitness(path.join(directory, 'journal.witness'), sha256)
  const nodeStateHash = async () => undefined
  const journal = new StandbyJournal({
    store,
    witness,
    digest: sha256,
    machines: ANY_EXCHANGES,
    recentBytesMax,
    nodeStateHash,
  })
  opened.push(journal)
  journal.begin()
  return { journal, store, witness }
}

/** `count` batches of two commands each. */
function batchesOf(count: number): Batch[] {
  const batches: Batch[] = []
  for (let i = 0; i < count; i++) {
    const last = batches.at(-1)
    const head = following(last === undefined ? EMPTY_TAIL : endOf(last))
    const data = new Uint8Array([i])
    batches.push(sealed(sha256, { ...head, kind: 'COMMANDS', count: 2, time: 1 as TimeMs, data }))
  }
  return batches
}

test('a received batch is stored with its chain, remembered by the witness, and given to those who replay it', async () => {
  for (const recentBytesMax of [1, 1_000_000]) {
    const { journal, store, witness } = open(recentBytesMax)
    const batches = batchesOf(5)
    const waits = journal.next(seq(0), 1)
    await journal.take(batches.slice(0, 2))
    expect((await waits)[0]?.hash).toEqual(batches[0]?.hash as Uint8Array)
    await journal.take(batches.slice(2))
    expect(journal.tail).toEqual(endOf(batches[4] as Batch))
    expect(witness.recall()).toMatchObject({ kind: 'MARK', mark: { seq: 10, position: 5 } })
    expect(await store.read(seq(0), 1_000_000)).toEqual(batches)
    expect((await journal.next(seq(4), 1_000_000)).map(({ hash }) => hash)).toEqual(
      batches.slice(2).map(({ hash }) => hash),
    )
  }
})

test('batches that do not follow are refused, and nothing is stored: not those before them either', async () => {
  const { journal } = open()
  const [first, second, third] = batchesOf(3) as [Batch, Batch, Batch]
  const spoilt = { ...third, data: new Uint8Array([9]) }
  for (const wrong of [[second], [first, third], [first, second, spoilt], [{ ...first, time: 2 as TimeMs }]])
    await expect(journal.take(wrong)).rejects.toMatchObject({ kind: 'DAMAGED' })
  expect(journal.tail.seq).toBe(seq(0))
  await journal.take([first, second, third])
  expect(journal.tail.seq).toBe(seq(6))
})

test('commands that the node skips are skipped here, and are new once', async () => {
  const { journal } = open()
  await journal.take(batchesOf(2))
  const seqs = new Set([seq(3), seq(99)])
  expect(await journal.passOver(seqs)).toBe(true)
  expect(await journal.passOver(seqs)).toBe(false)
  expect(await journal.quarantined()).toEqual(new Set([seq(3), seq(99)]))
})

test('a command that the node skips and that is not stored yet is skipped once it is, durably', async () => {
  const { journal, store } = open()
  const batches = batchesOf(3)
  expect(await journal.passOver(new Set([seq(3), seq(5)]))).toBe(true)
  // The command is known before the batches arrive, at the start of a replay.
  expect(await journal.quarantined()).toEqual(new Set([seq(3), seq(5)]))
  await journal.take(batches.slice(0, 2))
  expect((await store.quarantined()).map(({ seq }) => seq)).toEqual([seq(3)])
  await journal.take(batches.slice(2))
  expect((await store.quarantined()).map(({ seq }) => seq)).toEqual([seq(3), seq(5)])
  expect(await journal.quarantined()).toEqual(new Set([seq(3), seq(5)]))
})

test('on a full disk a command is still skipped, and durably once there is room', async () => {
  const { journal, store } = open()
  const [first, second] = batchesOf(2) as [Batch, Batch]
  await journal.passOver(new Set([seq(1)]))
  const { quarantine } = store
  store.quarantine = async () => {
    throw new JournalFault('STORAGE_FULL', 'no room')
  }
  await journal.take([first])
  expect(await journal.quarantined()).toEqual(new Set([seq(1)]))
  store.quarantine = quarantine
  await journal.take([second])
  expect((await store.quarantined()).map(({ seq }) => seq)).toEqual([seq(1)])
})

test('a standby that lost its end remembers it until that is stored again', async () => {
  const { journal, store, witness } = open()
  const batches = batchesOf(4)
  const [first, , third] = batches as [Batch, Batch, Batch, Batch]
  await journal.take([first])
  // The directory had three batches; the storage lost two.
  witness.record(endOf(third))
  const digest = sha256
  const again = new StandbyJournal({
    ...{ store, witness, digest, machines: ANY_EXCHANGES, recentBytesMax: 1_000 },
    nodeStateHash: async () => undefined,
  })
  const remembers = async (): Promise<string> => {
    const check = { snapshots: new MemorySnapshots(), heads: [], acceptJournalTail: false }
    return checkWitnesses({ journal: store, witness, ...check }).then(
      () => 'whole',
      ({ kind, message }) => `${kind} ${message.slice(0, 40)}`,
    )
  }
  again.begin()
  expect(await remembers()).toBe('WITNESS the witness file is at command 6, but th')
  await again.take(batches.slice(1, 2))
  expect(await remembers()).toStartWith('WITNESS')
  await again.take(batches.slice(2, 3))
  expect(await remembers()).toBe('whole')
  await again.take(batches.slice(3))
  expect(witness.recall()).toMatchObject({ mark: { seq: 8 } })
})

test('a request that waits for batches learns when the standby stops', async () => {
  const { journal } = open()
  const waits = journal.next(seq(0), 1)
  journal.stop()
  await expect(waits).rejects.toMatchObject({ kind: 'STOPPING' })
})
