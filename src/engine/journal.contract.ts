/**
 * What every journal does.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sha256 } from '../drivers/crypto/sha256.ts'
import type { Seq, TimeMs } from '../units/quantities.ts'
import { type Batch, EMPTY_TAIL, hashOfBatch, type Journal, type Tail, verifyBatch } from './journal.ts'

/** A batch that follows `tail`, of `count` commands and `bytes` of data that is no command. */
export function batchAfter(tail: Tail, count: number, bytes = 100): Batch {
  const unsealed = {
    firstSeq: (tail.seq + 1) as Seq,
    count,
    time: (tail.time + 5) as TimeMs,
    previousHash: tail.hash,
    data: new Uint8Array(bytes).fill(tail.seq % 251),
  }
  return { ...unsealed, hash: hashOfBatch(sha256, unsealed) }
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

/** Runs the contract on journals made by `open`, which are empty. */
export function journalContract(name: string, open: () => Promise<Journal>): void {
  describe(name, () => {
    let journal: Journal

    beforeEach(async () => {
      journal = await open()
    })
    afterEach(() => journal.close())

    const read = (afterSeq: number, maxBytes: number) => journal.read(afterSeq as Seq, maxBytes)

    test('an empty journal ends before the first command and has nothing to read', async () => {
      expect(journal.tail).toEqual(EMPTY_TAIL)
      expect(await read(0, 1000)).toEqual([])
      expect(await journal.hashAt(1 as Seq)).toBeUndefined()
      expect(await journal.quarantined()).toEqual([])
    })

    test('what is appended is read back as it was, and the tail is its end', async () => {
      const batches = await fill(journal, [1, 3, 2])
      expect(await read(0, 1 << 20)).toEqual(batches)
      expect(journal.tail).toEqual({
        seq: 6 as Seq,
        time: 15 as TimeMs,
        hash: batches[2]?.hash as Uint8Array,
      })
      let tail = EMPTY_TAIL
      for (const batch of batches) tail = verifyBatch(sha256, tail, batch)
      expect(tail).toEqual(journal.tail)
    })

    test('reading starts with the batch that holds the next command, even in its middle', async () => {
      const [first, second, third] = (await fill(journal, [1, 3, 2])) as [Batch, Batch, Batch]
      expect(await read(1, 1 << 20)).toEqual([second, third])
      expect(await read(2, 1 << 20)).toEqual([second, third])
      expect(await read(4, 1 << 20)).toEqual([third])
      expect(await read(6, 1 << 20)).toEqual([])
      expect(await read(0, 1)).toEqual([first])
    })

    test('reading gives what fits, and one batch where none fits', async () => {
      const batches = await fill(journal, [1, 1, 1, 1], 100)
      expect(await read(0, 250)).toEqual(batches.slice(0, 2))
      expect(await read(0, 200)).toEqual(batches.slice(0, 2))
      expect(await read(0, 199)).toEqual(batches.slice(0, 1))
      expect(await read(0, 0)).toEqual(batches.slice(0, 1))
    })

    test('a hash is known at the ends of batches only', async () => {
      const [first, second] = (await fill(journal, [2, 2])) as [Batch, Batch]
      expect(await journal.hashAt(1 as Seq)).toBeUndefined()
      expect(await journal.hashAt(2 as Seq)).toEqual(first.hash)
      expect(await journal.hashAt(4 as Seq)).toEqual(second.hash)
      expect(await journal.hashAt(5 as Seq)).toBeUndefined()
    })

    test('a batch that does not follow the tail is a bug', async () => {
      await fill(journal, [2])
      const cause = await journal.append(batchAfter(EMPTY_TAIL, 1)).catch((cause: unknown) => cause)
      expect((cause as Error).message).toStartWith('expected command 3')
    })

    test('what is quarantined is remembered', async () => {
      const entry = { seq: 2 as Seq, check: new Uint8Array(32).fill(7) }
      await journal.quarantine(entry)
      expect(await journal.quarantined()).toEqual([entry])
    })

    test('housekeeping loses nothing', async () => {
      const batches = await fill(journal, [1, 1])
      await journal.maintain(true)
      await journal.maintain(false)
      batches.push(...(await fill(journal, [1])))
      expect(await read(0, 1 << 20)).toEqual(batches)
    })
  })
}
