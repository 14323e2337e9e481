import { expect, test } from 'bun:test'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq } from '../../units/quantities.ts'
import { batchAfter, sealTo } from '../port/journal.contract.ts'
import { type Batch, EMPTY_TAIL, endOf, type Tail } from '../port/journal.ts'
import { CLAIM_NONCE_BYTES, claimBatch, quarantineBatch } from '../writer/own-batches.ts'
import type { JournalHome } from '../writer/seal.ts'
import { Findings } from './findings.ts'
import { OwnBatchCheck } from './own-batches.ts'

type Next = (tail: Tail) => Batch

const commands: Next = (tail) => batchAfter(tail, 2)
const claim: Next = (tail) =>
  claimBatch(sha256, tail, { name: 'east', nonce: new Uint8Array(CLAIM_NONCE_BYTES) })
const quarantine =
  (seq: number): Next =>
  (tail) =>
    quarantineBatch(sha256, tail, { seq: seq as Seq, check: new Uint8Array(32) })
const seal =
  (to: JournalHome): Next =>
  (tail) =>
    sealTo(to, tail)
const epoch =
  (change: number, next: Next): Next =>
  (tail) =>
    next({ ...tail, epoch: tail.epoch + change })

function checked(...parts: Next[]) {
  const findings = new Findings()
  const check = new OwnBatchCheck(findings)
  let tail = EMPTY_TAIL
  for (const next of parts) {
    const batch = next(tail)
    check.pass(batch)
    tail = endOf(batch)
  }
  return { report: check.report, found: findings.kept.map(({ message }) => message) }
}

test('a journal that was led, quarantined, moved away and back is sound, and reports it', () => {
  const { report, found } = checked(
    ...[commands, seal('CLUSTER'), claim, commands, quarantine(2), claim, commands],
    ...[seal('DIRECTORY'), commands, seal('CLUSTER'), claim, seal('DIRECTORY')],
  )
  expect(found).toEqual([])
  expect(report).toMatchObject({ claims: 3, epoch: 3, claimant: 'east', quarantines: 1, seals: 4 })
  expect(report.seal?.to).toBe('DIRECTORY')
})

test('an epoch without a claim, a claim that skips one, and a batch after a seal that leads away are found', () => {
  expect(checked(commands, epoch(1, commands)).found).toEqual([
    'position 2 is a batch of kind COMMANDS in epoch 1, expected epoch 0: a claim begins each epoch',
  ])
  expect(checked(commands, epoch(1, claim)).found).toEqual([
    'position 2 is a batch of kind CLAIM in epoch 2, expected epoch 1: a claim begins each epoch',
  ])
  expect(checked(commands, seal('CLUSTER'), commands).found).toEqual([
    'position 3 is a batch of kind COMMANDS after a seal that moved the exchange to there (CLUSTER)',
  ])
  expect(checked(commands, seal('DIRECTORY'), claim).found).toEqual([
    'position 3 is a batch of kind CLAIM after a seal that moved the exchange to there (DIRECTORY)',
  ])
  expect(checked(commands, quarantine(3)).found).toEqual([
    'the quarantine at position 2 is for command 3, which comes after it',
  ])
})
