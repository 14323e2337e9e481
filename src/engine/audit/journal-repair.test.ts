/** A journal with damaged or missing rows is repaired from an intact copy, and only from one. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq } from '../../units/quantities.ts'
import { quarantinedIn } from '../leadership/table-reader.ts'
import { batchAfter } from '../port/journal.contract.ts'
import { type Batch, EMPTY_TAIL, endOf, hashOfQuarantined, JournalFault, lastSeqOf } from '../port/journal.ts'
import { CLAIM_NONCE_BYTES, claimBatch, quarantineBatch } from '../writer/own-batches.ts'
import { type RowRepair, repairedRows, type StoredRow, type StoredRows, soundPart } from './journal-repair.ts'
import type { JournalSource } from './source.ts'

const ROWS = 30

function chain(count: number, from = EMPTY_TAIL): Batch[] {
  const batches: Batch[] = []
  let tail = from
  for (let i = 0; i < count; i++) {
    const batch = batchAfter(tail, 1 + (i % 3))
    batches.push(batch)
    tail = endOf(batch)
  }
  return batches
}

const SOUND = chain(ROWS)

function rowsOf(rows: readonly StoredRow[]): StoredRows {
  return {
    last: rows.at(-1)?.position ?? 0,
    // Pages of different sizes, as a limit in bytes produces them.
    read: async (first, last) =>
      rows.filter(({ position }) => position >= first && position <= last).slice(0, 1 + (first % 4)),
  }
}

function copyOf(batches: readonly Batch[]): Pick<JournalSource, 'read' | 'tail'> {
  const last = batches.at(-1)
  return {
    tail: { seq: last === undefined ? (0 as Seq) : lastSeqOf(last) },
    read: async (afterSeq) => batches.filter((batch) => batch.firstSeq > afterSeq).slice(0, 7),
  }
}

const stored = (batch: Batch): StoredRow => ({ position: batch.position, batch })

async function repair(rows: readonly StoredRow[], copy: readonly Batch[]): Promise<RowRepair[]> {
  const repairs: RowRepair[] = []
  for await (const one of repairedRows({ rows: rowsOf(rows), source: copyOf(copy), digest: sha256 }))
    repairs.push(one)
  return repairs
}

/** The content of the table after all changes. Storing over an existing row is a bug. */
function carriedOut(rows: readonly StoredRow[], repairs: readonly RowRepair[]): Batch[] {
  const table = new Map(rows.map((row) => [row.position, row.batch]))
  for (const { kind, batch, ...more } of repairs) {
    const replaces = 'replaces' in more && more.replaces
    if (kind === 'REMOVE' || replaces) expect(table.delete(batch.position)).toBe(true)
    if (kind === 'STORE') {
      expect(table.has(batch.position)).toBe(false)
      table.set(batch.position, batch)
    }
  }
  return [...table.entries()].sort(([a], [b]) => a - b).map(([, batch]) => batch as Batch)
}

type Harm = 'GONE' | 'UNREADABLE' | 'CHANGED'

function harmed(batch: Batch, harm: Harm): StoredRow | undefined {
  switch (harm) {
    case 'GONE':
      return undefined
    case 'UNREADABLE':
      return { position: batch.position, batch: undefined, problem: 'its kind is 77' }
    case 'CHANGED':
      return stored({ ...batch, time: (batch.time + 1) as Batch['time'] })
  }
}

const HARMS = fc.dictionary(
  fc.integer({ min: 0, max: ROWS - 1 }).map(String),
  fc.constantFrom<Harm>('GONE', 'UNREADABLE', 'CHANGED'),
)

