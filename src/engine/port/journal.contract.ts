/**
 * Rules for every journal, over a place that outlives each journal opened in it. A rule is a function, so
 * that `journal-defects.test.ts` can show that each one refuses a journal that breaks it.
 */
import { describe, expect, test } from 'bun:test'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { type JournalHome, sealBatch } from '../writer/seal.ts'
import {
  BATCH_OVERHEAD_BYTES,
  type Batch,
  EMPTY_TAIL,
  endOf,
  following,
  type Journal,
  JournalFault,
  sealed,
  type Tail,
  verifyBatch,
} from './journal.ts'

/** The place of one journal, which is empty at first. */
export type JournalPlace = {
  /** Whether opening claims leadership, and so adds a batch of the journal's own. */
  readonly isClaimed?: boolean
  /** Opens the journal; rejects with `IN_USE` if another process has it open. */
  readonly open: () => Promise<Journal>
  /**
   * Ends the process that has the journal open, at once. The journal is not used again, and data that was not
   * durable is lost, if the place can tell the difference.
   */
  readonly endProcess: () => Promise<void>
}

export type JournalRule = {
  readonly name: string
  readonly check: (place: JournalPlace) => Promise<void>
}

/** A batch that follows `tail`, of `count` commands, with `bytes` of data that are no commands. */
export function batchAfter(tail: Tail, count: number, bytes = 100): Batch {
  const time = (tail.time + 5) as TimeMs
  const data = new Uint8Array(bytes).fill(tail.seq % 251)
  return sealed(sha256, { ...following(tail), kind: 'COMMANDS', count, time, data })
}

/** Appends batches of these sizes and returns them. */
export async function fill(journal: Journal, counts: readonly number[], bytes = 100): Promise<Batch[]> {
  const batches: Batch[] = []
  for (const count of counts) {
    const batch = batchAfter(journal.tail, count, bytes)
    await journal.append(batch)
    batches.push(batch)
  }
  return batches
}

const ALL_BYTES = 1 << 20
const ENTRY = { seq: 2 as Seq, check: new Uint8Array(32).fill(7) }

function read(journal: Journal, afterSeq: number, maxBytes = ALL_BYTES): Promise<readonly Batch[]> {
  return journal.read(afterSeq as Seq, maxBytes)
}

/** Everything stored, and separately the commands without the journal's own batches. */
async function readAll(
  journal: Journal,
): Promise<{ readonly all: readonly Batch[]; readonly given: Batch[] }> {
  const all = await read(journal, 0)
  return { all, given: all.filter(({ kind }) => kind === 'COMMANDS') }
}

/** The end of the last of `batches`, which begin where the journal begins. */
function endOfAll(batches: readonly Batch[]): Tail {
  let tail = EMPTY_TAIL
  for (const batch of batches) tail = verifyBatch(sha256, tail, batch)
  return tail
}

/** The error with which `work` rejects; undefined if it does not reject. */
function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (cause: unknown) => cause ?? 'nothing',
  )
}

/** A seal after `tail` with the destination `to`. */
export function sealTo(to: JournalHome, tail: Tail): Batch {
  const time = Date.UTC(2026, 10, 22) as TimeMs
  return sealBatch(sha256, tail, { to, name: 'there', identity: 'one', by: 'somebody', time })
}

/** Throws unless `work` is refused because the journal is sealed, with the destination and the remedy. */
async function refusesAsSealed(work: Promise<unknown>): Promise<void> {
  const cause = await rejection(work)
  expect(cause).toBeInstanceOf(JournalFault)
  const { kind, message } = cause as JournalFault
  expect([kind, message]).toEqual(['SEALED', expect.stringContaining('somebody moved the exchange to ')])
  expect(message).toContain('there at 2026-11-22T00:00:00.000Z')
}

