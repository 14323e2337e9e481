import { describe, expect, test } from 'bun:test'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import {
  type Batch,
  EMPTY_TAIL,
  endOf,
  following,
  hashOfQuarantined,
  hexOf,
  JournalFault,
  lastSeqOf,
  sealed as sealedBy,
  type Tail,
  verifyBatch,
} from './journal.ts'

const TAIL: Tail = {
  position: 4,
  epoch: 1,
  seq: 7 as Seq,
  time: 1_000 as TimeMs,
  hash: new Uint8Array(32).fill(5),
}

/** A batch with a correct hash of its content. */
function sealed(changes: Partial<Batch> = {}): Batch {
  const data = new Uint8Array([1, 2, 3])
  const batch = { ...following(TAIL), kind: 'COMMANDS', count: 3, time: 1_000 as TimeMs, data } as const
  return sealedBy(sha256, { ...batch, ...changes })
}

/** The error of `verifyBatch` for a batch that follows `TAIL`; undefined if there is none. */
function complaint(batch: Batch): string | undefined {
  try {
    verifyBatch(sha256, TAIL, batch)
    return undefined
  } catch (fault) {
    expect(fault).toBeInstanceOf(JournalFault)
    expect((fault as JournalFault).kind).toBe('DAMAGED')
    return (fault as JournalFault).message
  }
}

describe('a batch follows the journal', () => {
  test('when it starts at the next command, and its end is then the tail', () => {
    const batch = sealed()
    expect(lastSeqOf(batch)).toBe(10 as Seq)
    expect(verifyBatch(sha256, TAIL, batch)).toEqual(endOf(batch))
    const first = sealed(following(EMPTY_TAIL))
    expect(verifyBatch(sha256, EMPTY_TAIL, first).seq).toBe(3 as Seq)
  })

  test('at the next position, in the same epoch or a later one', () => {
    for (const position of [3, 4, 6]) {
      expect(complaint(sealed({ position }))).toContain('expected position 5 in epoch 1 or later')
    }
    expect(complaint(sealed({ epoch: 0 }))).toContain('found 5 in epoch 0')
    expect(complaint(sealed({ epoch: 2 }))).toBeUndefined()
  })

  test('without a gap and without an overlap, and with at least one command', () => {
    for (const firstSeq of [6, 7, 9, 10] as Seq[]) {
      expect(complaint(sealed({ firstSeq }))).toContain('expected it to start at command 8')
    }
    expect(complaint(sealed({ count: 0 }))).toContain('expected it to start at command 8')
    expect(complaint(sealed({ count: 1 }))).toBeUndefined()
  })

  test('at the same time or later', () => {
    expect(complaint(sealed({ time: 999 as TimeMs }))).toContain('its time 999 is before 1000')
    expect(complaint(sealed({ time: 1_001 as TimeMs }))).toBeUndefined()
  })

  test('by the hash of the one before, all of it', () => {
    for (const at of [0, 31]) {
      const previousHash = TAIL.hash.slice()
      previousHash[at] = 6
      expect(complaint(sealed({ previousHash }))).toContain('expected it to follow hash')
    }
  })

  test('with the contents that its hash was made of', () => {
    for (const at of [0, 31]) {
      const batch = sealed()
      const hash = batch.hash.slice()
      hash[at] = (hash[at] as number) ^ 1
      expect(complaint({ ...batch, hash })).toContain(`its contents have hash ${hexOf(batch.hash)}`)
    }
    expect(complaint({ ...sealed(), data: new Uint8Array([1, 2, 4]) })).toContain('its contents have hash')
  })
})

test('the hash of a batch covers all there is in it', () => {
  const whole = sealed()
  const others: Partial<Batch>[] = [
    { position: 6 },
    { epoch: 2 },
    { firstSeq: 9 as Seq },
    { count: 4 },
    { time: 1_001 as TimeMs },
    { previousHash: new Uint8Array(32).fill(6) },
    { data: new Uint8Array([1, 2]) },
  ]
  const hashes = [whole, ...others.map(sealed)].map(({ hash }) => hexOf(hash))
  expect(new Set(hashes).size).toBe(others.length + 1)
})

test('the check of a quarantined command binds it to its batch and its number', () => {
  const check = hexOf(hashOfQuarantined(sha256, TAIL.hash, 7 as Seq))
  expect(hexOf(hashOfQuarantined(sha256, TAIL.hash, 8 as Seq))).not.toBe(check)
  expect(hexOf(hashOfQuarantined(sha256, new Uint8Array(32).fill(6), 7 as Seq))).not.toBe(check)
})

test('batches are the same when each of their bytes is, and none is missing', () => {
  const bytes = Uint8Array.from({ length: 32 }, (_, i) => i)
  expect(sameBytes(bytes, bytes.slice())).toBe(true)
  for (let at = 0; at < bytes.length; at++) {
    const other = bytes.slice()
    other[at] = 255
    expect(sameBytes(bytes, other)).toBe(false)
  }
  expect(sameBytes(bytes, bytes.subarray(0, 31))).toBe(false)
  expect(sameBytes(bytes.subarray(0, 31), bytes)).toBe(false)
  expect(hexOf(new Uint8Array([0, 9, 255]))).toBe('0009ff')
})
