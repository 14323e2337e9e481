/** A claimed journal on any table. What a database does to it is tested in test/postgres and sim/cluster. */
import { expect, test } from 'bun:test'
import { type MemoryTable, MemoryTablePlace } from '../../../sim/memory/leadership-table.ts'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq } from '../../units/quantities.ts'
import { batchAfter, fill } from '../port/journal.contract.ts'
import { JournalFault } from '../port/journal.ts'
import { CLAIM_NONCE_BYTES } from '../writer/own-batches.ts'
import { ClaimedJournal, type ClaimedJournalOptions } from './claimed-journal.ts'

/** Timers that run when a test triggers them. */
class Timers {
  #tasks: (() => void)[] = []

  later(task: () => void): () => void {
    this.#tasks.push(task)
    return () => {
      this.#tasks = this.#tasks.filter((one) => one !== task)
    }
  }

  get count(): number {
    return this.#tasks.length
  }

  async run(): Promise<void> {
    const tasks = this.#tasks
    this.#tasks = []
    for (const task of tasks) task()
    await Bun.sleep(0)
  }
}

function newPlace() {
  const time = { nowMs: 0 }
  const place = new MemoryTablePlace(() => time.nowMs)
  const timers = new Timers()
  let nonces = 0
  const options = (name: string): ClaimedJournalOptions => ({
    openTable: () => place.open(),
    digest: sha256,
    scheduler: timers,
    name,
    nonce: () => new Uint8Array(CLAIM_NONCE_BYTES).fill(++nonces),
    silenceMs: 700,
    heartbeatMs: 150,
  })
  return { place, time, timers, options }
}

function refusal(work: Promise<unknown>): Promise<JournalFault> {
  return work.then(
    () => {
      throw new Error('expected a refusal')
    },
    (cause) => {
      if (cause instanceof JournalFault) return cause
      throw cause
    },
  )
}

test('a leader whose heartbeats arrive is not deposed, and one that is silent for the timeout is', async () => {
  const { time, timers, options } = newPlace()
  const east = await ClaimedJournal.open(options('east'))
  time.nowMs = 600
  await timers.run()
  time.nowMs = 1_200
  expect((await refusal(ClaimedJournal.open(options('west')))).kind).toBe('IN_USE')
  time.nowMs = 1_300
  const west = await ClaimedJournal.open(options('west'))
  expect(west.tail.epoch).toBe(2)
  await timers.run()
  expect((await refusal(east.maintain())).message).toBe('epoch 1 is over: another engine leads')
})

test('a leader confirms that it leads until another has claimed, and never afterwards', async () => {
  const { time, options } = newPlace()
  const east = await ClaimedJournal.open(options('east'))
  await east.confirmLead()
  time.nowMs = 700
  const west = await ClaimedJournal.open(options('west'))
  expect((await refusal(east.confirmLead())).message).toBe('epoch 1 is over: another engine leads')
  expect((await refusal(east.append(batchAfter(east.tail, 1)))).kind).toBe('FAILED')
  expect(east.doubt).toBeUndefined()
  await west.confirmLead()
})

test('a heartbeat that may not be replicated confirms nothing', async () => {
  for (const how of ['SAID', 'FOUND'] as const) {
    const { place, options } = newPlace()
    let table: MemoryTable | undefined
    const openTable = async () => {
      table = await place.open()
      return table
    }
    const east = await ClaimedJournal.open({ ...options('east'), openTable })
    const notices = how === 'SAID' ? ['WARNING 01000'] : []
    const problem = how === 'FOUND' ? 'no standby has it' : undefined
    Object.assign(table as MemoryTable, {
      heartbeat: async () => ({ isMine: true, notices }),
      confirm: async () => problem,
    })
    expect((await refusal(east.confirmLead())).message).toStartWith(
      'it is not known whether this engine still leads',
    )
  }
})

test('a doubt is not settled in a database that lacks batches which its own leader has confirmed', async () => {
  const { place, options } = newPlace()
  const east = await ClaimedJournal.open(options('east'))
  await fill(east, [1, 1])
  const doubt = { before: east.tail, batch: batchAfter(east.tail, 1) }
  const stored = [...place.rows]
  place.rows.length = 2
  expect((await refusal(ClaimedJournal.resolve(options('east'), doubt))).kind).toBe('WITNESS')
  place.rows.push(...stored.slice(2))
  expect((await ClaimedJournal.resolve(options('east'), doubt)).isStored).toBe(false)
})

test('a doubt is not settled by a batch of the same epoch that its leader did not write', async () => {
  const { options } = newPlace()
  const east = await ClaimedJournal.open(options('east'))
  const doubt = { before: east.tail, batch: batchAfter(east.tail, 5) }
  await fill(east, [1])
  expect((await refusal(ClaimedJournal.resolve(options('east'), doubt))).kind).toBe('DAMAGED')
})

test('a journal whose connection is lost while it is read accepts no more, and says so', async () => {
  const { place, options } = newPlace()
  let table: MemoryTable | undefined
  const told: string[] = []
  const east = await ClaimedJournal.open({
    ...options('east'),
    openTable: async () => {
      table = await place.open()
      return table
    },
    onFailed: ({ message }) => told.push(message),
  })
  table?.cut()
  const fault = await refusal(east.read(0 as Seq, 1_000))
  expect(fault.kind).toBe('FAILED')
  expect(told).toEqual([fault.message])
  expect(await refusal(east.append(batchAfter(east.tail, 1)))).toBe(fault)
})

test('a closed journal reports no leader, and sends no more heartbeats', async () => {
  const { timers, options } = newPlace()
  const east = await ClaimedJournal.open(options('east'))
  const closing = east.close()
  await timers.run()
  await closing
  expect(timers.count).toBe(0)
  expect((await ClaimedJournal.open(options('west'))).tail.epoch).toBe(2)
})
