/**
 * Claims leadership: a claim is a batch at the next position, so the table's key lets only one claimant win.
 * Once the claim is confirmed, everything before it is the content of the journal: a pending batch was stored
 * before it, or can never be stored.
 */
import { sameBytes } from '../../units/typed-arrays.ts'
import {
  type Batch,
  type Digest,
  JournalFault,
  type JournalPosition,
  journalName,
  type RememberedPlace,
  type Tail,
  verifyBatch,
} from '../port/journal.ts'
import { type Claim, claimBatch, claimOf } from '../writer/own-batches.ts'
import { beginsCommands, type Floor } from '../writer/recovery/rules-floor.ts'
import { isElsewhere, sealedBy } from '../writer/seal.ts'
import { faultWhile, type LeadershipTable } from './leadership-table.ts'
import { givenUpBy, givenUpSentence } from './operator-claims.ts'

export type ClaimOptions = {
  readonly digest: Digest
  readonly claim: Claim
}

/**
 * Maximum number of batches that a claimant encounters, from a leader that still appends, before it gives up.
 */
const TRIES_MAX = 100

/**
 * Claims the position after `known`, the end of the journal as known to the claimant. Returns the confirmed
 * claim, and the batches of the previous epoch found on the way; the leader of that epoch expects only
 * `expected`. Throws `JournalFault`: `IN_USE` if another engine claims first or the journal is still being
 * copied into this table, `SEALED` if the exchange continues elsewhere, `DAMAGED` if a batch does not follow
 * or was not expected, `FAILED` if the outcome is unknown.
 */
export async function claimAfter(
  table: LeadershipTable,
  known: Tail,
  { digest, claim: { name, nonce } }: ClaimOptions,
  expected?: Batch,
): Promise<{ readonly claim: Batch; readonly met: readonly Batch[] }> {
  const met: Batch[] = []
  let tail = known
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const claim = claimBatch(digest, tail, { name, nonce })
    if (await insertClaim(table, claim, name)) {
      await requireConfirmed(table, claim)
      return { claim, met }
    }
    const stored = await table.readAt(claim.position)
    // The key collided, so a later read finds the row; otherwise this database could not be trusted.
    if (stored === undefined) throw inDoubt(claim, 'its position is taken, but has no row')
    if (isElsewhere(stored, 'CLUSTER')) throw sealedBy(stored)
    if (stored.epoch > known.epoch) throw lostTo(stored)
    tail = verifyBatch(digest, tail, stored)
    if (expected !== undefined && !sameBytes(stored.hash, expected.hash)) {
      const found = `position ${stored.position} has a batch of epoch ${stored.epoch} that its leader did not write`
      throw new JournalFault('DAMAGED', found)
    }
    met.push(stored)
  }
  throw new JournalFault('IN_USE', `the leader of epoch ${known.epoch} still appends: try again later`)
}

/** Throws `SEALED` unless the exchange continues in this journal, which ends at `tail`. */
export async function requireUnsealed(table: LeadershipTable, tail: Tail): Promise<void> {
  const last = await table.readAt(tail.position)
  if (last !== undefined && isElsewhere(last, 'CLUSTER')) throw sealedBy(last)
}

/** Throws `UNSUPPORTED` if the journal begins below the oldest supported rules version. */
export async function requireFloor(table: LeadershipTable, floor: Floor): Promise<void> {
  for (let position = 1; ; position++) {
    const batch = await table.readAt(position)
    if (batch === undefined || beginsCommands(batch, floor)) return
  }
}

/**
 * Returns true if the claim is stored, false if the position is taken. Throws `JournalFault` for anything
 * else.
 */
async function insertClaim(table: LeadershipTable, claim: Batch, name: string): Promise<boolean> {
  const insertion = await table.insertClaim(claim, name)
  if (insertion.kind === 'STORED') {
    if (insertion.notices[0] !== undefined) throw inDoubt(claim, insertion.notices[0])
    return true
  }
  if (insertion.kind === 'TAKEN') return false
  throw faultWhile(`cannot claim the journal at position ${claim.position}`, insertion.fault)
}

async function requireConfirmed(table: LeadershipTable, claim: Batch): Promise<void> {
  const problem = await table.confirm()
  if (problem !== undefined) throw inDoubt(claim, problem)
}

function inDoubt({ position }: Batch, why: string): JournalFault {
  return new JournalFault(
    'FAILED',
    `it is not known whether the claim at position ${position} counts: ${why}`,
  )
}

function lostTo(stored: Batch): JournalFault {
  const who = stored.kind === 'CLAIM' ? claimOf(stored).name : 'another engine'
  return new JournalFault(
    'IN_USE',
    `${who} leads epoch ${stored.epoch}, from position ${stored.position} of the journal`,
  )
}

/**
 * Refuses to claim while the leader's row is younger than `silenceMs` by the database's own clock. This
 * determines when to try, never who wins. Throws `IN_USE`.
 */
export async function requireLeaderTimeout(table: LeadershipTable, silenceMs: number): Promise<void> {
  const { epoch, name, heardMsAgo } = await table.leader()
  if (heardMsAgo === undefined || heardMsAgo >= silenceMs) return
  const since = `${Math.max(0, Math.round(heardMsAgo))} ms ago`
  throw new JournalFault('IN_USE', `${name} leads the journal in epoch ${epoch}, last heartbeat ${since}`)
}

/**
 * Throws `WITNESS` unless the journal has the remembered position: claiming another journal would create a
 * fork.
 */
export async function requireRemembered(
  table: LeadershipTable,
  remembered: JournalPosition | undefined,
): Promise<void> {
  const found = await missing(table, remembered)
  if (found === undefined || remembered === undefined) return
  const { position } = remembered
  const what = `position ${position} of the journal is remembered, but the database has ${found}`
  const act = givenUpBy(await table.readOwn(), remembered)
  const why =
    act === undefined ? `it was rolled back, or belongs to another exchange. ${WAY_ON}` : givenUpSentence(act)
  throw new JournalFault('WITNESS', `${what}: ${why}`)
}

/**
 * Checks positions presented by peers in the same way: a position that an operator gave up no longer counts,
 * and a position of another journal does not concern this journal.
 */
export async function requirePresented(
  table: LeadershipTable,
  presented: RememberedPlace | undefined,
): Promise<void> {
  if (presented === undefined || (await missing(table, presented)) === undefined) return
  const first = await table.readAt(1)
  if (first !== undefined && presented.journal !== journalName(first.hash)) return
  if (givenUpBy(await table.readOwn(), presented) === undefined) await requireRemembered(table, presented)
}

/** Advice for a database with missing batches. */
const WAY_ON =
  'Stop every engine and look for a database server with a longer journal: bourse cluster repair restores from it. If there is none, bourse cluster accept-tail lists the losses'

/** Describes the row found in place of a batch that was seen; undefined if the batch is there. */
async function missing(
  table: LeadershipTable,
  remembered: JournalPosition | undefined,
): Promise<string | undefined> {
  if (remembered === undefined || remembered.position === 0) return undefined
  const stored = await table.readAt(remembered.position)
  if (stored === undefined) return 'nothing there'
  return sameBytes(stored.hash, remembered.hash) ? undefined : 'another batch there'
}