test('whatever rows are damaged, a copy that covers them restores the very same journal', async () => {
  await fc.assert(
    fc.asyncProperty(HARMS, fc.integer({ min: 1, max: ROWS }), async (harms, reach) => {
      const rows = SOUND.flatMap((batch, i) => {
        const harm = harms[String(i)]
        const row = harm === undefined ? stored(batch) : harmed(batch, harm)
        return row === undefined ? [] : [row]
      })
      // A missing end cannot be detected from the rows alone.
      const last = rows.at(-1)?.position ?? 0
      const isBeyond = SOUND.some((_, i) => harms[String(i)] !== undefined && i >= reach && i < last)
      const repairs = await repair(rows, SOUND.slice(0, reach)).catch((cause: unknown) => cause)
      if (isBeyond) {
        expect(repairs).toBeInstanceOf(JournalFault)
        expect((repairs as JournalFault).message).toContain('use a copy that ends later')
        return
      }
      expect(carriedOut(rows, repairs as RowRepair[])).toEqual(SOUND.slice(0, Math.max(reach, last)))
    }),
  )
})

test('claims after a lost end are replaced by what was lost, and commands of another fork never are', async () => {
  const [first = SOUND[0] as Batch, second = SOUND[1] as Batch] = SOUND
  const claim = claimBatch(sha256, endOf(second), { name: 'two', nonce: new Uint8Array(CLAIM_NONCE_BYTES) })
  const rows = [first, second, claim].map(stored)
  const repairs = await repair(rows, SOUND)
  expect(repairs.filter(({ kind }) => kind === 'REMOVE').map(({ batch }) => batch)).toEqual([claim])
  expect(carriedOut(rows, repairs)).toEqual(SOUND)
  const ordered = [...rows, ...chain(1, endOf(claim)).map(stored)]
  const refused = await repair(ordered, SOUND).catch((cause: JournalFault) => cause)
  expect(refused).toBeInstanceOf(JournalFault)
  expect((refused as JournalFault).message).toContain('both have an intact batch at position 3')
})

test('a damaged copy restores nothing', async () => {
  const copy = SOUND.map((batch, i) => (i === 3 ? { ...batch, data: new Uint8Array(4) } : batch))
  const refused = await repair([], copy).catch((cause: JournalFault) => cause)
  expect((refused as JournalFault).kind).toBe('DAMAGED')
})

test('the sound part of a journal ends before the first damaged row, or at the given place', async () => {
  for (const harm of ['GONE', 'UNREADABLE', 'CHANGED'] as const) {
    const rows = SOUND.flatMap((batch, i) => (i === 5 ? (harmed(batch, harm) ?? []) : stored(batch)))
    const taken: Batch[] = []
    const found = await soundPart({
      rows: rowsOf(rows),
      digest: sha256,
      endAt: undefined,
      take: (one) => taken.push(one),
    })
    expect([found.end, found.problem !== undefined, taken]).toEqual([
      endOf(SOUND[4] as Batch),
      true,
      SOUND.slice(0, 5),
    ])
  }
  const told = await soundPart({ rows: rowsOf(SOUND.map(stored)), digest: sha256, endAt: 7, take: () => {} })
  expect(told.end.position).toBe(7)
  const whole = await soundPart({
    rows: rowsOf(SOUND.map(stored)),
    digest: sha256,
    endAt: undefined,
    take: () => {},
  })
  expect([whole.end.position, whole.problem]).toEqual([ROWS, undefined])
})

test('quarantined commands stay quarantined in a repaired journal, whichever of its rows was damaged', async () => {
  const claim = claimBatch(sha256, EMPTY_TAIL, { name: 'engine', nonce: new Uint8Array(CLAIM_NONCE_BYTES) })
  const poison = batchAfter(endOf(claim), 1)
  const entry = {
    seq: lastSeqOf(poison),
    check: hashOfQuarantined(sha256, poison.hash, lastSeqOf(poison)),
  }
  const own = quarantineBatch(sha256, endOf(poison), entry)
  const sound = [claim, poison, own, ...chain(3, endOf(own))]
  for (const at of sound.keys()) {
    for (const harm of ['GONE', 'UNREADABLE', 'CHANGED'] as const) {
      const rows = sound.flatMap((batch, i) => (i === at ? (harmed(batch, harm) ?? []) : stored(batch)))
      const mended = carriedOut(rows, await repair(rows, sound))
      expect([at, harm, mended]).toEqual([at, harm, sound])
      expect(quarantinedIn(mended.filter(({ kind }) => kind !== 'COMMANDS'))).toEqual([entry])
    }
  }
})
