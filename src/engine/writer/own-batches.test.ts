import { expect, test } from 'bun:test'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { type Batch, hexOf, type JournalFault, type Tail, verifyBatch } from '../port/journal.ts'
import { claimBatch, claimOf, quarantineBatch, quarantinedBy } from './own-batches.ts'

const TAIL: Tail = {
  position: 4,
  epoch: 2,
  seq: 7 as Seq,
  time: 1_000 as TimeMs,
  hash: new Uint8Array(32).fill(5),
}
const CLAIM = { name: 'east–1', nonce: new Uint8Array(16).fill(3) }
const ENTRY = { seq: 300 as Seq, check: new Uint8Array(32).fill(9) }

test('a claim follows the journal in the next epoch, at the time of the batch before, and names its engine', () => {
  const claim = claimBatch(sha256, TAIL, CLAIM)
  expect(verifyBatch(sha256, TAIL, claim)).toEqual({
    ...TAIL,
    position: 5,
    epoch: 3,
    seq: 8 as Seq,
    hash: claim.hash,
  })
  expect([claim.kind, claimOf(claim)]).toEqual(['CLAIM', CLAIM])
})

test('two claims of one name at one position are never the same batch', () => {
  const other = claimBatch(sha256, TAIL, { ...CLAIM, nonce: new Uint8Array(16).fill(4) })
  expect(hexOf(other.hash)).not.toBe(hexOf(claimBatch(sha256, TAIL, CLAIM).hash))
})

test('a quarantine follows the journal in its epoch and says what is skipped', () => {
  const batch = quarantineBatch(sha256, TAIL, ENTRY)
  expect(verifyBatch(sha256, TAIL, batch)).toMatchObject({ position: 5, epoch: 2, seq: 8 })
  expect([batch.kind, quarantinedBy(batch)]).toEqual(['QUARANTINE', ENTRY])
})

test('an unreadable claim is damage, and another form is of a newer version', () => {
  const claim = claimBatch(sha256, TAIL, CLAIM)
  const kindOf = (batch: Batch) => {
    try {
      claimOf(batch)
      return undefined
    } catch (cause) {
      return (cause as JournalFault).kind
    }
  }
  const { data } = claim
  for (const damaged of [data.subarray(0, 12), Uint8Array.of(...data, 0), data.with(0, 1)]) {
    expect(kindOf({ ...claim, data: damaged })).toBe('DAMAGED')
  }
  expect(kindOf({ ...claim, data: data.with(4, 2) })).toBe('UNSUPPORTED')
  expect(kindOf(claim)).toBeUndefined()
})
