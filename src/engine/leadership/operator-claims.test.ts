import { expect, test } from 'bun:test'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq } from '../../units/quantities.ts'
import { EMPTY_TAIL, endOf, HASH_BYTES, type JournalFault, type JournalPosition } from '../port/journal.ts'
import { CLAIM_NONCE_BYTES, CLAIMANT_CHARACTERS_MAX, claimBatch, claimOf } from '../writer/own-batches.ts'
import { givenUpBy, operatorClaimName, operatorClaimOf, operatorClaims } from './operator-claims.ts'

const nonce = () => new Uint8Array(CLAIM_NONCE_BYTES)
const tail = endOf(claimBatch(sha256, EMPTY_TAIL, { name: 'one', nonce: nonce() }))
const name = operatorClaimName('TAIL_ACCEPTED', 'anna@east', 'both disks\nwere lost')

function remembered(position: number, epoch: number): JournalPosition {
  return { position, epoch, seq: position as Seq, hash: new Uint8Array(HASH_BYTES) }
}

test('the claims of an operator begin a later epoch than any that is remembered, one after the other', () => {
  const claims = operatorClaims({ digest: sha256, tail, epochMax: 4, name, nonce })
  expect(claims.map(({ position, epoch }) => [position, epoch])).toEqual([
    [2, 2],
    [3, 3],
    [4, 4],
    [5, 5],
  ])
  expect(operatorClaims({ digest: sha256, tail, epochMax: 0, name, nonce }).length).toBe(1)
})

test('an epoch that no journal of this kind can have reached is refused', () => {
  const claim = () => operatorClaims({ digest: sha256, tail, epochMax: 20_000, name, nonce })
  let refused: JournalFault | undefined
  try {
    claim()
  } catch (cause) {
    refused = cause as JournalFault
  }
  expect([refused?.kind, refused?.message]).toEqual([
    'DAMAGED',
    expect.stringContaining('the journal ends in epoch 1, but epoch 20000 is remembered'),
  ])
})

test('the name of an operator’s claim says what was done, by whom and why, within the length of a claim', () => {
  expect(name).toBe('accept-tail by anna@east: both disks were lost')
  const long = operatorClaimName('REPAIRED', 'anna', '…'.repeat(200))
  expect([...long].length).toBe(CLAIMANT_CHARACTERS_MAX)
  const [claim] = operatorClaims({ digest: sha256, tail, epochMax: 0, name: long, nonce })
  expect(claim && claimOf(claim).name).toBe(long)
  expect(claim && operatorClaimOf(claim)?.act).toBe('REPAIRED')
  expect(operatorClaimOf(claimBatch(sha256, tail, { name: 'engine-1', nonce: nonce() }))).toBeUndefined()
})

test('what was given up is identified by its position and its epoch, and nothing else is', () => {
  const accepted = operatorClaims({ digest: sha256, tail, epochMax: 4, name, nonce })
  for (const [position, epoch, isGivenUp] of [
    [2, 1, true],
    [90, 4, true],
    // A position that the journal must still have, and a position of the epoch that was begun.
    [1, 1, false],
    [2, 5, false],
    [90, 9, false],
  ] as const)
    expect([position, epoch, givenUpBy(accepted, remembered(position, epoch)) !== undefined]).toEqual([
      position,
      epoch,
      isGivenUp,
    ])
  const repair = operatorClaimName('REPAIRED', 'anna', 'x')
  const repaired = operatorClaims({ digest: sha256, tail, epochMax: 4, name: repair, nonce })
  expect(givenUpBy(repaired, remembered(2, 1))).toBeUndefined()
})
