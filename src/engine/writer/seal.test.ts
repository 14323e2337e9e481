import { expect, test } from 'bun:test'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { BATCH_KINDS, type BatchKind, JournalFault, kindOf, type Tail, verifyBatch } from '../port/journal.ts'
import { isElsewhere, SEAL_CHARACTERS_MAX, type Seal, sealBatch, sealedBy, sealOf } from './seal.ts'

const TAIL: Tail = {
  position: 4,
  epoch: 2,
  seq: 7 as Seq,
  time: 1_000 as TimeMs,
  hash: new Uint8Array(32).fill(5),
}
const SEAL: Seal = {
  to: 'CLUSTER',
  name: 'db.example.com:5432/bourse',
  identity: '7300000000000000000/bourse',
  by: 'anna@east',
  time: Date.UTC(2026, 10, 22, 12) as TimeMs,
}

function faultOf(work: () => unknown): JournalFault {
  try {
    work()
  } catch (cause) {
    if (cause instanceof JournalFault) return cause
    throw cause
  }
  throw new Error('expected a fault')
}

test('a seal follows the journal in its epoch, at the time of the batch before, and says where the exchange went', () => {
  const seal = sealBatch(sha256, TAIL, SEAL)
  expect(verifyBatch(sha256, TAIL, seal)).toEqual({ ...TAIL, position: 5, seq: 8 as Seq, hash: seal.hash })
  expect([seal.kind, sealOf(seal)]).toEqual(['SEAL', SEAL])
  const message = sealedBy(seal).message
  for (const part of [
    'anna@east moved the exchange to the cluster on db.example.com:5432/bourse at 2026-11-22T12:00:00.000Z',
    'It ends with command 8',
    'bourse cluster import with the same file and directory continues',
  ])
    expect(message).toContain(part)
})

test('a seal leads away from every kind of place but that of its destination', () => {
  const toCluster = sealBatch(sha256, TAIL, SEAL)
  const toDirectory = sealBatch(sha256, TAIL, { ...SEAL, to: 'DIRECTORY' })
  const found = [toCluster, toDirectory].map((seal) => [
    isElsewhere(seal, 'CLUSTER'),
    isElsewhere(seal, 'DIRECTORY'),
  ])
  expect(found).toEqual([
    [false, true],
    [true, false],
  ])
})

test('texts of a seal are cut at their longest', () => {
  const long = 'ü'.repeat(SEAL_CHARACTERS_MAX + 50)
  expect(sealOf(sealBatch(sha256, TAIL, { ...SEAL, name: long })).name).toBe(
    long.slice(0, SEAL_CHARACTERS_MAX),
  )
})

test('an unreadable seal is damage, and another form is of a newer version', () => {
  const seal = sealBatch(sha256, TAIL, SEAL)
  const { data } = seal
  for (const damaged of [data.subarray(0, 12), Uint8Array.of(...data, 0), data.with(0, 1), data.with(5, 9)]) {
    expect(faultOf(() => sealOf({ ...seal, data: damaged })).kind).toBe('DAMAGED')
  }
  expect(faultOf(() => sealOf({ ...seal, data: data.with(4, 2) })).kind).toBe('UNSUPPORTED')
})

test('a program that does not know seals refuses them as those of another version, and skips none', () => {
  const before: BatchKind[] = ['COMMANDS', 'QUARANTINE', 'CLAIM']
  const fault = faultOf(() => kindOf(BATCH_KINDS.SEAL, before))
  expect([fault.kind, fault.message]).toEqual([
    'UNSUPPORTED',
    expect.stringContaining('of kind 4: another version'),
  ])
  expect(kindOf(BATCH_KINDS.SEAL)).toBe('SEAL')
  expect(faultOf(() => kindOf(5)).kind).toBe('UNSUPPORTED')
})
