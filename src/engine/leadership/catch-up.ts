/**
 * Brings a claimant's state to the end of the journal that it has claimed: missing batches are read from the
 * table, verified and applied. A command that no engine can apply is quarantined, if it is certain that no
 * engine has applied it.
 */
import type { Seq } from '../../units/quantities.ts'
import { type Digest, hashOfQuarantined, JournalFault } from '../port/journal.ts'
import { readQuarantine } from '../writer/recovery/recovery.ts'
import { ReplayFault } from '../writer/recovery/replay.ts'
import { verifiedBatches } from '../writer/recovery/verified-batches.ts'
import type { ClaimedJournal } from './claimed-journal.ts'
import type { Replica } from './replica.ts'

export type CatchUpOptions = {
  readonly journal: ClaimedJournal
  readonly digest: Digest
  readonly replica: Replica
  /** The highest position presented by gateways and other engines, which receive only applied commands. */
  readonly presentedPosition: () => number
  /** Resolves when connected peers have presented the positions that they remember. */
  readonly untilPresented: () => Promise<void>
  readonly onApplied: () => void
}

export type CaughtUp = {
  readonly quarantined: ReadonlySet<Seq>
  readonly newlyQuarantined: readonly Seq[]
}

/**
 * Rejects with `JournalFault`: `DAMAGED` names the batch, `UNSUPPORTED` the command that can be neither
 * applied nor skipped.
 */
export async function catchUp(options: CatchUpOptions): Promise<CaughtUp> {
  const { journal, digest, replica, onApplied } = options
  const quarantined = await readQuarantine({ journal, digest })
  const newlyQuarantined: Seq[] = []
  for (;;) {
    try {
      for await (const { batches } of verifiedBatches(journal, digest, replica.tail)) {
        replica.apply(batches, quarantined)
        onApplied()
      }
      return { quarantined, newlyQuarantined }
    } catch (cause) {
      if (!(cause instanceof ReplayFault)) throw cause
      // This comes first: whatever happens to the quarantine, a machine that stopped in the middle of a
      // command must not be used.
      await replica.reread()
      await quarantine(options, cause)
      quarantined.add(cause.seq)
      newlyQuarantined.push(cause.seq)
    }
  }
}

/**
 * A command may be quarantined only if it is in the last batch of commands, followed only by claims and
 * quarantines, and if no one received its result: the leader that stored it exited before or while applying
 * it.
 */
async function quarantine(options: CatchUpOptions, failure: ReplayFault): Promise<void> {
  const { journal, digest, replica, presentedPosition, untilPresented } = options
  const { seq } = failure
  const [batch, ...behind] = await journal.read((seq - 1) as Seq, Number.MAX_SAFE_INTEGER)
  const isLast = batch !== undefined && behind.every(({ kind }) => kind !== 'COMMANDS')
  if (!isLast) throw refused(failure, 'later commands were applied')
  if (replica.appliedPosition >= batch.position) throw refused(failure, 'this engine applied it before')
  if (presentedPosition() < batch.position) await untilPresented()
  if (presentedPosition() >= batch.position)
    throw refused(failure, 'another process of the cluster received it')
  await journal.quarantine({ seq, check: hashOfQuarantined(digest, batch.hash, seq) })
}

function refused(failure: ReplayFault, why: string): JournalFault {
  const what = `command ${failure.seq}, which was applied, cannot be applied by this version (${why})`
  return new JournalFault('UNSUPPORTED', `${what}. Nothing was changed: start the version that ran before`, {
    cause: failure,
  })
}