/** Everything that was durable is stored, and the next batch follows it. */
async function holdsAll(place: JournalPlace, batches: readonly Batch[]): Promise<void> {
  const journal = await place.open()
  const { all, given } = await readAll(journal)
  expect(journal.tail).toEqual(endOfAll(all))
  expect(given).toEqual([...batches])
  expect(all.length > given.length).toBe(place.isClaimed ?? false)
  expect(await journal.quarantined()).toEqual([ENTRY])
  const [next] = (await fill(journal, [1])) as [Batch]
  expect(await read(journal, next.firstSeq - 1)).toEqual([next])
  await journal.close()
}

const READING: readonly JournalRule[] = [
  {
    name: 'an empty journal ends before the first command and has nothing to read',
    check: async (place) => {
      const journal = await place.open()
      const own = await read(journal, 0)
      expect(own.map(({ kind }) => kind)).toEqual(place.isClaimed ? ['CLAIM'] : [])
      expect(journal.tail).toEqual(endOfAll(own))
      expect(await read(journal, journal.tail.seq)).toEqual([])
      expect(await journal.hashAt((journal.tail.seq + 1) as Seq)).toBeUndefined()
      expect(await journal.quarantined()).toEqual([])
      await journal.close()
    },
  },
  {
    name: 'what is appended is read back as it was, and the tail is its end',
    check: async (place) => {
      const journal = await place.open()
      const { position, epoch, seq, time } = journal.tail
      const batches = await fill(journal, [1, 3, 2])
      const { all, given } = await readAll(journal)
      expect(given).toEqual(batches)
      expect(journal.tail).toEqual({
        position: position + 3,
        epoch,
        seq: (seq + 6) as Seq,
        time: (time + 15) as TimeMs,
        hash: batches[2]?.hash as Uint8Array,
      })
      expect(endOfAll(all)).toEqual(journal.tail)
      await journal.close()
    },
  },
  {
    name: 'reading starts with the batch that holds the next command, even in its middle',
    check: async (place) => {
      const journal = await place.open()
      const { seq } = journal.tail
      const [first, second, third] = (await fill(journal, [1, 3, 2])) as [Batch, Batch, Batch]
      expect(await read(journal, seq + 1)).toEqual([second, third])
      expect(await read(journal, seq + 2)).toEqual([second, third])
      expect(await read(journal, seq + 4)).toEqual([third])
      expect(await read(journal, seq + 6)).toEqual([])
      expect(await read(journal, seq, 1)).toEqual([first])
      await journal.close()
    },
  },
  {
    name: 'reading gives what fits, and one batch where none fits',
    check: async (place) => {
      const journal = await place.open()
      const { seq } = journal.tail
      const batches = await fill(journal, [1, 1, 1, 1], 100)
      const size = 100 + BATCH_OVERHEAD_BYTES
      expect(await read(journal, seq, 2 * size + 50)).toEqual(batches.slice(0, 2))
      expect(await read(journal, seq, 2 * size)).toEqual(batches.slice(0, 2))
      expect(await read(journal, seq, 2 * size - 1)).toEqual(batches.slice(0, 1))
      expect(await read(journal, seq, 0)).toEqual(batches.slice(0, 1))
      await journal.close()
    },
  },
  {
    name: 'of small batches no more are read than their number allows: each counts with what it takes beside its data',
    check: async (place) => {
      const journal = await place.open()
      const { seq } = journal.tail
      const batches = await fill(journal, Array(20).fill(1), 15)
      expect(await read(journal, seq, 10 * (15 + BATCH_OVERHEAD_BYTES))).toEqual(batches.slice(0, 10))
      await journal.close()
    },
  },
  {
    name: 'a hash is known at the ends of batches only',
    check: async (place) => {
      const journal = await place.open()
      const { seq } = journal.tail
      const [first, second] = (await fill(journal, [2, 2])) as [Batch, Batch]
      const hashAt = (after: number) => journal.hashAt((seq + after) as Seq)
      expect(await hashAt(1)).toBeUndefined()
      expect(await hashAt(2)).toEqual(first.hash)
      expect(await hashAt(4)).toEqual(second.hash)
      expect(await hashAt(5)).toBeUndefined()
      await journal.close()
    },
  },
]

