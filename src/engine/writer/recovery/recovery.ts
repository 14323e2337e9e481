/**
 * From what is stored to a running state: the newest good snapshot, then the journal's tail. Everything read is
 * checked against its hash, and the journal against its witnesses; what does not fit halts the start.
 */
import { NO_EVENTS } from '../../../core/exchange/event.ts'
import type { Seq } from '../../../units/quantities.ts'
import { sameBytes } from '../../../units/typed-arrays.ts'
import { type Digest, hashOfQuarantined, type Journal, JournalFault, lastSeqOf } from '../../port/journal.ts'
import type { DamagedSnapshot, SnapshotStore } from '../../port/snapshots.ts'
import type { StateMachine, StateMachineFactory } from '../../port/state-machine.ts'
import type { Witness } from '../../port/witness.ts'
import { ReplayFault, replayBatch } from './replay.ts'
import { chooseStart, type ReplayStart } from './replay-start.ts'
import { checkWitnesses, type WitnessReport } from './testimony.ts'
import { verifiedBatches } from './verified-batches.ts'

export type RecoveryOptions = {
  readonly journal: Journal
  readonly witness: Witness
  readonly snapshots: SnapshotStore
  readonly digest: Digest
  readonly machines: StateMachineFactory
  /** An operator restored a backup and says that the journal's end, although shorter, is to be taken as it is. */
  readonly acceptJournalTail: boolean
  readonly onProgress?: (progress: RecoveryProgress) => void
}

/** How far a replay is; reported after every read of the journal. */
export type RecoveryProgress = { readonly seq: Seq; readonly endSeq: Seq }

export type RecoveryReport = {
  readonly seq: Seq
  /** Version of the rules in force. */
  readonly rulesVersion: number
  /** What the state was read from; 0: no snapshot. */
  readonly snapshotSeq: Seq
  readonly replayedCommands: number
  /** Every quarantined command of this journal. */
  readonly quarantined: ReadonlySet<Seq>
  /** Those that this start has added: report them, they are bugs. */
  readonly newlyQuarantined: readonly Seq[]
  readonly damagedSnapshots: readonly DamagedSnapshot[]
  /** What of the witness was damaged, or accepted by the operator. */
  readonly witness: WitnessReport
}

export type Recovery = { readonly machine: StateMachine; readonly report: RecoveryReport }

/**
 * The state at the journal's end. Rejects with `JournalFault`: `DAMAGED` names the batch, `WITNESS` what is missing
 * and the way on.
 */
export async function recover(options: RecoveryOptions): Promise<Recovery> {
  const { journal, snapshots, witness } = options
  const listing = await snapshots.list()
  const testimony = await checkWitnesses({ ...options, heads: listing.heads })
  const damaged = [...listing.damaged]
  const snapshotParts = {
    snapshots,
    factory: options.machines,
    onDamaged: (name: string, problem: string) => void damaged.push({ name, problem }),
  }
  let { heads } = testimony
  const quarantined = await readQuarantine(options)
  const newlyQuarantined: Seq[] = []
  for (;;) {
    const start = await chooseStart(snapshotParts, heads, journal.tail)
    heads = start.heads
    try {
      const machine = await replayTail(options, start, quarantined)
      witness.reset(journal.tail)
      const report = {
        seq: machine.seq,
        rulesVersion: machine.rulesVersion,
        snapshotSeq: start.tail.seq,
        replayedCommands: machine.seq - start.tail.seq,
        quarantined,
        newlyQuarantined,
        damagedSnapshots: damaged,
        witness: testimony.report,
      }
      return { machine, report }
    } catch (cause) {
      if (!(cause instanceof ReplayFault)) throw cause
      await quarantine(options, cause)
      quarantined.add(cause.seq)
      newlyQuarantined.push(cause.seq)
    }
  }
}

async function replayTail(
  options: RecoveryOptions,
  start: ReplayStart,
  quarantined: ReadonlySet<Seq>,
): Promise<StateMachine> {
  const { journal, digest, onProgress } = options
  const { machine } = start
  for await (const { batches, tail } of verifiedBatches(journal, digest, start.tail)) {
    for (const batch of batches) replayBatch(machine, batch, quarantined, NO_EVENTS)
    onProgress?.({ seq: tail.seq, endSeq: journal.tail.seq })
  }
  return machine
}

export async function readQuarantine({
  journal,
  digest,
}: {
  readonly journal: Pick<Journal, 'read' | 'quarantined' | 'beginning'>
  readonly digest: Digest
}): Promise<Set<Seq>> {
  const seqs = new Set<Seq>()
  for (const { seq, check } of await journal.quarantined()) {
    // What is archived was checked then, and its file need not be there for a start.
    if (seq <= (journal.beginning?.seq ?? 0)) {
      seqs.add(seq)
      continue
    }
    const [batch] = await journal.read((seq - 1) as Seq, 1)
    const fits = batch !== undefined && batch.firstSeq <= seq
    if (!fits || !sameBytes(hashOfQuarantined(digest, batch.hash, seq), check)) {
      throw new JournalFault(
        'DAMAGED',
        `the quarantine of command ${seq} does not belong to the journal's command ${seq}`,
      )
    }
    seqs.add(seq)
  }
  return seqs
}

/**
 * Quarantines what stopped the node. Only a command of the last batch can have: it was never answered. One before
 * has been applied by an earlier run, and leaving it out would undo what people were answered.
 */
async function quarantine({ journal, digest }: RecoveryOptions, failure: ReplayFault): Promise<void> {
  const [batch] = await journal.read((failure.seq - 1) as Seq, 1)
  if (batch === undefined || lastSeqOf(batch) !== journal.tail.seq) {
    const what = `command ${failure.seq}, which an earlier run has applied, cannot be applied by this version`
    throw new JournalFault('UNSUPPORTED', `${what}; nothing was changed, start the version that ran before`, {
      cause: failure,
    })
  }
  await journal.quarantine({ seq: failure.seq, check: hashOfQuarantined(digest, batch.hash, failure.seq) })
}
