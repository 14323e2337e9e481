/**
 * Who leads: a claim is a batch at the next position, so the table's key lets one claimant win. Once it is confirmed, everything
 * before it is what the journal holds: a batch that was under way is stored before it, or can never be.
 */
import { batchValues } from '../../engine/batch-row.ts'
import {
  type Batch,
  type Digest,
  JournalFault,
  type JournalPosition,
  type Tail,
  verifyBatch,
} from '../../engine/journal.ts'
import { type Claim, claimBatch, claimOf } from '../../engine/own-batches.ts'
import { sameBytes } from '../../units/same-bytes.ts'
import { type Connection, PostgresFault, postgresFault, SQLSTATE } from './connection.ts'
import type { Durability } from './durability.ts'
import { confirmation } from './look.ts'
import { INSERT_TEXT, readAt } from './rows.ts'
import { SCHEMA } from './schema.ts'

export type ClaimOptions = {
  readonly digest: Digest
  readonly claim: Claim
  readonly durability: Durability
  readonly timeoutMs: number
}

/** The row of whoever leads changes with the claim, in one commit: a leader that beats as another finds none of its epoch. */
const CLAIM_TEXT = `WITH claimed AS (${INSERT_TEXT} RETURNING epoch)
  UPDATE ${SCHEMA}.leader SET epoch = claimed.epoch, name = $10, beat_at = clock_timestamp() FROM claimed`

/** Batches of a leader that still appends, which a claimant may meet one after another before it gives up. */
const TRIES_MAX = 100

/**
 * Claims what follows `known`, the end of the journal as far as the claimant knows it. Answers with the claim, confirmed, and the
 * batches of the epoch before that it met on the way; whoever led that epoch expects only `expected`. Throws `JournalFault`: `IN_USE`
 * where somebody else claims first, `DAMAGED` where what is met does not follow or was not expected, `FAILED` where the outcome
 * is unknown.
 */
export async function claimAfter(
  connection: Connection,
  known: Tail,
  options: ClaimOptions,
  expected?: Batch,
): Promise<{ readonly claim: Batch; readonly met: readonly Batch[] }> {
  const met: Batch[] = []
  let tail = known
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const claim = claimBatch(options.digest, tail, options.claim)
    if (await insertClaim(connection, claim, options)) {
      await requireConfirmed(connection, claim, options)
      return { claim, met }
    }
    const stored = await readAt(connection, claim.position)
    // It was there for the key, so a later look finds it; were it not so, nothing could be said of this database.
    if (stored === undefined) throw inDoubt(claim, 'its position is taken, and nothing is there')
    if (stored.epoch > known.epoch) throw lostTo(stored)
    tail = verifyBatch(options.digest, tail, stored)
    if (expected !== undefined && !sameBytes(stored.hash, expected.hash)) {
      const found = `position ${stored.position} holds a batch of epoch ${stored.epoch} that its leader did not write`
      throw new JournalFault('DAMAGED', found)
    }
    met.push(stored)
  }
  throw new JournalFault('IN_USE', `whoever leads epoch ${known.epoch} goes on appending: try again later`)
}

/** True: stored; false: the position is taken. Throws `JournalFault` for anything else. */
async function insertClaim(
  connection: Connection,
  batch: Batch,
  { claim: { name } }: ClaimOptions,
): Promise<boolean> {
  try {
    const { notices } = await connection.run({ text: CLAIM_TEXT }, [...batchValues(batch), name])
    if (notices[0] !== undefined) throw inDoubt(batch, notices[0])
    return true
  } catch (cause) {
    if (cause instanceof PostgresFault && cause.code === SQLSTATE.DUPLICATE_KEY) return false
    throw postgresFault(cause, `cannot claim the journal at position ${batch.position}`)
  }
}

async function requireConfirmed(
  connection: Connection,
  claim: Batch,
  { durability, timeoutMs }: ClaimOptions,
): Promise<void> {
  let problem: string | undefined
  try {
    problem = await confirmation(connection, durability, timeoutMs)
  } catch (cause) {
    throw postgresFault(cause, `cannot confirm the claim at position ${claim.position}`)
  }
  if (problem !== undefined) throw inDoubt(claim, problem)
}

function inDoubt({ position }: Batch, why: string): JournalFault {
  return new JournalFault('FAILED', `whether the claim at position ${position} counts is not known: ${why}`)
}

function lostTo(stored: Batch): JournalFault {
  const who = stored.kind === 'CLAIM' ? claimOf(stored).name : 'another'
  return new JournalFault(
    'IN_USE',
    `${who} leads epoch ${stored.epoch} from position ${stored.position} of the journal on`,
  )
}

/**
 * Refuses to claim while the leader's row is younger than `silenceMs` by the database's own clock. It says when to try, never
 * who wins. Throws `IN_USE`.
 */
export async function requireSilence(connection: Connection, silenceMs: number): Promise<void> {
  const text = `SELECT epoch, name, (extract(epoch FROM clock_timestamp() - beat_at) * 1000)::float8 AS age
    FROM ${SCHEMA}.leader`
  const { rows } = await connection.run({ text })
  const { epoch, name, age } = rows[0] ?? {}
  if (typeof age !== 'number' || age >= silenceMs) return
  const since = `${Math.max(0, Math.round(age))} ms ago`
  throw new JournalFault('IN_USE', `${name} leads the journal in epoch ${epoch} and was heard of ${since}`)
}

/** Throws `WITNESS` unless the journal has what is remembered of it: claiming another would make two of one journal. */
export async function requireRemembered(
  connection: Connection,
  remembered: JournalPosition | undefined,
): Promise<void> {
  if (remembered === undefined || remembered.position === 0) return
  const { position, hash } = remembered
  const stored = await readAt(connection, position)
  if (stored !== undefined && sameBytes(stored.hash, hash)) return
  const found = stored === undefined ? 'nothing there' : 'another batch there'
  throw new JournalFault(
    'WITNESS',
    `position ${position} of the journal is remembered, and the database has ${found}: it was rolled back or is another’s`,
  )
}