const WRITING: readonly JournalRule[] = [
  {
    name: 'a batch that does not follow the tail is a bug, and changes nothing',
    check: async (place) => {
      const journal = await place.open()
      const batches = await fill(journal, [2])
      const { tail } = journal
      const gap = batchAfter({ ...tail, seq: (tail.seq + 1) as Seq }, 1)
      const behind = batchAfter({ ...tail, position: tail.position - 1 }, 1)
      const stranger = batchAfter({ ...tail, hash: new Uint8Array(32).fill(9) }, 1)
      for (const [batch, sentence] of [
        [batchAfter(EMPTY_TAIL, 1), `expected position ${tail.position + 1}`],
        [behind, `expected position ${tail.position + 1}`],
        [gap, `expected command ${tail.seq + 1}`],
        [stranger, 'expected a batch that follows hash'],
      ] as const) {
        const cause = await rejection(journal.append(batch))
        expect((cause as Error | undefined)?.message).toStartWith(sentence)
      }
      expect(journal.tail).toEqual(tail)
      expect((await readAll(journal)).given).toEqual(batches)
      await journal.close()
    },
  },
  {
    name: 'what is quarantined is remembered',
    check: async (place) => {
      const journal = await place.open()
      await fill(journal, [2])
      await journal.quarantine(ENTRY)
      expect(await journal.quarantined()).toEqual([ENTRY])
      await journal.close()
    },
  },
  {
    name: 'housekeeping loses nothing',
    check: async (place) => {
      const journal = await place.open()
      const batches = await fill(journal, [1, 1])
      await journal.maintain(true)
      await journal.maintain(false)
      batches.push(...(await fill(journal, [1])))
      expect((await readAll(journal)).given).toEqual(batches)
      await journal.close()
    },
  },
]

const LASTING: readonly JournalRule[] = [
  {
    name: 'a journal that is closed and opened again has everything',
    check: async (place) => {
      const journal = await place.open()
      const batches = await fill(journal, [3, 1, 2])
      await journal.quarantine(ENTRY)
      await journal.close()
      await holdsAll(place, batches)
    },
  },
  {
    name: 'what append has resolved for survives the end of the process',
    check: async (place) => {
      const journal = await place.open()
      const batches = await fill(journal, [3, 1])
      await journal.quarantine(ENTRY)
      batches.push(...(await fill(journal, [2])))
      await place.endProcess()
      await holdsAll(place, batches)
    },
  },
  {
    name: 'housekeeping between two batches takes nothing from what survives',
    check: async (place) => {
      const journal = await place.open()
      const batches = await fill(journal, [1, 2])
      await journal.quarantine(ENTRY)
      await journal.maintain(true)
      batches.push(...(await fill(journal, [1])))
      await journal.maintain(false)
      batches.push(...(await fill(journal, [3])))
      await place.endProcess()
      await holdsAll(place, batches)
    },
  },
  {
    name: 'two writers never both append: the second cannot open, or the first can append nothing more',
    check: async (place) => {
      const first = await place.open()
      const batches = await fill(first, [1])
      let second: Journal | undefined
      try {
        second = await place.open()
      } catch (cause) {
        expect(cause).toBeInstanceOf(JournalFault)
        expect((cause as JournalFault).kind).toBe('IN_USE')
      }
      if (second === undefined) batches.push(...(await fill(first, [1])))
      else {
        expect(await rejection(first.append(batchAfter(first.tail, 1)))).toBeInstanceOf(JournalFault)
        batches.push(...(await fill(second, [1])))
      }
      expect((await readAll(second ?? first)).given).toEqual(batches)
      await (second ?? first).close()
    },
  },
  {
    name: 'a writer that another has followed quarantines nothing',
    check: async (place) => {
      const first = await place.open()
      await fill(first, [2])
      const second = await place.open().catch(() => undefined)
      if (second !== undefined) {
        expect(await rejection(first.quarantine(ENTRY))).toBeInstanceOf(JournalFault)
        expect(await second.quarantined()).toEqual([])
      }
      await (second ?? first).close()
    },
  },
  {
    name: 'of two writers that append at one moment one succeeds at most, and what it was told is there',
    check: async (place) => {
      const first = await place.open()
      const batches = await fill(first, [1])
      const asked = batchAfter(first.tail, 1)
      const [appended, opened] = await Promise.allSettled([first.append(asked), place.open()])
      if (appended.status === 'fulfilled') batches.push(asked)
      const last = opened.status === 'fulfilled' ? opened.value : first
      if (opened.status === 'fulfilled') {
        expect(await rejection(first.append(batchAfter(first.tail, 1)))).toBeInstanceOf(JournalFault)
      }
      const stored = (await readAll(last)).given
      // An unacknowledged command may be stored or not.
      expect(stored.slice(0, batches.length)).toEqual(batches)
      expect(stored.length).toBeLessThanOrEqual(2)
      batches.splice(0, batches.length, ...stored, ...(await fill(last, [2])))
      expect((await readAll(last)).given).toEqual(batches)
      await last.close()
    },
  },
  {
    name: 'a batch that was under way when the process ended is there whole or not at all',
    check: async (place) => {
      const first = await place.open()
      const batches = await fill(first, [1])
      const asked = batchAfter(first.tail, 3, 50_000)
      const under = first.append(asked).then(
        () => true,
        () => false,
      )
      await place.endProcess()
      const wasAcknowledged = await under
      const second = await place.open()
      const { all, given } = await readAll(second)
      expect(endOfAll(all)).toEqual(second.tail)
      expect(given.length).toBeGreaterThanOrEqual(wasAcknowledged ? 2 : 1)
      expect(given).toEqual([...batches, asked].slice(0, given.length))
      expect(given.concat(await fill(second, [1]))).toEqual((await readAll(second)).given)
      await second.close()
    },
  },
]

