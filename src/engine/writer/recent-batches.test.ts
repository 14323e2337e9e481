import { expect, test } from 'bun:test'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { type Batch, HASH_BYTES } from '../port/journal.ts'
import { RecentBatches } from './recent-batches.ts'

const MIB = 1024 * 1024

test('small batches are counted with their overhead in the runtime: a mebibyte holds a thousand, not tens of thousands', () => {
  const recent = new RecentBatches(MIB)
  for (let seq = 1; seq <= 5_000; seq++) recent.add(batch(seq, 20))
  expect(recent.after(5_000 as Seq, MIB)).toEqual([])
  const kept = [...Array(5_000).keys()].filter((seq) => recent.after(seq as Seq, 1) !== undefined)
  expect(kept).toHaveLength(Math.floor(MIB / (1024 + 20)))
  expect(kept.at(-1)).toBe(4_999)
})

test('small batches are given out in limited bytes, each counted with its overhead', () => {
  const recent = new RecentBatches(MIB)
  for (let seq = 1; seq <= 100; seq++) recent.add(batch(seq, 20))
  expect(recent.after(0 as Seq, 10 * (1024 + 20))).toHaveLength(10)
})

test('the newest batch is kept even where it alone is larger than the limit', () => {
  const recent = new RecentBatches(100)
  recent.add(batch(1, 10))
  recent.add(batch(2, 5_000))
  expect(recent.after(1 as Seq, 1)).toHaveLength(1)
  expect(recent.after(0 as Seq, 1)).toBeUndefined()
})

function batch(seq: number, bytes: number): Batch {
  const hash = new Uint8Array(HASH_BYTES)
  const place = { position: seq, epoch: 0, kind: 'COMMANDS', firstSeq: seq as Seq, count: 1 } as const
  return { ...place, time: seq as TimeMs, previousHash: hash, hash, data: new Uint8Array(bytes) }
}
