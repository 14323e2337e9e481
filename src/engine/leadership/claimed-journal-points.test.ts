/**
 * Every point at which a leader can end or lose its database, one after another: before and after each
 * statement of a short life, and with a statement that arrives only after another engine leads. In every case
 * acknowledged batches are in the journal exactly once, and the next leader can continue.
 */
import { expect, test } from 'bun:test'
import { MemoryTablePlace } from '../../../sim/memory/leadership-table.ts'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq } from '../../units/quantities.ts'
import { batchAfter } from '../port/journal.contract.ts'
import { type Batch, EMPTY_TAIL, hexOf, JournalFault, verifyBatch } from '../port/journal.ts'
import { CLAIM_NONCE_BYTES } from '../writer/own-batches.ts'
import { ClaimedJournal, type ClaimedJournalOptions } from './claimed-journal.ts'
import type { Insertion, LeadershipTable } from './leadership-table.ts'

/**
 * What happens at the chosen statement.
 * - `DIES_BEFORE`, `DIES_AFTER`: the process ends before the statement is sent, or after it was carried out.
 * - `LOST_BEFORE`, `LOST_AFTER`: the connection is lost instead, and the process continues.
 * - `LATE`: the connection is lost, and the statement is carried out after another engine has claimed.
 */
const OUTCOMES = ['DIES_BEFORE', 'DIES_AFTER', 'LOST_BEFORE', 'LOST_AFTER', 'LATE'] as const
type Outcome = (typeof OUTCOMES)[number]

/** The process has ended: no more of its code runs. */
class EndedError extends Error {
  override readonly name = 'EndedError'
}

/** Counts the statements of one process, and causes the chosen fault at one of them. */
class Points {
  readonly #at: number
  readonly #outcome: Outcome
  #count = 0
  /** The statement that arrives late. */
  late: () => Promise<unknown> = async () => undefined

  constructor(at: number, outcome: Outcome) {
    this.#at = at
    this.#outcome = outcome
  }

  get count(): number {
    return this.#count
  }

  async pass<T>(statement: () => Promise<T>, lost: () => T): Promise<T> {
    if (++this.#count !== this.#at) return statement()
    switch (this.#outcome) {
      case 'DIES_BEFORE':
        throw new EndedError()
      case 'DIES_AFTER':
        await statement()
        throw new EndedError()
      case 'LOST_BEFORE':
        return lost()
      case 'LOST_AFTER':
        await statement()
        return lost()
      case 'LATE':
        this.late = statement
        return lost()
    }
  }
}

const LOST = new JournalFault('FAILED', 'the connection was lost')

function refuse(): never {
  throw LOST
}

/** A connection on which every statement is a point. */
function pointed(table: LeadershipTable, points: Points): LeadershipTable {
  const unknown = (): Insertion => ({ kind: 'UNKNOWN', fault: LOST })
  return {
    insert: (batch) => points.pass(() => table.insert(batch), unknown),
    insertClaim: (claim, name) => points.pass(() => table.insertClaim(claim, name), unknown),
    confirm: () => points.pass(() => table.confirm(), refuse),
    readTail: () => points.pass(() => table.readTail(), refuse),
    readAt: (position) => points.pass(() => table.readAt(position), refuse),
    lastSeqAt: (position) => points.pass(() => table.lastSeqAt(position), refuse),
    readFrom: (...range) => points.pass(() => table.readFrom(...range), refuse),
    readOwn: () => points.pass(() => table.readOwn(), refuse),
    leader: () => points.pass(() => table.leader(), refuse),
    heartbeat: (epoch) => points.pass(() => table.heartbeat(epoch), refuse),
    resign: (epoch) => points.pass(() => table.resign(epoch), refuse),
    close: async () => {},
    // Cutting does not cancel a statement already in progress at the server.
    cut: () => {},
  }
}

let nonces = 0

function options(place: MemoryTablePlace, name: string, points?: Points): ClaimedJournalOptions {
  return {
    openTable: async () => (points === undefined ? place.open() : pointed(await place.open(), points)),
    digest: sha256,
    scheduler: { later: () => () => {} },
    name,
    nonce: () => new Uint8Array(CLAIM_NONCE_BYTES).fill(++nonces),
    silenceMs: 0,
    heartbeatMs: 150,
  }
}

type Life = {
  readonly acknowledged: Batch[]
  /** The result of a doubtful batch. */
  settled: { readonly batch: Batch; readonly isStored: boolean } | undefined
}

/**
 * Opens, appends, confirms that it leads, quarantines a command, reads, appends, closes; settles a doubt by
 * itself.
 */
async function live(place: MemoryTablePlace, points: Points): Promise<Life> {
  const life: Life = { acknowledged: [], settled: undefined }
  const append = async (journal: ClaimedJournal): Promise<void> => {
    const batch = batchAfter(journal.tail, 2)
    await journal.append(batch)
    life.acknowledged.push(batch)
  }
  let journal: ClaimedJournal | undefined
  try {
    journal = await ClaimedJournal.open(options(place, 'east', points))
    await append(journal)
    await journal.confirmLead()
    await journal.quarantine({ seq: 2 as Seq, check: new Uint8Array(32).fill(7) })
    await journal.read(1 as Seq, 1_000)
    await append(journal)
    await journal.close()
  } catch (cause) {
    if (cause instanceof EndedError) return life
    if (!(cause instanceof JournalFault)) throw cause
    const doubt = journal?.doubt
    if (doubt === undefined) return life
    const resolved = await ClaimedJournal.resolve(options(place, 'east'), doubt)
    life.settled = { batch: doubt.batch, isStored: resolved.isStored }
    await append(resolved.journal)
  }
  return life
}

/** The journal as the next leader reads it, verified from its beginning. */
async function successor(place: MemoryTablePlace, points: Points): Promise<readonly Batch[]> {
  const journal = await ClaimedJournal.open(options(place, 'west'))
  await points.late().catch(() => {})
  await journal.append(batchAfter(journal.tail, 1))
  const batches = await journal.read(0 as Seq, 1_000_000)
  let tail = EMPTY_TAIL
  for (const batch of batches) tail = verifyBatch(sha256, tail, batch)
  expect(tail).toEqual(journal.tail)
  return batches
}

function newPlace(): MemoryTablePlace {
  return new MemoryTablePlace(() => 0)
}

/** Number of statements of a life without a fault. */
async function statements(): Promise<number> {
  const points = new Points(0, 'DIES_BEFORE')
  const { acknowledged } = await live(newPlace(), points)
  expect(acknowledged.length).toBe(2)
  return points.count
}

test('wherever a leader ends, or loses its database, its acknowledged batches are stored once and another leader continues', async () => {
  const count = await statements()
  expect(count).toBeGreaterThan(12)
  let settled = 0
  for (let at = 1; at <= count; at++) {
    for (const outcome of OUTCOMES) {
      const where = `${outcome} at statement ${at} of ${count}`
      const place = newPlace()
      const points = new Points(at, outcome)
      const life = await live(place, points)
      const hashes = (await successor(place, points)).map(({ hash }) => hexOf(hash))
      expect([where, new Set(hashes).size]).toEqual([where, hashes.length])
      for (const { hash } of life.acknowledged)
        expect([where, hashes.includes(hexOf(hash))]).toEqual([where, true])
      if (life.settled === undefined) continue
      settled++
      const isThere = hashes.includes(hexOf(life.settled.batch.hash))
      expect([where, isThere]).toEqual([where, life.settled.isStored])
    }
  }
  // Both appends, and the quarantine between them, each before, after, late, and at the confirmation.
  expect(settled).toBeGreaterThanOrEqual(12)
})