const SEALED: readonly JournalRule[] = [
  {
    name: 'a journal that was sealed because the exchange goes on elsewhere takes no more, and is not opened again',
    check: async (place) => {
      const elsewhere = place.isClaimed ? 'DIRECTORY' : 'CLUSTER'
      const journal = await place.open()
      const batches = await fill(journal, [1, 2])
      const seal = sealTo(elsewhere, journal.tail)
      await journal.append(seal)
      const { tail } = journal
      await refusesAsSealed(journal.append(batchAfter(tail, 1)))
      await refusesAsSealed(journal.quarantine(ENTRY))
      expect(journal.tail).toEqual(endOf(seal))
      expect((await readAll(journal)).given).toEqual(batches)
      expect(await read(journal, tail.seq - 1)).toEqual([seal])
      await place.endProcess()
      await refusesAsSealed(place.open())
      await refusesAsSealed(place.open())
    },
  },
  {
    name: 'where the exchange goes on, the first batch follows the seal',
    check: async (place) => {
      const here = place.isClaimed ? 'CLUSTER' : 'DIRECTORY'
      const before = await place.open()
      const batches = await fill(before, [2])
      const seal = sealTo(here, before.tail)
      await before.append(seal)
      await refusesAsSealed(before.append(batchAfter(before.tail, 1)))
      await before.close()
      const journal = await place.open()
      batches.push(...(await fill(journal, [1, 1])))
      const { all, given } = await readAll(journal)
      expect(given).toEqual(batches)
      expect(endOfAll(all)).toEqual(journal.tail)
      expect(all.filter(({ kind }) => kind === 'SEAL')).toEqual([seal])
      await journal.close()
    },
  },
]

/** Every rule, by name. */
export const JOURNAL_RULES: readonly JournalRule[] = [...READING, ...WRITING, ...LASTING, ...SEALED]

/** Runs the contract on journals of new places. */
export function journalContract(name: string, newPlace: () => JournalPlace): void {
  describe(name, () => {
    for (const { name: rule, check } of JOURNAL_RULES) test(rule, () => check(newPlace()))
  })
}
